"""How much of what a source says is kept: all of it, what is quoted from it, or all of it for so long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from muniment.domain.regex import regex

__all__ = ["Keep", "KeepFor", "KeepQuotes", "KeepWhole", "Piece", "parse_keep", "pieces_of"]

_SPAN = regex(r"([1-9]\d{0,4})([hdwy])\Z", re.ASCII)
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}


@dataclass(frozen=True, slots=True)
class KeepWhole:
    """Everything, for good."""

    def __str__(self) -> str:  # type: ignore[explicit-override]  # 3.12
        return "whole"


@dataclass(frozen=True, slots=True)
class KeepQuotes:
    """The words that prove a statement; the rest of the text goes once its statements were read."""

    def __str__(self) -> str:  # type: ignore[explicit-override]  # 3.12
        return "quotes"


@dataclass(frozen=True, slots=True)
class KeepFor:
    """Everything, until it is so old by its own time."""

    number: int
    unit: str

    def __str__(self) -> str:  # type: ignore[explicit-override]  # 3.12
        return f"{self.number}{self.unit}"

    @property
    def span(self) -> timedelta:
        """How long."""
        return timedelta(hours=self.number * _HOURS[self.unit])

    def is_over(self, said_at: datetime, now: datetime) -> bool:
        """Whether what was said then has been kept long enough."""
        return now - said_at >= self.span

    def ends(self, said_at: datetime) -> datetime:
        """When what was said then has been kept long enough; the last day there is where that lies beyond."""
        last = datetime.max.replace(tzinfo=said_at.tzinfo)
        return said_at + self.span if last - said_at > self.span else last


Keep: TypeAlias = KeepWhole | KeepQuotes | KeepFor


def parse_keep(text: str) -> Keep:
    """From `whole`, `quotes`, or a number of hours, days, weeks or years such as `30d`. Raises ValueError."""
    match text:
        case "whole":
            return KeepWhole()
        case "quotes":
            return KeepQuotes()
    span = _SPAN.match(text)
    if span is None:
        raise ValueError(
            f"{text!r} says nothing to keep: use whole, quotes, or a time such as 30d, 12w or 2y"
        )
    return KeepFor(int(span[1]), span[2])


@dataclass(frozen=True, slots=True)
class Piece:
    """What was characters [start, end) of a text, and stands at `at` in what is left of it."""

    start: int
    end: int
    at: int

    def within(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the piece's share of a stretch of the whole text stands now."""
        first, last = max(self.start, start), min(self.end, end)
        return (self.at + first - self.start, self.at + last - self.start) if first < last else None


def pieces_of(rows: Sequence[Sequence[int]]) -> tuple[Piece, ...]:
    """From [start, end, at]."""
    return tuple(Piece(start, end, at) for start, end, at in rows)
