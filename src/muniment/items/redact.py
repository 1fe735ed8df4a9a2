"""Blanking text so that no version brings it back. Pure.

What was blanked is known by its length and a keyed digest only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from muniment.domain.events import Body, ContentEvent
from muniment.domain.identity import keyed_digest
from muniment.domain.versions import orders, same_version
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
    for one in history:
        match one.event:
            case ContentEvent(detail=tuple() as spans) as event:
                found |= set(_redactions(key, _text_meant(one.seq, event, history), spans))
    return frozenset(found)


def _text_meant(seq: int, redaction: ContentEvent, history: Sequence[Accepted]) -> str:
    """The text a redaction's spans are read in. The version it names, or any at all, may come after it."""
    upserts = [
        (one.seq, one.event, one.event.detail.body)
        for one in history
        if isinstance(one.event, ContentEvent) and isinstance(one.event.detail, Body)
    ]
    named = [(upsert, text) for _, upsert, text in upserts if _is_named(redaction, upsert)]
    if named:
        return named[-1][1]
    before = [(upsert, text) for number, upsert, text in upserts if number < seq]
    meant = before or [(upsert, text) for _, upsert, text in upserts if upsert.at <= redaction.at]
    places = orders((upsert.version, upsert.at, False) for upsert, _ in meant)
    return max(zip(places, (text for _, text in meant), strict=True), default=(None, ""))[1]


def _is_named(redaction: ContentEvent, upsert: ContentEvent) -> bool:
    meant = (redaction.version, redaction.at)
    return redaction.version is not None and same_version((upsert.version, upsert.at), meant)


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
