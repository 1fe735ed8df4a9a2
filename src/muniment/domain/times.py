"""Instants and periods. The clock is an argument, never read here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

__all__ = ["Clock", "Period", "format_instant", "parse_day_or_instant", "parse_instant"]

Clock = Callable[[], datetime]

_RFC3339 = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})\Z"
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def parse_instant(text: str) -> datetime:
    """The instant an RFC 3339 string names, in UTC; ValueError where it has no zone or is no date."""
    match = _RFC3339.match(text)
    if match is None:
        raise ValueError(f"{text!r} is not an RFC 3339 time with a zone, such as 2026-06-03T09:00:00Z")
    # Microseconds are kept and finer parts cut, never rounded into the next second.
    fraction = (match[7] or ".")[:7].ljust(7, "0")
    zone = match[8].upper().replace("Z", "+00:00")
    clock = f"{match[4]}:{match[5]}:{match[6]}{fraction}{zone}"
    try:
        return datetime.fromisoformat(f"{match[1]}-{match[2]}-{match[3]}T{clock}").astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a time that exists: {error}") from None


def parse_day_or_instant(text: str) -> datetime:
    """An instant, or a bare day taken as its first moment in UTC."""
    if _DAY.match(text):
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    return parse_instant(text)


def format_instant(at: datetime) -> str:
    """RFC 3339 in UTC; microseconds only where there are any."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch of time, [start, end); None is unbounded."""

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise ValueError(f"a period cannot end at {self.end} before it starts at {self.start}")

    def holds(self, at: datetime) -> bool:
        """Whether the instant lies in the period."""
        return (self.start is None or self.start <= at) and (self.end is None or at < self.end)

    def meets(self, other: Period) -> bool:
        """Whether the two share an instant."""
        return (self.start is None or other.end is None or self.start < other.end) and (
            other.start is None or self.end is None or other.start < self.end
        )
