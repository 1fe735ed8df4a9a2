"""Blanking text so that no version brings it back. Pure.

What was blanked is known by its length and a keyed digest only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from muniment.domain.events import Body, ContentEvent
from muniment.domain.identity import keyed_digest
from muniment.items.fold import Accepted

__all__ = ["BLANK", "Redaction", "blank", "blanked", "redactions_of"]

BLANK = "█"


@dataclass(frozen=True, slots=True)
class Redaction:
    """Text that must not be shown, known by its length in characters and its keyed digest."""

    length: int
    digest: bytes


def redactions_of(key: bytes, history: Sequence[Accepted]) -> frozenset[Redaction]:
    """What the redactions of an item blank.

    A redaction's spans are read in the version it names, or in the newest before it.
    """
    found: set[Redaction] = set()
    text = ""
    bodies: dict[str, str] = {}
    for one in history:
        match one.event:
            case ContentEvent(version=version, detail=Body(body=text)):
                bodies[version or ""] = text
            case ContentEvent(version=version, detail=tuple() as spans):
                found |= set(_redactions(key, bodies.get(version or "", text), spans))
    return frozenset(found)


def _redactions(key: bytes, text: str, spans: Iterable[tuple[int, int]]) -> Iterable[Redaction]:
    for start, end in spans:
        words = text[start:end]
        if words.strip(BLANK + " \n"):
            yield Redaction(len(words), _digest(key, words))


def _digest(key: bytes, words: str) -> bytes:
    return keyed_digest(key, "redacted", words)


def blanked(key: bytes, text: str, redactions: Collection[Redaction]) -> list[tuple[int, int]]:
    """Where the text holds what was blanked elsewhere. Every offset is tried, for each length once."""
    wanted: dict[int, set[bytes]] = {}
    for one in redactions:
        wanted.setdefault(one.length, set()).add(one.digest)
    return [
        (start, start + length)
        for length, digests in wanted.items()
        for start in range(len(text) - length + 1)
        if _digest(key, text[start : start + length]) in digests
    ]


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the spans blanked, every other character where it was."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = BLANK * (min(end, len(characters)) - start)
    return "".join(characters)
