"""What a disclosure policy is, and which policy may follow which. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from muniment.assertions.attributes import PERIODS
from muniment.assertions.periods import is_period
from muniment.claims.claim import Statement
from muniment.disclosure.grids import Grid
from muniment.disclosure.windows import WindowKind
from muniment.domain.names import normal_name
from muniment.domain.regex import regex

__all__ = ["FILTERS", "NO_POLICY", "TRUSTS", "Only", "Policy", "Range", "Rule", "Trend", "regrids"]

# Lowest first. What is disclosed carries the trust its rule asks for: no statement raises or lowers it.
TRUSTS: Final = (
    "external_document",
    "external_tool",
    "internal_tool",
    "member",
    "system_of_record",
    "approved",
)
_PER: Final = regex(rf"per (?:{PERIODS})\Z")
FILTERS: Final = ("entities", "accounts", "kinds", "sources")


@dataclass(frozen=True, slots=True)
class Only:
    """A rule's bound to some entities, accounts, kinds of item or sources."""

    field: Literal["entities", "accounts", "kinds", "sources"]
    names: frozenset[str]

    def admits(self, statement: Statement) -> bool:
        """Whether the statement is of one of these."""
        item = statement.item
        match self.field:
            case "entities":
                return normal_name(statement.row.entity or "") in self.names
            case "accounts":
                return normal_name(item.account or "") in self.names
            case "kinds":
                return item.kind in self.names
            case "sources":
                return item.source in self.names


@dataclass(frozen=True, slots=True)
class Range:
    """Who reads a band, on which grid, with times no finer than which window."""

    groups: frozenset[str]
    grid: Grid
    window: WindowKind


@dataclass(frozen=True, slots=True)
class Trend:
    """Who reads whether a value went up or down, from one window to the next."""

    groups: frozenset[str]
    window: WindowKind


@dataclass(frozen=True, slots=True)
class Rule:
    """What of some attributes is disclosed, and to whom; the exact value stays with who can read its item.

    qualifiers: words that may narrow what is disclosed, beside periods, as any others are the item's own.
    """

    attributes: frozenset[str]
    only: tuple[Only, ...]
    qualifiers: frozenset[str]
    trust: str
    range: Range | None
    trend: Trend | None

    def admits(self, statement: Statement) -> bool:
        """Whether the statement counts: it is what the rule is about, and trusted enough."""
        row = statement.row
        if row.attribute not in self.attributes or row.trust not in TRUSTS or not self.shows(row.qualifier):
            return False
        if not self._takes(statement.item.source, statement.item.word):
            return False
        trusted = TRUSTS.index(row.trust) >= TRUSTS.index(self.trust)
        return trusted and all(one.admits(statement) for one in self.only)

    def _takes(self, source: str, word: str) -> bool:
        """Whether a word counts at all: not one's own, or anybody could try values until a level shows it.

        Whoever answers for the record or feeds it as a service; a person who feeds a source the rule names.
        """
        named = any(one.field == "sources" and source in one.names for one in self.only)
        return word == "vouched" or (word == "fed" and named)

    def shows(self, qualifier: str | None) -> bool:
        """Whether all that narrows a statement may be told: periods, and what the rule lists."""
        parts = [] if qualifier is None else qualifier.split(", ")
        return all(is_period(part) or _PER.match(part) or part in self.qualifiers for part in parts)


@dataclass(frozen=True, slots=True)
class Policy:
    """All rules. An attribute stands in one of them, so that nobody ever meets two grids for one value."""

    rules: tuple[Rule, ...]

    @property
    def attributes(self) -> frozenset[str]:
        """Every attribute of which something is disclosed."""
        return frozenset(attribute for rule in self.rules for attribute in rule.attributes)

    def rule(self, attribute: str) -> Rule | None:
        """The one that governs an attribute, if any does."""
        return next((rule for rule in self.rules if attribute in rule.attributes), None)


NO_POLICY: Final = Policy(())


def regrids(policy: Policy, earlier: Sequence[tuple[datetime, Policy]]) -> Iterator[str]:
    """Where a policy would place a value on a grid that an earlier one did not have the edges of.

    Whoever saw both bands would know the value to lie where they overlap, whichever group they were in then.
    """
    for attribute in sorted(policy.attributes):
        new = _grid(policy, attribute)
        for since, old in _grids(attribute, earlier):
            if new is not None and not new.is_no_finer_than(old):
                yield (
                    f"{attribute!r} was disclosed on another grid since {since.date()}: two grids narrow a "
                    f"value to where their bands overlap, so a new one may only leave edges of the old out"
                )
                break


def _grids(attribute: str, policies: Iterable[tuple[datetime, Policy]]) -> Iterator[tuple[datetime, Grid]]:
    for since, policy in policies:
        grid = _grid(policy, attribute)
        if grid is not None:
            yield since, grid


def _grid(policy: Policy, attribute: str) -> Grid | None:
    rule = policy.rule(attribute)
    return None if rule is None or rule.range is None else rule.range.grid
