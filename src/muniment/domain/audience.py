"""Who may read: an AND of clauses, each an OR of principals and groups.

Beside these a label may say under which targets of agents' grants something lies (`reach:…`): for people that
is no condition at all, for an agent with a list it is the only way in.

A clause member is `*` (every full member), a principal (`user:…`, `service:…`, `agent:…`), a group
(`group:…`), or, written only by the record itself, `container:<source>:<id>`: whoever may read that now.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.regex import regex

__all__ = ["EVERYONE", "Audience", "Cover", "container_ref", "is_principal", "parse_audience"]

EVERYONE = "*"
REACH = "reach:"
_PRINCIPAL = regex(r"(?:user|service|agent):\S.*\Z", re.DOTALL)
_MEMBER = regex(r"(?:(?:user|service|agent|group):\S.*|\*)\Z", re.DOTALL)


def is_principal(name: str) -> bool:
    """Whether the text names someone who acts, rather than a group of them."""
    return _PRINCIPAL.match(name) is not None


def container_ref(source: str, container: str) -> str:
    """The clause member that stands for a container's own, changeable audience."""
    return f"container:{source}:{container}"


@dataclass(frozen=True, slots=True)
class Audience:
    """A set of clauses; a reader must satisfy every one of them."""

    clauses: frozenset[frozenset[str]]

    def __post_init__(self) -> None:
        if not self.people or not all(self.clauses):
            raise ValueError(
                "an audience without a clause, or with an empty one, is refused: say ['*'] for everyone"
            )

    @classmethod
    def of(cls, *members: str) -> Audience:
        """One clause: any of these may read."""
        return cls(frozenset({frozenset(members)}))

    @property
    def people(self) -> frozenset[frozenset[str]]:
        """The clauses a reader must satisfy."""
        return frozenset(clause for clause in self.clauses if not _is_reach(clause))

    @property
    def reach(self) -> frozenset[frozenset[str]]:
        """The clauses an agent with a list must satisfy besides; none at all keeps it out."""
        return self.clauses - self.people

    def __and__(self, other: Audience) -> Audience:
        both = Audience(self.clauses | other.clauses)
        # What is made of two things, of which one lies under no target, lies under none.
        return both.within(()) if bool(self.reach) != bool(other.reach) else both

    def within(self, targets: Iterable[str]) -> Audience:
        """The same audience, for something that lies under these targets of agents' grants, or under none."""
        reach = frozenset(REACH + target for target in targets)
        return Audience(self.clauses | {reach or frozenset({REACH})})

    def or_also(self, member: str) -> Audience:
        """The same audience, and this member whatever the clauses say."""
        return Audience(frozenset(clause | {member} for clause in self.people) | self.reach)

    def admits(self, subjects: Collection[str]) -> bool:
        """Whether someone who is all of these subjects satisfies every clause."""
        return all(not clause.isdisjoint(subjects) for clause in self.people)

    def as_lists(self) -> list[list[str]]:
        """Canonical order, so that equal audiences have equal text."""
        return sorted(sorted(clause) for clause in self.clauses)

    def digest(self) -> bytes:
        """What equal audiences share: 16 bytes of SHA-256 over the canonical text."""
        text = json.dumps(self.as_lists(), ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).digest()[:16]


def _is_reach(clause: frozenset[str]) -> bool:
    return any(member.startswith(REACH) for member in clause)


@dataclass(frozen=True, slots=True)
class Cover:
    """How far a container's audience is known: gap-free now, or verified through an instant."""

    live: bool
    verified_through: datetime | None

    def reaches(self, at: datetime) -> bool:
        """Whether the audience is known at least as fresh as content of this time."""
        return self.live or (self.verified_through is not None and self.verified_through >= at)


def parse_audience(value: object) -> Audience:
    """An audience from JSON: a list of clauses, or a flat list as one clause.

    ValueError says what is wrong.
    """
    if not isinstance(value, list) or not value:
        raise ValueError(f"audience must be a list that is not empty, not {value!r}")
    if all(isinstance(member, str) for member in value):
        return Audience(frozenset({_clause(value)}))
    return Audience(frozenset(_clause(clause) for clause in value))


def _clause(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"an audience clause must be a list that is not empty, not {value!r}")
    return frozenset(_members(value))


def _members(values: Iterable[object]) -> Iterable[str]:
    for value in values:
        if not isinstance(value, str) or not _MEMBER.match(value):
            raise ValueError(f"{value!r} names nobody: use user:…, service:…, agent:…, group:… or *")
        yield value
