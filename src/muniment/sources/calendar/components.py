"""The appointments of a calendar's bytes, as the library reads them; one that is broken spoils no other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Final

from icalendar import Calendar as Read

from muniment.domain.times import find_zone

__all__ = ["Calendar", "calendars"]

# What the library raises for contents it cannot make sense of.
_FAULTS: Final = (
    ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError,
    NotImplementedError,
)  # fmt: skip
_BLOCK: Final = re.compile(rb"^BEGIN:(VEVENT|VTIMEZONE)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_MOST_EVENTS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Calendar:
    """A calendar's appointments, or why one is none; its method, and the zone its clock times are in."""

    events: Sequence[Any]
    method: str | None = None
    zone: tzinfo | None = None


def calendars(raw: bytes) -> Iterator[Calendar | str]:
    """The calendars in a file; where the whole cannot be read, its appointments one by one."""
    plain = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")
    if b"BEGIN:VEVENT" not in plain.upper():
        if b"BEGIN:VCALENDAR" not in plain.upper():
            yield "it is no calendar: it has no BEGIN:VCALENDAR"
        return
    text = plain.decode("utf-8", "replace")
    try:
        found = Read.from_ical(text, multiple=True)
        yield from [_calendar(one) for one in found]
    except _FAULTS:
        yield Calendar(list(_one_by_one(plain)))


def _calendar(found: Any) -> Calendar:
    zone = str(found.get("X-WR-TIMEZONE") or "")
    method = str(found.get("METHOD") or "").strip().upper() or None
    return Calendar(found.walk("VEVENT")[:_MOST_EVENTS], method, find_zone(zone) if zone else None)


def _one_by_one(raw: bytes) -> Iterator[Any]:
    """Each appointment in a calendar of its own, with the zones that the file defines."""
    blocks = list(_blocks(raw))
    zones = b"".join(block for kind, block in blocks if kind == b"VTIMEZONE")[:200_000]
    for _, block in (one for one in blocks if one[0] == b"VEVENT"):
        alone = b"BEGIN:VCALENDAR\r\n" + zones + block + b"END:VCALENDAR\r\n"
        try:
            yield from Read.from_ical(alone.decode("utf-8", "replace")).walk("VEVENT")
        except _FAULTS as error:
            yield f"it cannot be read: {error!s:.200}"


def _blocks(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    for begin in list(_BLOCK.finditer(raw))[:_MOST_EVENTS]:
        kind = begin[1].upper()
        end = raw.find(b"\nEND:" + begin[1], begin.end())
        if end >= 0:
            yield kind, raw[begin.start() : end].rstrip() + b"\r\nEND:" + kind + b"\r\n"
