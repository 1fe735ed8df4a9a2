"""Stretches of time in which one value of a slot holds without a break. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

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
        if len(self.members) == 1:
            return self.members[0]
        ends = [one for one in self.members if one.until == self.until] or list(self.members)
        return min(ends, key=lambda one: (one.item is None, one.by is None, one.statement.order))

    @property
    def items(self) -> frozenset[UUID]:
        """The items that say so."""
        return frozenset(one.statement.item.item for one in self.members)

    @property
    def rank(self) -> int:
        """The highest authority that says so."""
        return max(one.rank for one in self.members)

    @property
    def may_act(self) -> bool:
        """Whether any of its statements can contradict others."""
        return any(one.statement.may_act for one in self.members)


def runs(dated: Iterable[Dated]) -> list[Run]:
    """The runs of a slot, by value and then by time."""
    dated = list(dated)
    if len(dated) == 1:
        run = _run(dated)
        return [_after_others(run, [run.until] if run.until is not None else [])]
    values: dict[str, list[Dated]] = {}
    for one in sorted(dated, key=lambda one: (one.anchor, one.statement.order)):
        values.setdefault(one.value, []).append(one)
    found = [run for value in sorted(values) for run in _of_one_value(values[value])]
    ends = sorted(run.until for run in found if run.until is not None)
    return [_after_others(run, ends) for run in found]


def _of_one_value(dated: Sequence[Dated]) -> list[Run]:
    """Statements that give a period make runs; others join the one they were said in, or make their own."""
    bounded = _joined(one for one in dated if one.is_bounded)
    joining: dict[int, list[Dated]] = {}
    for one in (one for one in dated if not one.is_bounded):
        at = next((at for at, run in enumerate(bounded) if _meets(one, run)), len(bounded))
        joining.setdefault(at, []).append(one)
    alone = _joined(joining.pop(len(bounded), ()))
    made = [_confirmed(run, joining.get(at, ())) for at, run in enumerate(bounded)]
    return sorted([*made, *alone], key=lambda run: (run.anchor, run.members[0].statement.order))


def _joined(dated: Iterable[Dated]) -> list[Run]:
    """Stretches, given in order of their beginning, joined where they touch."""
    groups: list[list[Dated]] = []
    until: datetime | None = None
    for one in dated:
        if groups and (until is None or one.anchor <= until):
            groups[-1].append(one)
            until = None if until is None or one.until is None else max(until, one.until)
        else:
            groups.append([one])
            until = one.until
    return [_run(group) for group in groups]


def _run(group: Sequence[Dated]) -> Run:
    anchor = group[0].anchor
    ends = [one.until for one in group]
    return Run(
        value=group[0].value,
        members=tuple(group),
        anchor=anchor,
        since=_beginning(group, anchor),
        until=max((end for end in ends if end is not None), default=None) if None not in ends else None,
    )


def _beginning(group: Sequence[Dated], anchor: datetime) -> datetime | None:
    """Unknown where nobody says from when; one that was ended first keeps the beginning it gives."""
    if all(one.since is None for one in group):
        return None
    return group[0].since if len(group) == 1 else anchor


def _meets(one: Dated, run: Run) -> bool:
    starts_in_time = run.until is None or one.anchor < run.until
    return starts_in_time and (one.until is None or one.until >= run.anchor)


def _confirmed(run: Run, others: Sequence[Dated]) -> Run:
    """Who gives no period speaks of the one that is given; where it was said earlier, it held earlier."""
    if not others:
        return run
    anchor = min(run.anchor, *(one.anchor for one in others))
    since = None if run.since is None else min(run.since, anchor)
    return replace(run, members=(*run.members, *others), anchor=anchor, since=since)


def _after_others(run: Run, ends: Sequence[datetime]) -> Run:
    """An unknown beginning is no earlier than where another run ended before this was said."""
    at = bisect_right(ends, run.anchor)
    return replace(run, since=ends[at - 1]) if run.since is None and at else run


def origins(supports: Sequence[Statement]) -> int:
    """How many independent origins say so: one item, one author, or the same words, are one origin."""
    if len(supports) == 1:
        return 1
    leads: dict[str, str] = {}

    def first(mark: str) -> str:
        while (lead := leads.setdefault(mark, mark)) != mark:
            leads[mark] = leads[lead]
            mark = lead
        return mark

    for support in supports:
        one, *others = _marks(support)
        for other in others:
            leads[first(other)] = first(one)
    return len({first(_marks(support)[0]) for support in supports})


def _marks(support: Statement) -> tuple[str, ...]:
    said_by = support.row.stated_by or support.item.author or f"source:{support.item.source}"
    return (
        f"item {support.item.item.hex}",
        f"by {said_by}",
        f"words {normal_name(support.row.statement)}",
    )
