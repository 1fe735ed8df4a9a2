"""What taking a record out, or bringing one in, says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from muniment.domain.values import Value

__all__ = ["ExportedRecord", "ExportedWiki", "Restored"]


@dataclass(frozen=True, slots=True)
class ExportedWiki(Value):
    """The wiki as one reader sees it, in a folder: what is there, and which files are new, alike or gone."""

    folder: str
    pages: int
    claims: int
    written: int
    unchanged: int
    removed: int
    as_of: datetime
    known_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedRecord(Value):
    """A whole record in a folder. `with_key`: its key is there too, and the folder opens everything."""

    folder: str
    tables: int
    rows: int
    bytes: int
    with_key: bool


@dataclass(frozen=True, slots=True)
class Restored(Value):
    """A record brought in: its rows, the keys whose derived rows were made anew, and who runs it now."""

    folder: str
    rows: int
    keys: int
    stewards: tuple[str, ...]
