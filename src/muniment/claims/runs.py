"""Stretches of time in which one value of a slot holds without a break. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.claims.claim import Statement
from muniment.claims.dated import Dated
from muniment.domain.names import normal_name

__all__ = ["Run", "origins", "runs"]


@dataclass(frozen=True, slots=True)
class Run:
    """Statements of one value whose stretches join. `anchor` is the first instant one is sure to speak of."""

    value: str
    members: tuple[Dated, ...]
    anchor: datetime
    since: datetime | None
    until: datetime | None

    @property
    def end(self) -> datetime | None:
        """Where it ends; for one that was ended before it began, where it would have begun."""
        return self.until if self.until is None or self.since is None else max(self.since, self.until)

    @property
    def last(self) -> Dated:
        """The statement whose end is the run's end."""
        ends = [one for one in self.members if one.until == self.until] or list(self.members)
        return min(ends, key=lambda one: (one.item is None, one.by is None, one.statement.order))

    @property
    def may_act(self) -> bool:
        """Whether any of its statements can contradict others."""
        return any(one.statement.may_act for one in self.members)


def runs(dated: Iterable[Dated]) -> list[Run]:
    """The runs of a slot, by value and then by time."""
    values: dict[str, list[Dated]] = {}
    for one in sorted(dated, key=lambda one: (one.anchor, one.statement.order)):
        values.setdefault(one.value, []).append(one)
    found = [run for value in sorted(values) for run in _of_one_value(values[value])]
    return [_after_others(run, found) for run in found]


def _of_one_value(dated: Sequence[Dated]) -> list[Run]:
    """Statements that give a period make runs; others join the one they were said in, or make their own."""
    bounded = _joined([one for one in dated if one.is_bounded])
    alone = []
    for one in (one for one in dated if not one.is_bounded):
        at = next((at for at, run in enumerate(bounded) if _meets(one, run)), None)
        if at is None:
            alone.append(one)
        else:
            bounded[at] = _confirmed(bounded[at], one)
    return sorted([*bounded, *_joined(alone)], key=lambda run: (run.anchor, run.members[0].statement.order))


def _joined(dated: Iterable[Dated]) -> list[Run]:
    """Stretches in order of their beginning, joined where they touch."""
    found: list[Run] = []
    for one in dated:
        if found and (found[-1].until is None or one.anchor <= found[-1].until):
            found[-1] = _extended(found[-1], one)
        else:
            found.append(Run(one.value, (one,), one.anchor, one.since, one.until))
    return found


def _extended(run: Run, one: Dated) -> Run:
    ends = (run.until, one.until)
    until = None if None in ends else max(end for end in ends if end is not None)
    since = run.anchor if run.since is not None or one.since is not None else None
    return replace(run, members=(*run.members, one), since=since, until=until)


def _meets(one: Dated, run: Run) -> bool:
    starts_in_time = run.until is None or one.anchor < run.until
    return starts_in_time and (one.until is None or one.until >= run.anchor)


def _confirmed(run: Run, one: Dated) -> Run:
    """Someone who gives no period speaks of the one that is given; saying so earlier, it held earlier."""
    since = None if run.since is None else min(run.since, one.anchor)
    return replace(run, members=(*run.members, one), anchor=min(run.anchor, one.anchor), since=since)


def _after_others(run: Run, found: Sequence[Run]) -> Run:
    """An unknown beginning is no earlier than where another run ended before this was said."""
    if run.since is not None:
        return run
    ends = [
        other.until
        for other in found
        if other is not run and other.until is not None and other.until <= run.anchor
    ]
    return replace(run, since=max(ends)) if ends else run


def origins(supports: Sequence[Statement]) -> int:
    """How many independent origins say so: one item, one author, or the same words, are one origin."""
    groups: list[frozenset[str]] = []
    for support in supports:
        marks = _marks(support)
        joined = [group for group in groups if group & marks]
        groups = [group for group in groups if not group & marks]
        groups.append(marks.union(*joined))
    return len(groups)


def _marks(support: Statement) -> frozenset[str]:
    said_by = support.row.stated_by or support.item.author or f"source:{support.item.source}"
    return frozenset(
        {f"item {support.item.item.hex}", f"by {said_by}", f"words {normal_name(support.row.statement)}"}
    )
