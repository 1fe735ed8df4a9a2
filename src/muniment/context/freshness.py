"""How far each source has been heard, from visible events and successful polls, never from the clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.domain.values import Citation, Freshness, Searched
from muniment.gate.reader import Reader

__all__ = ["freshness", "searched", "touched"]


@dataclass(frozen=True, slots=True)
class _Watermark:
    source: str
    through: datetime
    state: Literal["current", "behind", "failing", "paused"]
    last_error: str | None


def freshness(reader: Reader) -> tuple[Freshness, ...]:
    """Every source something visible came from, in the order of names."""
    rows = reader.rows(_Watermark, "reader", "watermarks")
    return tuple(Freshness(row.source, row.state, row.through, row.last_error) for row in rows)


def searched(fresh: Sequence[Freshness]) -> Searched:
    """What was looked through: every visible source, to the newest of its items."""
    return Searched(len(fresh), max((one.as_of for one in fresh if one.as_of is not None), default=None))


def touched(fresh: Sequence[Freshness], citations: Iterable[Citation]) -> tuple[Freshness, ...]:
    """The sources an answer rests on, and any other that is not current: what it lacks may be the answer."""
    cited = {one.source for one in citations}
    return tuple(one for one in fresh if one.source in cited or one.state != "current")
