"""References between texts: as an item's own words make them, and as a reader meets them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

__all__ = ["ACTS", "Handle", "HandleRole", "HandleRow", "Reference", "ReferenceKind", "ReferenceRow"]

ReferenceKind: TypeAlias = Literal["cites", "refers_to", "supersedes", "amends", "attaches_to"]
HandleRole: TypeAlias = Literal["title", "number", "id", "address"]
ACTS: frozenset[ReferenceKind] = frozenset({"supersedes", "amends"})  # what changes how another text stands


@dataclass(frozen=True, slots=True)
class Reference:
    """What a text calls another, and how it relates to it; `inverse` where the other one is the actor.

    `name` None is the text itself, of which `section` names a part. [start, end) lie in the passage numbered
    `ordinal`; None is what was said beside the text, in its metadata. `cue`: the word that made its kind.
    """

    kind: ReferenceKind
    name: str | None
    section: str | None = None
    edition: str | None = None
    inverse: bool = False
    ordinal: int | None = None
    start: int = 0
    end: int = 0
    cue: str | None = None


@dataclass(frozen=True, slots=True)
class Handle:
    """A name by which others can refer to an item, and the edition it is of; empty where it gives none."""

    role: HandleRole
    name: str
    edition: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A reference that this reader can see, resolved to nothing yet."""

    reference: UUID
    item: UUID
    kind: str
    inverse: bool
    name: str | None
    section: str | None
    edition: str | None
    passage: UUID | None
    start: int
    end: int
    cue: str | None


@dataclass(frozen=True, slots=True)
class HandleRow:
    """A visible name of a visible item."""

    item: UUID
    role: str
    name: str
    edition: str
