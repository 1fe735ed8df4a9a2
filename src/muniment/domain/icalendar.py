"""Due days as an iCalendar file (RFC 5545), for the calendar of whoever takes over. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from muniment.domain.accounts import Commitment

__all__ = ["calendar_of"]

_LONGEST = 75  # octets of a line; what is longer goes on in the next, after a space


def calendar_of(commitments: Iterable[Commitment], stamp: datetime) -> str:
    """A day-long entry for each open commitment with a day; `stamp`: as of when it is so."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Muniment//accounts//EN", "CALSCALE:GREGORIAN"]
    for one in commitments:
        if one.due is not None and one.due.date is not None and one.state in _OPEN:
            lines += _entry(one, date.fromisoformat(one.due.date), stamp)
    return "".join(f"{line}\r\n" for each in [*lines, "END:VCALENDAR"] for line in _folded(each))


_OPEN = frozenset({"proposed", "conditional", "active", "violated"})


def _entry(one: Commitment, day: date, stamp: datetime) -> list[str]:
    who = one.debtor or "somebody"
    return [
        "BEGIN:VEVENT",
        f"UID:{one.id}@muniment",
        f"DTSTAMP:{stamp.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{_next(day):%Y%m%d}",
        f"SUMMARY:{_escaped(f'{who}: {one.content}')}",
        f"DESCRIPTION:{_escaped(_description(one))}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _next(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)


def _description(one: Commitment) -> str:
    cited = one.citations[0]
    said = "" if cited.said_at is None else f", {cited.said_at.date().isoformat()}"
    where = cited.source if cited.item is None else f"{cited.source}:{cited.item}"
    return f"{one.side}, {one.strength}, {one.state}\n“{cited.quote or cited.statement}” ({where}{said})"


def _escaped(text: str) -> str:
    """Text as a value; what no line may hold is gone."""
    plain = "".join(char for char in text if char >= " " or char == "\n")
    plain = plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Lines of so many octets, no character cut."""
    part, size = "", 0
    for char in line:
        width = len(char.encode("utf-8", "replace"))
        if size + width > _LONGEST:
            yield part
            part, size = " ", 1
        part, size = part + char, size + width
    yield part
