"""Quotes found again in a text, whatever became of its spaces and of the way its characters are composed.

The words must be there in their order, whole, and in the author's own text. What is given back are the
characters of the text itself, so that whatever is shown as a quote is verbatim.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from muniment.domain.passages import Origin, Passage, Span
from muniment.domain.regex import regex
from muniment.items.sentences import sentences

__all__ = ["Anchored", "find_quote", "normal_quote", "own_sentences", "own_stretches", "sentences_around"]

# What keyboards and models write for each other; a quote is shown as the source has it.
_SPACE = regex(r"\s+")
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "\u00ad": ""})


def normal_quote(text: str) -> str:
    """The form in which quotes are compared."""
    return Anchored(text).normal.strip()


@dataclass(frozen=True)
class Anchored:
    """A text with its normal form, and where in the text each character of that form comes from."""

    text: str

    @cached_property
    def normal(self) -> str:
        """Compatibility characters composed, spaces single, dashes and quotation marks plain."""
        return _SPACE.sub(" ", self.text) if self.text.isascii() else self._forms[0]

    def places(self, normal: str) -> Iterator[tuple[int, int]]:
        """Where a normal form stands whole in the text, in order."""
        at = self.normal.find(normal) if normal else -1
        while at >= 0:
            if _is_whole(self.normal, at, at + len(normal)):
                yield self._forms[1][at], self._forms[2][at + len(normal) - 1]
            at = self.normal.find(normal, at + 1)

    @cached_property
    def _forms(self) -> tuple[str, Sequence[int], Sequence[int]]:
        if self.text.isascii():
            kept = [at for at, sign in enumerate(self.text) if not (sign.isspace() and self._after_space(at))]
            return self.normal, kept, [*kept[1:], len(self.text)]
        normal: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for start, end, form in _clusters(self.text):
            if form.isspace():
                if normal and normal[-1] == " ":
                    continue
                form = " "  # noqa: PLW2901  # a run of spaces is one
            normal += form
            starts += [start] * len(form)
            ends += [end] * len(form)
        return "".join(normal), starts, ends

    def _after_space(self, at: int) -> bool:
        return at > 0 and self.text[at - 1].isspace()


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """Each character with the marks that combine with it, and its normal form."""
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        yield start, end, unicodedata.normalize("NFKC", text[start:end]).translate(_PLAIN)
        start = end


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether neither a word nor a number is cut: `5 days` is not in `15 days`, nor `5 %` in `2.5 %`."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return not (_joins(before[::-1], text[start]) or _joins(after, text[end - 1]))


def _joins(outside: str, edge: str) -> bool:
    if not outside or not _is_wordy(edge):
        return False
    if _is_wordy(outside[0]):
        return True
    return edge.isdigit() and outside[0] in ".,-" and (outside[1:].isdigit() or outside[0] == "-")


def _is_wordy(character: str) -> bool:
    """A letter or digit of a script that parts its words, as Chinese does not."""
    return character.isalnum() and not "\u2e80" <= character <= "\u9fff"


def find_quote(passage: Passage, quote: str, text: Anchored | None = None) -> tuple[int, int] | None:
    """Where the passage's author says it, in the author's own words; None where they do not.

    text: the passage's, where it is at hand.
    """
    own = own_stretches(passage.spans)
    for start, end in (text or Anchored(passage.text)).places(normal_quote(quote)):
        if _holding(own, start, end) is not None:
            return start, end
    return None


def own_stretches(spans: Sequence[Span]) -> tuple[tuple[int, int], ...]:
    """Maximal stretches of own text."""
    found: list[tuple[int, int]] = []
    for span in spans:
        if span.origin is not Origin.OWN:
            continue
        if found and found[-1][1] == span.start:
            found[-1] = found[-1][0], span.end
        else:
            found.append((span.start, span.end))
    return tuple(found)


def _holding(stretches: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    at = bisect_right(stretches, start, key=lambda one: one[0]) - 1
    return stretches[at] if at >= 0 and end <= stretches[at][1] else None


def own_sentences(passage: Passage) -> tuple[tuple[int, int], ...]:
    """The sentences of its author's own words, in order."""
    return tuple(
        (begin + offset, stop + offset)
        for offset, end in own_stretches(passage.spans)
        for begin, stop in sentences(passage.text[offset:end])
    )


def sentences_around(own: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The whole sentences that own words lie in: half a sentence may say the contrary."""
    first = bisect_right(own, start, key=lambda one: one[1])
    after = bisect_left(own, end, key=lambda one: one[0])
    met = own[first:after]
    return (min(start, met[0][0]), max(end, met[-1][1])) if met else (start, end)
