"""Traces in lines: where each began, how long it took, and the way to what failed in it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from muniment.domain.times import format_instant

__all__ = ["Step", "in_lines"]

_DEEPEST: Final = 30  # steps of a way
_MOST_WAYS: Final = 3  # that failed, of one trace
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = 253_402_300_799 * 10**6  # microseconds: the end of the year 9999


@dataclass(frozen=True, slots=True)
class Step:
    """A span: which part did what, when, for how long in microseconds, and whether it failed."""

    trace: str
    id: str
    parent: str | None
    service: str
    name: str
    start: int
    took: int
    has_failed: bool

    @property
    def words(self) -> str:
        """Where and what."""
        return f"{self.service} {self.name}"


def in_lines(steps: Iterable[Step]) -> Iterator[str]:
    """A line for each trace, in the order in which they began."""
    traces: dict[str, list[Step]] = {}
    for one in steps:
        traces.setdefault(one.trace, []).append(one)
    return map(_line, sorted(traces.values(), key=_begun))


def _begun(steps: Sequence[Step]) -> tuple[int, str]:
    return min(one.start for one in steps), steps[0].trace


def _line(steps: Sequence[Step]) -> str:
    by_id = {one.id: one for one in steps}
    roots = [one for one in steps if one.parent not in by_id] or list(steps)
    longest = max(roots, key=lambda one: (one.took, one.id))
    ways = [" → ".join(one.words for one in _way(end, by_id)) for end in _ends(steps)]
    told = "; ".join(dict.fromkeys(ways[:_MOST_WAYS])) or "none"
    more = f" and {len(ways) - _MOST_WAYS} more" if len(ways) > _MOST_WAYS else ""
    when = _instant(_begun(steps)[0])
    return f"{when} {longest.trace} {longest.words} {longest.took} us failed: {told}{more}"


def _ends(steps: Sequence[Step]) -> list[Step]:
    """What failed without anything below it having failed: where the failure came from."""
    passed_on = {one.parent for one in steps if one.has_failed}
    ends = [one for one in steps if one.has_failed and one.id not in passed_on]
    return sorted(ends, key=lambda one: (one.start, one.id))


def _way(end: Step, by_id: Mapping[str, Step]) -> list[Step]:
    """From the outermost step to one; a ring of parents is gone round once."""
    way: dict[str, Step] = {}
    at: Step | None = end
    while at is not None and at.id not in way and len(way) < _DEEPEST:
        way[at.id] = at
        at = by_id.get(at.parent or "")
    return list(reversed(way.values()))


def _instant(microseconds: int) -> str:
    bounded = min(max(microseconds, 0), _LATEST)
    return format_instant(_EPOCH + timedelta(microseconds=bounded))
