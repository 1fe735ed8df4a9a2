"""What changed on a page between two states of what was known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_claim, coarse_time, passages_of
from muniment.claims.claim import Claim
from muniment.claims.read import items_of
from muniment.domain.changes import PageChange, PageChanges
from muniment.domain.errors import Usage
from muniment.domain.record import AssertionRow, PassageRow
from muniment.domain.times import format_instant, parse_day_or_instant
from muniment.domain.values import Citation
from muniment.pages.about import claims_about, items_about
from muniment.pages.entities import Entity, get_entity, resolve
from muniment.pages.layout import section_of
from muniment.pages.steps import Step, steps

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_CHANGES", "changes"]

MOST_CHANGES = 500


@dataclass(frozen=True, slots=True)
class _State:
    """A page's claims as they were known at one moment, with the words they rest on."""

    kind: str
    claims: Mapping[UUID, Claim]
    passages: Mapping[UUID, PassageRow]
    as_of: datetime

    def section(self, claim: Claim) -> str:
        """Where the claim stands on this state of the page."""
        return section_of(claim, self.kind, self.as_of)

    def cited(self, claim: Claim) -> Citation | None:
        """The best of its citations; none where no words can be shown."""
        return next(iter(cite_claim(claim, self.passages, limit=1)), None)


def changes(reader: Reader, name: str, since: datetime | str) -> PageChanges:
    """Every sentence that came, went or reads otherwise since, of what this reader may see now.

    Both states are judged as of the same day, so that time passing by itself is no change.
    """
    until = reader.moment.known_at or reader.moment.now
    since = _instant(since)
    if since > until:
        raise Usage(f"since {format_instant(since)} is after {format_instant(until)}: give an earlier time")
    entity = get_entity(reader, name)
    old, new = _states(reader, reader.at(since), entity, name)
    found = steps(old.claims, new.claims, new.section)
    told = [one for step in found if (one := _told(step, old, new, (since, until))) is not None]
    told.sort(key=lambda one: (one.section, one.after or one.before or "", one.change))
    return PageChanges(
        entity=entity.names[0],
        kind=entity.kind,
        title=entity.title,
        since=since,
        until=until,
        as_of=reader.moment.as_of,
        changes=tuple(told[:MOST_CHANGES]),
        more=max(0, len(told) - MOST_CHANGES),
    )


def _instant(said: datetime | str) -> datetime:
    try:
        at = parse_day_or_instant(said) if isinstance(said, str) else said
    except ValueError as error:
        raise Usage(f"since: {error}") from None
    if at.tzinfo is None:
        raise Usage(f"since: {at.isoformat()!r} has no zone: give one, such as 2026-06-03T09:00:00Z")
    return at


def _states(reader: Reader, then: Reader, entity: Entity, name: str) -> tuple[_State, _State]:
    """The page then and now, over the items of both, or what left the newest few would seem to have ended."""
    before = _meant(then, entity, name)
    items = {item.item for item in items_about(reader, entity)}
    if before is None:
        return _State(entity.kind, {}, {}, reader.moment.as_of), _state(reader, entity, items)
    items |= {item.item for item in items_about(then, before)}
    return _state(then, before, items), _state(reader, entity, items)


def _meant(then: Reader, entity: Entity, name: str) -> Entity | None:
    """What was known as this then, by the name asked for or another that it has now."""
    found = (resolve(then, one) for one in (name, *entity.names))
    return next((one for one in found if isinstance(one, Entity)), None)


def _state(reader: Reader, entity: Entity, items: Iterable[UUID]) -> _State:
    claims = claims_about(reader, entity, items_of(reader, sorted(items)))
    passages = passages_of(reader, (one for claim in claims for one in claim.supports))
    return _State(entity.kind, {claim.id: claim for claim in claims}, passages, reader.moment.as_of)


def _told(step: Step, old: _State, new: _State, span: tuple[datetime, datetime]) -> PageChange | None:
    """The change in words; one that has no words to show is none."""
    before = None if step.before is None else old.cited(step.before)
    after = None if step.after is None else new.cited(step.after)
    citation = after or before
    if citation is None:
        return None
    dated = before is not None and after is not None and before.statement == after.statement
    return PageChange(
        change=step.change,
        section=_section(step, old, new),
        before=None if before is None else _sentence(before, dated=dated),
        after=None if after is None or step.change == "ended" else _sentence(after, dated=dated),
        status=None if step.after is None else step.after.status,
        known=_known(step, span),
        citation=citation,
    )


def _section(step: Step, old: _State, new: _State) -> str:
    """Where it stands now; of what ended, where it stood."""
    if step.before is not None and (step.change == "ended" or step.after is None):
        return old.section(step.before)
    return "" if step.after is None else new.section(step.after)


def _sentence(citation: Citation, *, dated: bool) -> str:
    """The words; with their period where that is all that changed."""
    if not dated:
        return citation.statement
    ends = [None if at is None else at.date() for at in (citation.valid_from, citation.valid_to)]
    return f"{citation.statement} ({ends[0] or '…'} to {ends[1] or '…'}, {citation.status})"


def _known(step: Step, span: tuple[datetime, datetime]) -> datetime | None:
    """When the record learnt it: of new words, when they came; of words that went, when they did."""
    came = [] if step.after is None else [_told_time(one, one.known_from) for one in _rows(step.after)]
    went = [] if step.before is None else [_told_time(one, one.known_to) for one in _rows(step.before)]
    within = [at for at in (*came, *went) if at is not None and span[0] < at <= span[1]]
    return max(within, default=None)


def _rows(claim: Claim) -> list[AssertionRow]:
    return [support.row for support in claim.supports]


def _told_time(row: AssertionRow, at: datetime | None) -> datetime | None:
    return at if at is None or row.level == "exact" else coarse_time(at)
