"""What an item's text is cut into, and what may be said about each span of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Origin", "Passage", "Section", "Span", "Text"]


class Origin(StrEnum):
    """Whose words a span holds. Only own text speaks for its author."""

    OWN = "own"
    SIGNATURE = "signature"  # the author's, and no statement: it stands under everything they write
    QUOTED = "quoted"
    FORWARDED = "forwarded"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of one origin."""

    start: int
    end: int
    origin: Origin = Origin.OWN


@dataclass(frozen=True, slots=True)
class Section:
    """Characters [start, end) under one heading path; speaker where a transcript names one."""

    start: int
    end: int
    heading: tuple[str, ...] = ()
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """An item version's whole text with its structure: sections and spans each tile [0, len(body))."""

    body: str
    sections: tuple[Section, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of an item version. Passages tile what is seen of the body.

    `anchor` stays the same under edits elsewhere. `start`, `end` are character offsets in the body; `spans`
    are offsets in `text`.
    """

    anchor: bytes
    ordinal: int
    start: int
    end: int
    text: str
    heading: tuple[str, ...]
    speaker: str | None
    spans: tuple[Span, ...]
