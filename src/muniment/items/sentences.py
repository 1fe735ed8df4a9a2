"""Sentences of English and Chinese text, as spans.

A line that was wrapped goes on in the next one; every other line ends its sentence, as do list items, table
rows and headings. Rules after Kiss and Strunk's observation that a period's meaning lies in the word before
it and the letter after it (Computational Linguistics 32:4, 2006), with fixed lists in place of their
statistics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from muniment.domain.regex import regex
from muniment.domain.remembered import remembered
from muniment.items.abbreviations import ALWAYS, BEFORE_A_NUMBER, OPENERS, SOMETIMES

__all__ = ["sentences"]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_STOP = regex(
    rf"(?<![.!?…])[.!?…]++[\"'”’)\]*_`»]*+(?=\s|\Z)|[。！？｡；]+[”’」』）】》\"')*]*|(?<=[{_HAN}])[!?]+[”’」』）\"')]*"
)
_MARKER = regex(
    r"(?:[ \t]*(?:>|(?:[-*+•‣–]|#{1,6}|\d{1,3}[.)]|[(（][0-9a-z]{1,2}[)）]|[a-z]\)|\[[ xX]\])(?=[ \t])"
    r"|\d{1,2}、|[一二三四五六七八九十]{1,3}、))+[ \t]*"
)
_WORDY = regex(r"[^\s!-/:-@\[-`{-~|]")
_FENCE = ("```", "~~~")
_CLOCK_OR_SPEAKER = regex(r"[\[(]?\d{1,2}:\d{2}|[A-Z][\w.'’ -]{0,40}:(?:\s|\Z)")
_BEFORE = regex(r"[^\s(\[{\"'“‘<>/,;:*_]*\Z")
_DOTTED = regex(r"(?:[A-Za-z]\.)+[A-Za-z]\Z")
_NEXT_WORD = regex(r"[\s\"'“‘(\[*_`]*([^\s.,;:!?]*)")

_WRAPPED_FROM = 50  # a line shorter than this was ended by its author
_WRAPPED_LOWER = 40  # … unless the next one goes on in lower case
_WRAPPED_TO = 120  # a longer one is no wrapped line
_WHOLE_WORD = 3  # a period after fewer letters, before lower case, is taken for an abbreviation's
_LATIN = ".!?…"
_FIRST_WIDE = "\u2e80"  # Chinese is not wrapped with line feeds
_WORD_BEFORE = 24  # characters looked at before a period


class _Run(NamedTuple):
    """Characters of one or more lines that read as one; a whole run is one sentence where it is `whole`."""

    start: int
    end: int
    whole: bool


class _Open(NamedTuple):
    """The run being read: where its words begin, whether it is whole or a list item, and its last line."""

    start: int
    whole: bool
    item: bool
    end: int
    last: str


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans in order that never overlap, without the space and the list marker around them."""
    return list(_sentences(text))


@remembered
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for run in _runs(text):
        start = run.start
        for stop in () if run.whole else _stops(text, run):
            _keep(found, text, start, stop)
            start = stop
        _keep(found, text, start, run.end)
    return tuple(found)


def _keep(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end and _WORDY.search(text, start, end):
        found.append((start, end))


def _runs(text: str) -> Iterator[_Run]:
    """Logical lines without their markers: a wrapped paragraph, a row, a heading, a line of code."""
    opened: _Open | None = None
    code = False
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if opened is not None and _goes_on(opened, line):
            opened = opened._replace(end=end, last=line)
        else:
            if opened is not None:
                yield _Run(opened.start, opened.end, opened.whole)
            fence = line.lstrip().startswith(_FENCE)
            code ^= fence
            opened = None if fence else _open(start, line, code=code)
        start = end + 1
    if opened is not None:
        yield _Run(opened.start, opened.end, opened.whole)


def _open(start: int, line: str, *, code: bool) -> _Open | None:
    """The run this line begins; none where it is blank."""
    bare = line.lstrip()
    if not bare:
        return None
    if code:
        return _Open(start, whole=True, item=False, end=start + len(line), last=line)
    marker = _MARKER.match(line)
    whole = bare[0] == "|" or (bare[0] == "#" and marker is not None)
    words = start if marker is None else start + marker.end()
    return _Open(words, whole=whole, item=marker is not None, end=start + len(line), last=line)


def _goes_on(opened: _Open, line: str) -> bool:
    """Whether the run's last line was wrapped and this one continues it."""
    bare = line.lstrip()
    if opened.whole or not bare or bare[0] in "|#" or bare.startswith(_FENCE) or _MARKER.match(line):
        return False
    if (
        opened.last.endswith(("  ", "\\", ":", "："))
        or _CLOCK_OR_SPEAKER.match(bare)
        or not _WORDY.search(bare)
    ):
        return False
    if opened.item and line[0].isspace():
        return True
    length = len(opened.last)
    if bare[0].islower():
        return length >= _WRAPPED_LOWER
    return _WRAPPED_FROM <= length <= _WRAPPED_TO and opened.last[-1:] < _FIRST_WIDE


def _stops(text: str, run: _Run) -> Iterator[int]:
    """Where sentences end inside a run."""
    for match in _STOP.finditer(text, run.start, run.end):
        end = match.end()
        if end < run.end and (match[0][0] not in _LATIN or _ends(text, match, run)):
            yield end


def _ends(text: str, match: re.Match[str], run: _Run) -> bool:
    """Whether Latin end marks end a sentence, by the word before and the word after."""
    following = _NEXT_WORD.match(text, match.end(), run.end)
    after = following[1] if following is not None else ""
    if "!" in match[0] or "?" in match[0]:
        return not after[:1].islower()
    if match[0].startswith(("..", "…")):
        return after[:1].isupper()
    before = _BEFORE.search(text, max(run.start, match.start() - _WORD_BEFORE), match.start())
    return _period_ends(before[0] if before is not None else "", after)


def _period_ends(before: str, after: str) -> bool:
    word = before.casefold()
    if word in ALWAYS:
        return False
    if word in BEFORE_A_NUMBER and after[:1].isdigit():
        return False
    if (
        word in SOMETIMES
        or _DOTTED.match(before)
        or (len(before) == 1 and before.isalpha() and before.isascii())
    ):
        return after.casefold() in OPENERS and after[:1].isupper()
    if after[:1].islower():
        return before.isalpha() and before.islower() and len(before) >= _WHOLE_WORD
    return True
