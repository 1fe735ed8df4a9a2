"""Singer and Airbyte: records that any tap or source writes, a message a line, from a file or a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from muniment.domain.errors import Malformed
from muniment.sources.connector import ConnectorKind
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told

__all__ = ["CONNECTORS", "FILES"]

_LONGEST: Final = 32 * 1024 * 1024  # bytes of one line


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.singer.mapping import read_mapping  # noqa: PLC0415  # YAML, which only it needs
    from muniment.sources.singer.records import tell  # noqa: PLC0415  # as above

    named = handed.options.get("mapping")
    mapped = read_mapping(Path(named)) if named else {}
    try:
        with path.open("rb") as file:
            yield from tell(handed.source, _lines(file), mapped)
    except OSError as error:
        yield Unread(path.name, path.name, f"it cannot be read: {error.strerror}")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered; of one too long only the beginning, which is no JSON."""
    number = 0
    while line := file.readline(_LONGEST):
        number += 1
        rest = line
        while len(rest) == _LONGEST and not rest.endswith(b"\n"):
            rest = file.readline(_LONGEST)
        if line.strip():
            yield number, line.strip()


def _recognises(path: Path) -> bool:
    """A file of JSON lines whose first is a message."""
    if path.suffix.lower() not in (".jsonl", ".ndjson", ".singer") or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.readline(1 << 20)
    try:
        first = told.as_object(told.read(start))
    except Malformed:
        return False
    return first.get("type") in ("RECORD", "SCHEMA", "STATE", "LOG", "TRACE") and "op" not in first


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="singer",
        source="singer",
        summary="messages of a Singer tap or an Airbyte source, a line each, with a mapping file",
        read=_read,
        recognises=_recognises,
        options=("mapping",),
    ),
)
CONNECTORS: tuple[ConnectorKind, ...] = ()
