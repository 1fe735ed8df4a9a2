"""Blanking text so that no version brings it back. Pure.

What was blanked is known by its length and a keyed digest only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from muniment.domain.events import Body, ContentEvent
from muniment.domain.identity import keyed_digest
from muniment.domain.versions import orders, same_version
from muniment.items.fold import Accepted

__all__ = ["BLANK", "Redaction", "blank", "blanked", "redactions_of"]

BLANK = "█"
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Redaction:
    """Text that must not be shown, known by its length in characters and its keyed digest."""

    length: int
    digest: bytes


def redactions_of(
    key: bytes, history: Sequence[Accepted], known: frozenset[Redaction] = frozenset()
) -> frozenset[Redaction]:
    """What the redactions of an item blank, what is blanked already included.

    A redaction's spans are read in the version it names, which may come after it, or in the newest before it,
    and in text that earlier ones have blanked. So the answer goes by the order of events, and not by how many
    of them had been applied when the next one came.
    """
    found = known
    for text, spans in _readings(history):
        found |= set(_redactions(key, blank(text, blanked(key, text, found)), spans))
    return found


def _readings(history: Sequence[Accepted]) -> Iterator[tuple[str, Spans]]:
    """Each text in which each redaction's spans are read, in the order of events."""
    upserts: list[tuple[ContentEvent, str]] = []
    redactions: list[tuple[ContentEvent, Spans, bool]] = []
    for one in history:
        match one.event:
            case ContentEvent(detail=Body(body=text)) as upsert:
                yield from (
                    (text, spans) for event, spans, had in redactions if _meets(event, upsert, had_text=had)
                )
                upserts.append((upsert, text))
            case ContentEvent(detail=tuple() as spans) as event:
                yield _text_meant(event, upserts), spans
                redactions.append((event, spans, bool(upserts)))


def _meets(redaction: ContentEvent, upsert: ContentEvent, *, had_text: bool) -> bool:
    """Whether a redaction means a text that came after it."""
    return _is_named(redaction, upsert) or (not had_text and upsert.at <= redaction.at)


def _text_meant(redaction: ContentEvent, upserts: Sequence[tuple[ContentEvent, str]]) -> str:
    """The text, of those before it, in which a redaction's spans are read."""
    named = [text for upsert, text in upserts if _is_named(redaction, upsert)]
    if named:
        return named[-1]
    places = orders((upsert.version, upsert.at, False) for upsert, _ in upserts)
    return max(zip(places, (text for _, text in upserts), strict=True), default=(None, ""))[1]


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
