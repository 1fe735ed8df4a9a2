"""Calendars: invitations and appointments in iCalendar files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment.sources.calendar.recognise import is_calendar
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed

__all__ = ["FILES"]

OPTIONS = ("timezone", "audience")


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.calendar.files import read_calendars  # noqa: PLC0415  # the extra `connect`, and heavy

    return read_calendars(path, handed)


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="ics",
        source="calendar",
        summary="a calendar (.ics), a folder of them, or the archive that Google Calendar exports",
        read=_read,
        recognises=is_calendar,
        options=OPTIONS,
    ),
)
