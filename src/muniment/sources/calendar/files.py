"""Calendars in files, folders and archives, each within limits."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

from muniment.domain.errors import Usage
from muniment.domain.times import find_zone
from muniment.sources.calendar.appointment import Setting, events_of
from muniment.sources.calendar.components import Calendar, calendars
from muniment.sources.calendar.recognise import ENDINGS
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Parsed, Unread

__all__ = ["read_calendars"]

MOST_BYTES: Final = 64 * 1024 * 1024
_MOST_FILES: Final = 1_000  # of an archive
_SHOWN: Final = 2_000
_OPTIONS: Final = ("timezone", "audience")


def read_calendars(path: Path, handed: Handed) -> Iterator[Parsed]:
    """The appointments of every calendar there is under the path."""
    zone = _checked(handed)
    for origin, raw, written in _sources(path):
        if isinstance(raw, Unread):
            yield raw
            continue
        for found in calendars(raw):
            if isinstance(found, str):
                yield Unread(origin, raw[:_SHOWN], found)
            else:
                yield from _told(found, origin, handed, zone, written)


def _checked(handed: Handed) -> tzinfo | None:
    if unknown := handed.options.keys() - set(_OPTIONS):
        raise Usage(f"option {min(unknown)!r} is unknown: use {', '.join(_OPTIONS)}")
    if handed.options.get("audience", "importer") not in ("importer", "attendees"):
        raise Usage(f"audience {handed.options['audience']!r} is unknown: use importer or attendees")
    name = handed.options.get("timezone")
    if name is not None and find_zone(name) is None:
        raise Usage(f"timezone {name!r} is no zone that is known")
    return find_zone(name) if name is not None else None


def _told(
    calendar: Calendar, origin: str, handed: Handed, zone: tzinfo | None, written: datetime
) -> Iterator[Parsed]:
    setting = Setting(
        handed.source,
        handed.importer,
        zone or calendar.zone or UTC,
        written,
        attendees_read=handed.options.get("audience") == "attendees",
        method=calendar.method,
        account=handed.account,
    )
    for number, one in enumerate(calendar.events, 1):
        if isinstance(one, str):
            yield Unread(f"{origin}, appointment {number}", origin, one)
        else:
            yield from events_of(one, setting, f"{origin}, appointment {number}")


def _sources(path: Path) -> Iterator[tuple[str, bytes | Unread, datetime]]:
    files = (
        [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS)
    )
    for file in files:
        written = datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
        if file.suffix.lower() == ".zip":
            yield from ((name, raw, written) for name, raw in _archived(file))
        else:
            yield file.name, _bytes(file), written


def _bytes(file: Path) -> bytes | Unread:
    try:
        if file.stat().st_size > MOST_BYTES:
            return Unread(file.name, file.name, f"it is longer than {MOST_BYTES} bytes")
        return file.read_bytes()
    except OSError as error:
        return Unread(file.name, file.name, f"cannot be read: {error.strerror}")


def _unpacked(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> tuple[str, bytes | Unread]:
    name = re.sub(r"\s+", " ", one.filename)[-200:]
    with archive.open(one) as opened:
        raw = opened.read(MOST_BYTES + 1)
    too_long = Unread(name, name, f"it is longer than {MOST_BYTES} bytes")
    return name, too_long if len(raw) > MOST_BYTES else raw


def _archived(file: Path) -> Iterator[tuple[str, bytes | Unread]]:
    """The calendars of an archive; no more of one is unpacked than may be read."""
    try:
        with zipfile.ZipFile(file) as archive:
            inside = [one for one in archive.infolist() if one.filename.lower().endswith(ENDINGS)]
            for one in inside[:_MOST_FILES]:
                yield _unpacked(archive, one)
            if len(inside) > _MOST_FILES:
                yield file.name, Unread(file.name, file.name, f"it holds more than {_MOST_FILES} calendars")
    except (
        OSError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        EOFError,
        zlib.error,
        zipfile.BadZipFile,
    ) as error:
        yield file.name, Unread(file.name, file.name, f"the archive cannot be read: {error}")
