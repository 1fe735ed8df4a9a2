"""What a source's statements of its edges come to: which held when, in whatever order they came. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from muniment.domain.audience import Audience
from muniment.domain.events import TopologyEvent
from muniment.domain.names import normal_name

__all__ = ["Held", "held"]

_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_Scope = tuple[str, tuple[tuple[str, ...], ...]]  # an environment and an audience
_Name = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Held:
    """An edge over one period, [start, end), as the event numbered `seq` stated it; end None: it goes on."""

    seq: int
    edge: tuple[str, str, str]
    environment: str | None
    audience: Audience
    start: datetime
    end: datetime | None

    @property
    def scope(self) -> _Scope:
        """Within which a listing is complete: it says nothing of edges that others may know of."""
        return (self.environment or "").casefold(), tuple(tuple(one) for one in self.audience.as_lists())

    @property
    def name(self) -> _Name:
        """Which edge it is, however its ends are spelled."""
        upstream, relation, downstream = self.edge
        return normal_name(upstream), relation, normal_name(downstream)


_State = dict[tuple[_Scope, _Name], list[Held]]


def held(events: Iterable[tuple[int, TopologyEvent]]) -> list[Held]:
    """Every edge with its period.

    A later statement of an edge from the same beginning replaces an earlier one. A complete listing is all
    that holds from then on, of one environment and for one audience: what it leaves out ends, what it has
    without a period goes on or begins, and of what it has with periods these are all.
    """
    state: _State = {}
    # Of two statements at one time the one that goes on longer stands, whichever came first.
    ordered = sorted(events, key=lambda one: (*_when(one[1]), one[1].valid_to or _NEVER, one[0]))
    for _, together in groupby(ordered, key=lambda one: _when(one[1])):
        _state(state, list(together))
    return sorted(
        (one for several in state.values() for one in several), key=lambda one: (one.seq, one.edge, one.start)
    )


def _when(event: TopologyEvent) -> tuple[datetime, str]:
    return event.at, event.version or ""


def _state(state: _State, together: Sequence[tuple[int, TopologyEvent]]) -> None:
    """What is stated at one time, of which several events may be one listing."""
    listed: dict[_Scope, dict[_Name, list[tuple[Held, bool]]]] = {}
    for seq, event in together:
        for edge in dict.fromkeys(event.edges):
            start = event.valid_from or event.at
            one = Held(seq, edge, event.environment, event.audience, start, event.valid_to)
            is_dated = event.valid_from is not None or event.valid_to is not None
            if event.complete:
                listed.setdefault(one.scope, {}).setdefault(one.name, []).append((one, is_dated))
            else:
                state[one.scope, one.name] = _with(state.get((one.scope, one.name), []), one)
    for scope, edges in listed.items():
        _list(state, scope, edges, together[0][1].at)


def _list(state: _State, scope: _Scope, edges: dict[_Name, list[tuple[Held, bool]]], at: datetime) -> None:
    for name, several in edges.items():
        dated = [one for one, is_dated in several if is_dated]
        before = state.get((scope, name), [])
        if dated:
            state[scope, name] = _merged(one for one, _ in several)
        elif not any(_holds(one, at) for one in before):
            state[scope, name] = _with(before, several[0][0])
    for key in [key for key in state if key[0] == scope and key[1] not in edges]:
        state[key] = [_ended(one, at) for one in state[key] if one.start < at]


def _holds(one: Held, at: datetime) -> bool:
    return one.start <= at and (one.end is None or at < one.end)


def _ended(one: Held, at: datetime) -> Held:
    return one if one.end is not None and one.end <= at else replace(one, end=at)


def _merged(several: Iterable[Held]) -> list[Held]:
    found: list[Held] = []
    for one in several:
        found = _with(found, one)
    return found


def _with(before: Sequence[Held], one: Held) -> list[Held]:
    return [*(other for other in before if other.start != one.start), one]
