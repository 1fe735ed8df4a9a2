"""Cutting what is seen of a text into passages that keep their anchors when it changes elsewhere.

A section that fits is one passage. A longer one is divided at the place of least weight among those that
leave neither side too small, then each side again, until all fit. A place's weight comes from the words
before it, so this is a treap over the places (Seidel and Aragon, Randomized Search Trees, 1996): an edit
changes only cuts within one passage's length of it, whatever the length of the section.
"""

from __future__ import annotations

import hashlib
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter

from muniment.domain.passages import Origin, Passage, Section, Span, Text
from muniment.items.units import GLUED, Level, Unit, blocks, refine

__all__ = ["MOST", "anchor", "cut", "normal_text"]

MOST = 1600  # characters in a passage; halves of what exceeds it average about 900
_LEAST = 300  # characters on each side of a cut, where there is a choice
_LARGE = MOST // 2  # a unit at least this large is looked into before a cut leaves less than the least

_end = attrgetter("end")
_rank = attrgetter("rank")


def cut(text: Text) -> tuple[Passage, ...]:
    """The text's passages, in order; none spans two sections."""
    passages: list[Passage] = []
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    spans = _Spans(text.spans)
    for section in text.sections:
        for start, end in _divide(text.body, section):
            words, within = text.body[start:end], spans.within(start, end)
            if _shows_nothing(words, within):
                continue
            key = section.heading, normal_text(words)
            passages.append(
                Passage(
                    anchor=anchor(*key, seen[key]),
                    ordinal=len(passages),
                    start=start,
                    end=end,
                    text=words,
                    heading=section.heading,
                    speaker=section.speaker,
                    spans=within,
                )
            )
            seen[key] += 1
    return tuple(passages)


def _shows_nothing(words: str, spans: Sequence[Span]) -> bool:
    """Whether hidden words alone stood there."""
    return words.isspace() and any(span.origin is Origin.HIDDEN for span in spans)


def normal_text(text: str) -> str:
    """Composed characters and single spaces: what may change without its being another text."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return " ".join(composed.split())


def anchor(heading: Sequence[str], normal: str, nth: int) -> bytes:
    """What the nth passage of these words under this heading is known by."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (*heading, normal, str(nth)):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.digest()


class _Spans:
    """Spans in order, from which stretches are taken in order."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]

    def within(self, start: int, end: int) -> tuple[Span, ...]:
        """The spans of a stretch, as offsets in it."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_left(self._starts, end)
        return tuple(
            Span(max(span.start, start) - start, min(span.end, end) - start, span.origin)
            for span in self._spans[first:last]
        )


def _divide(body: str, section: Section) -> Iterator[tuple[int, int]]:
    if section.end - section.start <= MOST:
        yield section.start, section.end
        return
    waiting = [blocks(body, section.start, section.end, headed=bool(section.heading))]
    while waiting:
        run = waiting.pop()
        if run[-1].end - run[0].start <= MOST:
            yield run[0].start, run[-1].end
            continue
        at = _place(run)
        if at is None:
            waiting.append(_refined(body, run))
        else:
            waiting += (run[at + 1 :], run[: at + 1])


def _refined(body: str, run: Sequence[Unit]) -> list[Unit]:
    """The run with its largest unit in finer ones."""
    at = max(range(len(run)), key=lambda number: run[number].end - run[number].start)
    return [*run[:at], *refine(body, run[at]), *run[at + 1 :]]


def _place(run: Sequence[Unit]) -> int | None:
    """The unit to cut after; None where the run's largest unit should be looked into first."""
    first = bisect_left(run, run[0].start + _LEAST, key=_end)
    last = bisect_right(run, run[-1].end - _LEAST, key=_end)
    last = min(last, len(run) - 1)
    if first < last:
        best = _lightest(run, first, last)
        if run[best].rank < GLUED or not _has_large(run):
            return best
    return None if _has_large(run) else _lightest(run, 0, len(run) - 1)


def _has_large(run: Sequence[Unit]) -> bool:
    return any(unit.end - unit.start >= _LARGE and unit.level < Level.SLICE for unit in run)


def _lightest(run: Sequence[Unit], first: int, last: int) -> int:
    """The best place in [first, last); the middle one of equals, so that repeated lines divide evenly."""
    least = min(run[first:last], key=_rank).rank
    equal = [number for number in range(first, last) if run[number].rank == least]
    return equal[len(equal) // 2]
