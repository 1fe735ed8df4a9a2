"""A kind of file that tools export: how one is recognised, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from muniment.sources.parsed import Parsed

__all__ = ["FileKind", "Handed", "never"]


@dataclass(frozen=True, slots=True)
class Handed:
    """What whoever hands a file in said of it.

    `options` are the kind's own, such as `mapping` for a CSV; a kind refuses one it does not know.
    """

    source: str
    importer: str
    account: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def never(_: Path) -> bool:
    """Recognises nothing: files of this kind are read as such only where somebody says so."""
    return False


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of export.

    `name` is what `add --kind` calls it, `source` what its source is called where nobody says, `summary` one
    line for help. `recognises` looks at a path's name, and at most at the beginning of the file or the
    listing of an archive or folder. `read` gives events in the order in which the source tells them,
    memberships and audiences before what they let be read. It reads from disk and never writes, and never
    raises for what is in the file: that is an `Unread`. Events that name no audience and no container are
    left to the importer.
    """

    name: str
    source: str
    summary: str
    read: Callable[[Path, Handed], Iterator[Parsed]]
    recognises: Callable[[Path], bool] = never
    options: tuple[str, ...] = ()
