"""When each statement of a slot holds, once the others have been heard. Pure.

Three things end a statement, in this order of weight: an explicit tie between items, a later effective
time from an equal or higher authority, a decision. Rank and arrival end nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.claims.claim import Statement, Tie, rank

__all__ = ["Dated", "Precedence", "date"]


@dataclass(frozen=True, slots=True)
class Dated:
    """A statement, the value it is compared by, and when it holds; `by` and `item` ended it."""

    statement: Statement
    value: str
    since: datetime | None
    until: datetime | None
    by: Statement | None = None
    item: UUID | None = None

    @property
    def anchor(self) -> datetime:
        """The earliest instant it is sure to speak of: where it takes effect, else when it was said."""
        start = self.since or self.statement.row.stated_at
        return start if self.until is None else min(start, self.until)

    @property
    def is_bounded(self) -> bool:
        """Whether it says itself from when or until when it holds."""
        return self.since is not None or _period(self.statement)[1] is not None

    @property
    def is_empty(self) -> bool:
        """Whether it was ended before it took effect."""
        return self.since is not None and self.until is not None and self.until <= self.since

    @property
    def rank(self) -> int:
        """How much its word counts."""
        return rank(self.statement.row.authority)


@dataclass(frozen=True, slots=True)
class Precedence:
    """What explicit ties and decisions say, arranged for lookup. Rings are already cut."""

    replaced: Mapping[UUID, Tie]
    amended: Mapping[UUID, Sequence[Tie]]
    effective: Mapping[UUID, datetime]
    settled: frozenset[tuple[UUID, UUID]]

    @classmethod
    def of(cls, ties: Iterable[Tie], settled: frozenset[tuple[UUID, UUID]]) -> Precedence:
        """The first successor of each item, its amendments, and when each actor takes effect."""
        replaced: dict[UUID, Tie] = {}
        amended: dict[UUID, list[Tie]] = {}
        effective: dict[UUID, datetime] = {}
        for tie in sorted(ties, key=lambda tie: tie.order):
            effective[tie.actor.item] = tie.since
            if tie.kind == "supersedes":
                replaced.setdefault(tie.target.item, tie)
            else:
                amended.setdefault(tie.target.item, []).append(tie)
        return cls(replaced, amended, effective, settled)


def date(members: Sequence[tuple[Statement, str]], precedence: Precedence) -> list[Dated]:
    """Each statement of one slot, given with its value, with the stretch in which it holds."""
    if len(members) == 1:  # as of most subjects: there is no other to be ended by, only other items
        return [_tied(_own(*members[0], precedence), {}, precedence)]
    dated = [_own(statement, value, precedence) for statement, value in members]
    by_item: dict[UUID, list[Dated]] = {}
    for one in sorted(dated, key=lambda one: one.statement.order):
        by_item.setdefault(one.statement.item.item, []).append(one)
    dated = [_tied(one, by_item, precedence) for one in dated]
    dated = _overtaken(dated)
    return _decided(dated, precedence.settled)


def _own(statement: Statement, value: str, precedence: Precedence) -> Dated:
    """Its own period, else its item's; an item that replaces or amends another takes effect as it does so."""
    since, until = _period(statement)
    return Dated(statement, value, since or precedence.effective.get(statement.item.item), until)


def _period(statement: Statement) -> tuple[datetime | None, datetime | None]:
    """What the statement says, its item's word already minded; where it says nothing, its item's."""
    row, item = statement.row, statement.item
    if row.valid_from is None and row.valid_to is None:
        return item.valid_from, item.valid_to
    return row.valid_from, row.valid_to


def _end(one: Dated, at: datetime, by: Statement | None, item: UUID) -> Dated:
    """Ended there, unless it was over by then."""
    if one.until is not None and (one.until < at or (one.until == at and one.item is not None)):
        return one
    return replace(one, until=at, by=by, item=item)


def _tied(one: Dated, by_item: Mapping[UUID, Sequence[Dated]], precedence: Precedence) -> Dated:
    item = one.statement.item.item
    whole = precedence.replaced.get(item)
    if whole is not None:
        successor = _differing(one, by_item.get(whole.actor.item, ()))
        by = successor.statement if successor is not None else None
        one = _end(one, whole.since, by, whole.actor.item)
    for tie in precedence.amended.get(item, ()):
        amendment = _differing(one, by_item.get(tie.actor.item, ()))
        if amendment is not None:
            one = _end(one, amendment.since or tie.since, amendment.statement, tie.actor.item)
    return one


def _differing(one: Dated, others: Iterable[Dated]) -> Dated | None:
    return next((other for other in others if other.value != one.value and other.statement.may_act), None)


def _overtaken(dated: Sequence[Dated]) -> list[Dated]:
    """Each ends where the next explicit period of another value begins, at an equal or higher authority."""
    ladders = _ladders(dated)
    return [_overtake(one, ladders) for one in dated]


def _overtake(one: Dated, ladders: Mapping[int, _Ladder]) -> Dated:
    nexts = [found for level, ladder in ladders.items() if level >= one.rank and (found := ladder.after(one))]
    if not nexts:
        return one
    following = min(nexts, key=_start)
    assert following.since is not None  # noqa: S101  # a ladder's rungs are explicit
    return _end(one, following.since, following.statement, following.statement.item.item)


@dataclass(frozen=True, slots=True)
class _Ladder:
    """Statements of one authority by the time they take effect, each with the next of another value."""

    rungs: Sequence[Dated]
    starts: Sequence[datetime]
    turns: Sequence[int]

    def after(self, one: Dated) -> Dated | None:
        """The first that takes effect after `one` and says something else."""
        at = bisect_right(self.starts, one.anchor)
        if at < len(self.rungs) and self.rungs[at].value == one.value:
            at = self.turns[at]
        return self.rungs[at] if at < len(self.rungs) else None


def _ladders(dated: Iterable[Dated]) -> dict[int, _Ladder]:
    levels: dict[int, list[Dated]] = {}
    for one in dated:
        if one.since is not None and one.statement.may_act and not one.is_empty:
            levels.setdefault(one.rank, []).append(one)
    return {level: _ladder(sorted(rungs, key=_start)) for level, rungs in levels.items()}


def _ladder(rungs: Sequence[Dated]) -> _Ladder:
    turns = [len(rungs)] * len(rungs)
    for at in range(len(rungs) - 2, -1, -1):
        same = rungs[at].value == rungs[at + 1].value
        turns[at] = turns[at + 1] if same else at + 1
    return _Ladder(rungs, [one.anchor for one in rungs], turns)


def _start(one: Dated) -> tuple[datetime, tuple[datetime, str, str, str]]:
    return (one.anchor, one.statement.order)


def _decided(dated: Sequence[Dated], settled: frozenset[tuple[UUID, UUID]]) -> list[Dated]:
    """What a decision dropped never held, as long as what it kept can be seen."""
    kept = {one.statement.row.assertion: one.statement for one in sorted(dated, key=_start)}
    lost = {drop: kept[keep] for keep, drop in sorted(settled) if keep in kept}
    return [_drop(one, lost.get(one.statement.row.assertion)) for one in dated]


def _drop(one: Dated, keeper: Statement | None) -> Dated:
    if keeper is None:
        return one
    return replace(one, since=one.anchor, until=one.anchor, by=keeper, item=keeper.item.item)
