"""A folder of saved payloads: `issues/opened.json`, or `issues.opened.json`, as webhook tools keep them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.github.deliveries import CONTENT, PASSED_BY, RIGHTS, tell
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told

__all__ = ["GITHUB_WEBHOOKS"]

MOST_BYTES: Final = 32 * 1024 * 1024  # GitHub sends at most 25 MB
_LONG_AGO: Final = "1970-01-01T00:00:00Z"
_FIELDS: Final = ("comment", "review", "issue", "pull_request", "discussion", "release", "repository")


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    root = path if path.is_dir() else path.parent
    for file in files:
        if file.is_file() and not file.is_symlink():
            yield from _one(file, file.relative_to(root).as_posix(), handed)


def _one(file: Path, origin: str, handed: Handed) -> Iterator[Parsed]:
    try:
        if file.stat().st_size > MOST_BYTES:
            yield Unread(origin, file.name, f"it is longer than {MOST_BYTES} bytes")
            return
        payload = told.read(file.read_bytes())
    except (OSError, Malformed) as error:
        yield Unread(origin, file.name, f"it cannot be read: {error}")
        return
    event = _event_of(file)
    heard = _as_of(payload)
    yield from tell(handed.source, event, payload, heard, looked_up=False, saved=True).parsed


def _event_of(file: Path) -> str:
    """The event's name, which stands before the first full stop, or is the folder's."""
    said = file.name.partition(".")[0]
    return said if said in _EVENTS else file.parent.name


_EVENTS: Final = frozenset((*CONTENT, *RIGHTS, *PASSED_BY))


def _as_of(payload: object) -> str:
    """A file keeps no time of delivery, so that rights count from when the thing itself last changed."""
    times = [told.instant(payload, field, "updated_at") for field in _FIELDS]
    return max((at for at in times if at is not None), default=_LONG_AGO)


def _recognises(path: Path) -> bool:
    """A folder that has at least one folder named as an event is, and files in it."""
    if not path.is_dir():
        return False
    return any((path / event).is_dir() for event in ("issues", "issue_comment", "pull_request", "repository"))


GITHUB_WEBHOOKS = FileKind(
    name="github-webhooks",
    source="github",
    summary="a folder of saved GitHub webhook payloads, one folder for each event",
    read=_read,
    recognises=_recognises,
)
