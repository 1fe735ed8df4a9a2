"""What taking a record out, or bringing one in, says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.domain.values import Value

__all__ = ["BackedUp", "ExportedRecord", "ExportedWiki", "Recovered", "Restored"]


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


@dataclass(frozen=True, slots=True)
class BackedUp(Value):
    """A backup in a folder. `key`: within it, in a file apart, or yours alone as MUNIMENT_KEY.

    `head` is where the audit's chain ended, to be kept where nobody can change it.
    """

    folder: str
    tables: int
    rows: int
    bytes: int
    key: Literal["within", "apart", "yours"]
    head: str
    taken_at: datetime


@dataclass(frozen=True, slots=True)
class Recovered(Value):
    """A backup brought back, and found to be what it was. `erased`: items erased again, by the list given."""

    place: str
    tables: int
    rows: int
    head: str
    taken_at: datetime
    erased: int | None
