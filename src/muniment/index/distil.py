"""What must be left of a text for its statements to stand: the rest can be dropped. Pure.

A statement's sentence stays with what the extractor reads beside it: the mark of its list item, the head of
its table, the speaker's line, the headings it stands under. What is left is read again before anything is
dropped. A statement that would change keeps its paragraph, then its passage; if that does not do either,
the text stays whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from muniment.assertions.extract import extract
from muniment.domain.assertions import Assertion
from muniment.domain.events import Body
from muniment.domain.passages import Passage
from muniment.domain.regex import regex
from muniment.domain.retention import Piece
from muniment.index.projection import context_of
from muniment.items.headings import Mark
from muniment.items.passages import cut
from muniment.items.sentences import sentences
from muniment.items.text import headings, structure

__all__ = ["Distilled", "distil"]

Span = tuple[int, int]
_SENTENCE, _PARAGRAPH, _PASSAGE, _WHOLE = range(4)  # how much of the text around a statement stays
_LONGEST_MARK = 40  # characters before a sentence on its line: a list mark, a time, a speaker
_TABLE_RULE = regex(r"\s*\|[\s|:=-]*-[\s|:=-]*\Z")
_BLANK_LINE = regex(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Distilled:
    """What is left of a text, and where each piece of it stood."""

    text: str
    pieces: tuple[Piece, ...]


def distil(body: Body) -> Distilled:
    """The least of a text, by these rules, that states all it states."""
    reading = _Reading.of(body, body.body)
    wanted = reading.stated()
    levels = [_SENTENCE] * len(wanted)
    while _WHOLE not in levels:
        spans = (
            span
            for level, said in zip(levels, reading.said, strict=True)
            for span in reading.around(said, level)
        )
        left = _joined(reading.text, spans)
        again = _Reading.of(body, left.text).stated()
        if again == wanted:
            return left
        lost = Counter(wanted) - Counter(again)
        levels = [level + (not lost or one in lost) for level, one in zip(levels, wanted, strict=True)]
    return Distilled(reading.text, (Piece(0, len(reading.text), 0),))


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text with what it states, and what its statements lean on."""

    text: str
    cuts: tuple[Passage, ...]
    said: tuple[Assertion, ...]
    marks: Sequence[Mark]

    @classmethod
    def of(cls, body: Body, text: str) -> _Reading:
        seen = structure(body.kind, text, body.media)
        cuts = cut(seen)
        return cls(seen.body, cuts, extract(cuts, context_of(body)), headings(body.kind, text, body.media))

    def stated(self) -> list[tuple[object, ...]]:
        """The statements without their places, each under its headings, in order."""
        return [(*_words(one), *self.cuts[one.quote.ordinal].heading) for one in self.said]

    def around(self, said: Assertion, level: int) -> Iterator[Span]:
        """What stays of the text for the sake of one statement."""
        passage = self.cuts[said.quote.ordinal]
        start, end = passage.start + said.quote.start, passage.start + said.quote.end
        yield from self._above(start)
        if passage.speaker is not None:
            yield self._line(self._turn(passage))
        if level == _PASSAGE:
            yield passage.start, passage.end
        elif level == _PARAGRAPH:
            yield self._paragraph(start, end)
        else:
            yield from self._head_of_table(start)
            yield self._marked(start), end

    def _above(self, at: int) -> Iterator[Span]:
        """The headings over a place."""
        path: list[Mark] = []
        for mark in self.marks:
            if mark.start > at:
                break
            path = [*(above for above in path if above.level < mark.level), mark]
        return ((mark.start, mark.end) for mark in path)

    def _turn(self, passage: Passage) -> int:
        """Where the speaker of a passage began."""
        first = passage.start
        for one in reversed(self.cuts[: passage.ordinal]):
            if (one.speaker, one.heading) != (passage.speaker, passage.heading) or one.text.startswith(
                f"{one.speaker}: "
            ):
                break
            first = one.start
        return first

    def _line(self, at: int) -> Span:
        stop = self.text.find("\n", at)
        return at, len(self.text) if stop < 0 else stop

    def _marked(self, start: int) -> int:
        """The start of the sentence's line where only a mark stands before it."""
        line = self.text.rfind("\n", 0, start) + 1
        before = self.text[line:start]
        return start if len(before) > _LONGEST_MARK or sentences(before) else line

    def _paragraph(self, start: int, end: int) -> Span:
        first = max((match.end() for match in _BLANK_LINE.finditer(self.text, 0, start)), default=0)
        after = _BLANK_LINE.search(self.text, end)
        return first, len(self.text) if after is None else after.start()

    def _head_of_table(self, start: int) -> Iterator[Span]:
        """The rows of a table through the rule under its head."""
        if not self.text.startswith("|", start):
            return
        first, _ = self._paragraph(start, start)
        row = first
        while row < start:
            line = self._line(row)
            if _TABLE_RULE.match(self.text, *line):
                yield first, line[1]
                return
            row = line[1] + 1


def _words(one: Assertion) -> tuple[object, ...]:
    return one.kind, one.statement, one.slot, one.value, one.terms, one.quote.text, one.stated_by


def _joined(text: str, spans: Iterable[Span]) -> Distilled:
    """The spans in order, with a blank line where something between two of them was left out."""
    left = ""
    pieces: list[Piece] = []
    for start, end in _merged(text, spans):
        if pieces:
            rows = text.startswith("|", start) and left.startswith("|", left.rfind("\n") + 1)
            left += "\n" if rows else "\n\n"
        pieces.append(Piece(start, end, len(left)))
        left += text[start:end]
    return Distilled(left, tuple(pieces))


def _merged(text: str, spans: Iterable[Span]) -> list[Span]:
    """The spans without overlaps; those with nothing but space between them are one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip()):
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
