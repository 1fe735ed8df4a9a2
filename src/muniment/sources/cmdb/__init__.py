"""What leans on what, from a file of a configuration database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.sources.connector import ConnectorKind
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed

__all__ = ["CONNECTORS", "FILES"]

_NAMES: Final = ("cmdb", "topology", "catalog-info")
_SUFFIXES: Final = (".csv", ".json", ".yaml", ".yml")


def _read(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.cmdb.files import read  # noqa: PLC0415  # YAML, which only it needs

    return read(path, handed)


def _recognises(path: Path) -> bool:
    """A table or tree that is called so."""
    is_named = path.stem.casefold().startswith(_NAMES)
    return is_named and path.suffix.lower() in _SUFFIXES and path.is_file()


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="cmdb",
        source="cmdb",
        summary="which service depends on which: a CSV, JSON or YAML, or Backstage's catalogue",
        read=_read,
        recognises=_recognises,
        options=("at", "complete", "environment"),
    ),
)
CONNECTORS: tuple[ConnectorKind, ...] = ()
