"""Blanking text so that no version brings it back. Pure.

Events are gone through in order, and each acts on all texts before the next: a redaction's spans are
blanked where they are read, and the words that stood there wherever else they stand. Of these only length
and keyed digest are kept. Going through the same events again changes nothing, so it does not matter how many
were known when a compilation came by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.domain.events import Body, ContentEvent
from muniment.domain.identity import keyed_digest
from muniment.domain.regex import regex
from muniment.domain.retention import Piece
from muniment.domain.versions import orders, same_version
from muniment.items.fold import Accepted

__all__ = ["BLANK", "Redacted", "Redaction", "redact"]

BLANK = "█"
# Shorter words are blanked where they stand and not looked for elsewhere: they would be found in everything.
LEAST = 3
_BLANKS = regex(f"{BLANK}+")
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Redaction:
    """Words that must not be shown, known by their length in characters and their keyed digest."""

    length: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Redacted:
    """Bodies and titles by event number, as they may be shown, and all that is blanked, oldest first."""

    bodies: Mapping[int, str]
    titles: Mapping[int, str]
    redactions: tuple[Redaction, ...]


def redact(key: bytes, history: Sequence[Accepted], known: Sequence[Redaction]) -> Redacted:
    """What an item's redactions leave of its texts; `known` are those that were worked out before."""
    blanking = _Blanking(key, list(known))
    for one in history:
        match one.event:
            case ContentEvent(detail=Body()) as upsert:
                blanking.take_text(one.seq, upsert, one.kept)
            case ContentEvent(detail=tuple() as spans) as event:
                blanking.take_redaction(event, spans)
    return Redacted(blanking.bodies, blanking.titles, tuple(blanking.found))


@dataclass(slots=True)
class _Blanking:
    """Texts under redaction, one event after another."""

    key: bytes
    found: list[Redaction]
    bodies: dict[int, str] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)
    upserts: list[tuple[ContentEvent, int]] = field(default_factory=list)
    redactions: list[tuple[ContentEvent, Spans, bool]] = field(default_factory=list)
    kept: dict[int, tuple[Piece, ...]] = field(default_factory=dict)

    def take_text(self, seq: int, upsert: ContentEvent, kept: tuple[Piece, ...] | None) -> None:
        """A text, without what was blanked before it, or by a redaction that came early and means it."""
        body = upsert.detail
        if not isinstance(body, Body):
            return
        self.bodies[seq], self.titles[seq] = body.body, body.title or ""
        if kept is not None:
            self.kept[seq] = kept
        self.upserts.append((upsert, seq))
        for one in self.found:
            self._blank_everywhere(one, [seq])
        for event, spans, had_text in self.redactions:
            if _meets(event, upsert, had_text=had_text):
                self._blank_spans(seq, spans)

    def take_redaction(self, event: ContentEvent, spans: Spans) -> None:
        """A redaction, read in the version it names, or in the newest before it."""
        self.redactions.append((event, spans, bool(self.upserts)))
        meant = _meant(event, self.upserts)
        if meant is not None:
            self._blank_spans(meant, spans)

    def _blank_spans(self, seq: int, spans: Spans) -> None:
        spans = self._left_of(seq, spans)
        words = [self.bodies[seq][start:end] for start, end in spans]
        self.bodies[seq] = _blanked(self.bodies[seq], spans)
        for piece in (piece for word in words for piece in _BLANKS.split(word)):
            one = Redaction(len(piece), keyed_digest(self.key, "redacted", piece))
            if len(piece.strip()) >= LEAST and one not in self.found:
                self.found.append(one)
                self._blank_everywhere(one, list(self.bodies))

    def _left_of(self, seq: int, spans: Spans) -> Spans:
        """The spans in what is left of a text: a source names characters of the whole."""
        pieces = self.kept.get(seq)
        if pieces is None:
            return spans
        found = (piece.within(start, end) for start, end in spans for piece in pieces)
        return tuple(span for span in found if span is not None)

    def _blank_everywhere(self, one: Redaction, seqs: Iterable[int]) -> None:
        for seq in seqs:
            for texts in (self.bodies, self.titles):
                texts[seq] = _blanked(texts[seq], _places(self.key, texts[seq], one))


def _meets(redaction: ContentEvent, upsert: ContentEvent, *, had_text: bool) -> bool:
    """Whether a redaction means a text that came after it."""
    return _is_named(redaction, upsert) or (not had_text and upsert.at <= redaction.at)


def _meant(redaction: ContentEvent, upserts: Sequence[tuple[ContentEvent, int]]) -> int | None:
    """The text, of those before it, in which a redaction's spans are read."""
    named = [seq for upsert, seq in upserts if _is_named(redaction, upsert)]
    if named or not upserts:
        return named[-1] if named else None
    places = orders((upsert.version, upsert.at, False) for upsert, _ in upserts)
    return max(zip(places, (seq for _, seq in upserts), strict=True))[1]


def _is_named(redaction: ContentEvent, upsert: ContentEvent) -> bool:
    meant = (redaction.version, redaction.at)
    return redaction.version is not None and same_version((upsert.version, upsert.at), meant)


def _places(key: bytes, text: str, one: Redaction) -> list[tuple[int, int]]:
    """Where the words stand in the text: every offset is tried."""
    return [
        (start, start + one.length)
        for start in range(len(text) - one.length + 1)
        if keyed_digest(key, "redacted", text[start : start + one.length]) == one.digest
    ]


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the spans blanked, every other character where it was."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = BLANK * max(0, min(end, len(characters)) - start)
    return "".join(characters)
