"""Which files are calendars: by name, and an archive by what it lists."""

from __future__ import annotations

import zipfile
from pathlib import Path

__all__ = ["ENDINGS", "is_calendar"]

ENDINGS = (".ics", ".ical", ".ifb")


def is_calendar(path: Path) -> bool:
    """A calendar by its name, or an archive of nothing but calendars."""
    if not path.is_file():
        return False
    return path.suffix.lower() in ENDINGS or (path.suffix.lower() == ".zip" and _holds_calendars(path))


def _holds_calendars(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir()]
    except (OSError, ValueError, zipfile.BadZipFile):
        return False
    return bool(names) and all(name.lower().endswith(ENDINGS) for name in names)
