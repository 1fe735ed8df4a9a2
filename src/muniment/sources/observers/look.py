"""One look: at a system that answers over HTTP, or at a file of its logs or traces."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from muniment.domain.errors import Usage
from muniment.sources.http import Site
from muniment.sources.observers.answers import ANSWERS
from muniment.sources.observers.files import FILES
from muniment.sources.observers.seen import Seen, Window, seen, window

__all__ = ["OBSERVERS", "READERS", "look", "look_into"]

OBSERVERS: Final = ANSWERS
READERS: Final = FILES


def look(site: Site, tool: str, query: str, now: datetime, over: Window | None = None) -> Seen:
    """Ask once. Raises Throttled, Unauthorised or Unavailable where there is no answer."""
    observer = OBSERVERS.get(tool)
    if observer is None:
        raise Usage(f"observer {tool!r} is unknown: use {', '.join(OBSERVERS)}; of a file, {_readers()}")
    return seen(tool, query, sorted(observer(site, query, over or window(None, None, now))))


def look_into(path: Path, tool: str, query: str, over: Window | None) -> Seen:
    """Read a file once. It is named by its last part: where it lies is nobody else's matter."""
    reader = READERS.get(tool)
    if reader is None:
        raise Usage(f"{tool!r} reads no file: use {_readers()}")
    if not path.is_file():
        raise Usage(f"no file {str(path)!r}")
    named = f"{path.name}: {query}" if query else path.name
    return seen(tool, named, reader(path, query, over))


def _readers() -> str:
    return ", ".join(READERS)
