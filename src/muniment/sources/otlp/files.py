"""Exports in files, as the collector's file exporter writes them: one a line, or one in all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from muniment.domain.errors import Malformed
from muniment.sources.filekind import Handed
from muniment.sources.otlp.observed import severity_of, tell
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import parse_mapping

__all__ = ["exports", "read"]

_MOST: Final = 64 * 1024 * 1024  # bytes of a line, or of a file that is one export


def read(path: Path, handed: Handed) -> Iterator[Parsed]:
    """What is worth keeping of each export in a file."""
    mapped = parse_mapping(handed.options.get("audiences", ""))
    least = severity_of(handed.options.get("severity") or "error")
    for one in exports(path):
        if isinstance(one, Unread):
            yield one
        else:
            yield from tell(handed.source, one, mapped, least, None)


def exports(path: Path) -> Iterator[object]:
    """Each export of a file; an Unread for what is none."""
    try:
        with path.open("rb") as file:
            yield from _each(path.name, file)
    except OSError as error:
        yield Unread(path.name, path.name, f"it cannot be read: {error.strerror or error}")


def _each(name: str, file: BinaryIO) -> Iterator[object]:
    first, number = file.readline(_MOST + 1), 1
    if not _is_whole(first):
        yield _read_as(name, first + file.read(_MOST + 1 - len(first)))
        return
    while first:
        if first.strip():
            yield _read_as(f"{name}, line {number}", first)
        first, number = file.readline(_MOST + 1), number + 1


def _is_whole(line: bytes) -> bool:
    """Whether a line is an export of its own, and not the beginning of one over many lines."""
    try:
        told.read(line.removeprefix(b"\xef\xbb\xbf"))
    except Malformed:
        return False
    return True


def _read_as(origin: str, raw: bytes) -> object:
    if len(raw) > _MOST:
        return Unread(origin, raw[:200], f"it is longer than {_MOST:,} bytes")
    try:
        payload = told.as_object(told.read(raw.removeprefix(b"\xef\xbb\xbf")))
    except Malformed as error:
        return Unread(origin, raw[:10_000], str(error))
    if not payload.keys() & {"resourceSpans", "resourceLogs"}:
        return Unread(origin, raw[:10_000], "it has neither resourceSpans nor resourceLogs")
    return payload
