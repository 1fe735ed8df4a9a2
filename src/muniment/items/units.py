"""What a section is cut between: blocks, then items and rows or sentences, then words, then slices."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from muniment.domain.regex import regex
from muniment.items.lines import Line, lines
from muniment.items.sentences import sentences

__all__ = ["GLUED", "Level", "Unit", "blocks", "refine"]


GLUED = 1 << 40  # every rank from here is that of a glued unit


class Level:
    """How fine a unit is."""

    BLOCK = 0
    ITEM = 1
    SENTENCE = 2
    WORD = 3
    SLICE = 4


class Unit(NamedTuple):
    """Characters [start, end).

    `glued` to what follows it where a cut there would part a heading, an introduction or a table's head from
    what it is for. The lowest `rank` is the best place to cut after: loose before glued, coarse before
    fine, and among those a weight drawn from the words just before the end alone, so that nothing further
    away decides.
    """

    start: int
    end: int
    level: int
    glued: bool
    rank: int


_ITEM = regex(
    r"\s*(?:[-*+•‣–]|\d{1,3}[.)]|[(（]?[0-9a-z]{1,2}[)）]|[一二三四五六七八九十]{1,3}、)(?=\s|(?<=、))"
)
_TABLE_RULE = regex(r"\s*[|+]?[\s|+:=-]*[-=]{2}[\s|+:=-]*\Z")
_WORD = regex(r"[^\s，、]+[\s，、]*|[\s，、]+")
_GAP = regex(r"\s+")
_FENCE = ("```", "~~~")
_INTRODUCES = (":", "：")
_WEIGHED = 48  # characters before a cut that decide its weight
_HEADING = 200  # a first block shorter than this is the section's heading
_SLICE = 800


def _unit(body: str, start: int, end: int, level: int, *, glued: bool = False) -> Unit:
    words = body[max(start, end - _WEIGHED) : end].strip()
    weight = zlib.crc32(words.encode("utf-8", "surrogatepass"))
    return Unit(start, end, level, glued, glued * GLUED | level << 32 | weight)


def blocks(body: str, start: int, end: int, *, headed: bool) -> list[Unit]:
    """Paragraphs, lists, tables and fenced code, each with the blank lines after it."""
    found = []
    for number, (begin, stop) in enumerate(_between_blank_lines(lines(body, start, end), end)):
        text = body[begin:stop].rstrip()
        heads = headed and number == 0 and len(text) < _HEADING
        found.append(_unit(body, begin, stop, Level.BLOCK, glued=heads or text.endswith(_INTRODUCES)))
    return found


def _between_blank_lines(rows: Sequence[Line], end: int) -> Iterator[tuple[int, int]]:
    start = rows[0].start
    worded = blank = False
    fence = ""
    for row in rows:
        bare = row.text.strip()
        if bare and blank and worded and not fence:
            yield start, row.start
            start, worded = row.start, False
        if bare.startswith(fence or _FENCE):
            fence = "" if fence else bare[:3]
        worded = worded or bool(bare)
        blank = not bare
    yield start, end


def refine(body: str, unit: Unit) -> list[Unit]:
    """The unit in finer ones that tile it; one of a finer level where it has no parts at this one."""
    match unit.level:
        case Level.BLOCK:
            return _items(body, unit)
        case Level.ITEM:
            return _parts(body, unit, Level.SENTENCE, _sentence_ends(body, unit))
        case Level.SENTENCE:
            ends = (match.end() for match in _WORD.finditer(body, unit.start, unit.end))
            return _parts(body, unit, Level.WORD, ends)
        case _:
            return _parts(body, unit, Level.SLICE, range(unit.start + _SLICE, unit.end, _SLICE))


def _parts(body: str, unit: Unit, level: int, ends: Iterable[int]) -> list[Unit]:
    """Units between the ends. The last keeps the glue of the whole."""
    found = []
    start = unit.start
    for end in ends:
        if start < end < unit.end:
            found.append(_unit(body, start, end, level))
            start = end
    found.append(_unit(body, start, unit.end, level, glued=unit.glued))
    return found


def _sentence_ends(body: str, unit: Unit) -> Iterator[int]:
    """Ends of sentences, with the space that follows."""
    for _, end in sentences(body[unit.start : unit.end]):
        gap = _GAP.match(body, unit.start + end, unit.end)
        yield unit.start + end if gap is None else gap.end()


def _items(body: str, unit: Unit) -> list[Unit]:
    """List items, table rows and lines of code; a block of prose is one item."""
    rows = lines(body, unit.start, unit.end)
    first = rows[0].text.lstrip()
    if first.startswith(_FENCE):
        return _parts(body, unit, Level.ITEM, (row.end + 1 for row in rows))
    if first.startswith(("|", "+-", "+=")):
        return _table(body, unit, rows)
    return _parts(body, unit, Level.ITEM, (row.start for row in rows if _ITEM.match(row.text)))


def _table(body: str, unit: Unit, rows: Sequence[Line]) -> list[Unit]:
    """Rows; the head, through the rule under it, is glued to the first row of the table."""
    head = next((number for number, row in enumerate(rows[:4]) if number and _TABLE_RULE.match(row.text)), 0)
    found = _parts(body, unit, Level.ITEM, (row.end + 1 for row in rows))
    return [
        part._replace(glued=True, rank=part.rank | GLUED) if number <= head else part
        for number, part in enumerate(found)
    ]
