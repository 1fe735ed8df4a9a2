"""Instants and periods. The clock is an argument, never read here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from muniment.domain.errors import Usage
from muniment.domain.regex import regex

__all__ = [
    "Clock", "Period", "find_zone", "format_instant", "local_instant", "parse_day_or_instant",
    "parse_duration", "parse_instant", "read_instant",
]  # fmt: skip

Clock = Callable[[], datetime]

_RFC3339 = regex(r"(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})\Z")
_OFFSET = regex(r"([+-])(\d{2}):?(\d{2})\Z", re.ASCII)
_ZONE = regex(r"[A-Za-z][A-Za-z0-9+_-]*(?:/[A-Za-z0-9+_-]+){0,2}\Z")
_DAY = regex(r"\d{4}-\d{2}-\d{2}\Z")
_DURATION = regex(r"([1-9]\d{0,5})([smhdw])\Z", re.ASCII)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


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
    if not _DAY.match(text):
        return parse_instant(text)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a day that exists: {error}") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def read_instant(name: str, said: datetime | str | None) -> datetime | None:
    """What a caller gives for a time: an instant with a zone, or text. Usage says what cannot be read."""
    match said:
        case None:
            return None
        case datetime(tzinfo=None):
            raise Usage(f"{name} {said.isoformat()!r} has no zone")
        case datetime():
            return _in_utc(name, said)
    try:
        return parse_day_or_instant(said)
    except ValueError as error:
        raise Usage(f"{name}: {error}") from None


def _in_utc(name: str, at: datetime) -> datetime:
    """The first and last hours of the calendar are no time in UTC where a zone says them."""
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise Usage(f"{name}: {at.isoformat()!r} is not a time that exists: {error}") from None


def find_zone(name: str) -> tzinfo | None:
    """The zone of a name such as Europe/Berlin, or of an offset such as +08:00; None where there is none."""
    if name.upper() in ("Z", "UTC", "GMT"):
        return UTC
    if match := _OFFSET.match(name):
        hours, minutes = int(match[2]), int(match[3])
        if hours > 23 or minutes > 59:
            return None
        return timezone(timedelta(hours=hours, minutes=minutes) * (-1 if match[1] == "-" else 1))
    try:
        return ZoneInfo(name) if _ZONE.match(name) else None
    except (ValueError, OSError, KeyError):  # no such file, a folder, or not a zone's file
        return None


def local_instant(day: date, clock: time, zone: tzinfo) -> tuple[datetime, Literal["gap", "overlap"] | None]:
    """The instant a clock on a wall shows. In a gap, as much later as it was put on; of two, the first."""
    wall = datetime.combine(day, clock).replace(tzinfo=zone)
    at = wall.astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None) != wall.replace(tzinfo=None):
        return at, "gap"
    return at, "overlap" if wall.replace(fold=1).astimezone(UTC) != at else None


def parse_duration(text: str) -> timedelta:
    """A length of time, such as 30s, 90m, 24h, 7d or 2w."""
    match = _DURATION.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no length of time: write 30s, 90m, 24h, 7d or 2w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


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
