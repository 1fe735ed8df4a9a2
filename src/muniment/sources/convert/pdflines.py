"""Characters to lines, lines to paragraphs and headings: what a page's typesetting tells a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muniment.domain.regex import regex
from muniment.sources.convert.pdfseen import Glyph

__all__ = ["Line", "flowed", "lines_of", "usual_size"]

_ITEM = regex(r"(?:[•‣◦▪●–*-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s")
_BULLET = regex(r"^[•‣◦▪●]\s*")
_SPACE = regex(r"\s+")
_LARGER = 1.12  # than usual, where a line is a heading
_LONGEST_HEADING = 150
_GAP = 1.75  # line heights between lines of two paragraphs
_LEVELS = 4
_SOFT = "\u00ad"


@dataclass(frozen=True, slots=True)
class Line:
    """Words that stand beside each other; `size` is 0 for a table, which stands as it is."""

    text: str
    size: float
    top: float
    bottom: float


def lines_of(glyphs: Sequence[Glyph], tables: Sequence[tuple[int, str]]) -> Iterator[Line]:
    """The lines in the page's own order, and tables where their first character stood."""
    waiting = list(tables)
    line: list[Glyph] = []
    for at, glyph in enumerate(glyphs):
        while waiting and waiting[0][0] <= at:
            yield from _line(line)
            line = []
            yield Line(waiting.pop(0)[1], 0, 0, 0)
        if glyph.text in "\r\n":
            yield from _line(line)
            line = []
        else:
            line.append(glyph)
    yield from _line(line)
    for _, text in waiting:
        yield Line(text, 0, 0, 0)


def _line(glyphs: Sequence[Glyph]) -> Iterator[Line]:
    text = _SPACE.sub(" ", "".join(one.text for one in glyphs)).strip()
    drawn = [one for one in glyphs if one.drawn]
    if text and drawn:
        size = Counter(round(one.size * 2) / 2 for one in drawn).most_common(1)[0][0]
        yield Line(text, size, max(one.top for one in drawn), min(one.bottom for one in drawn))


def usual_size(lines: Sequence[Line]) -> float:
    """The size most of the text is set in."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text) * (line.size > 0)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def flowed(lines: Sequence[Line], usual: float) -> tuple[str, str | None]:
    """Paragraphs, headings and tables as Markdown, and the first heading."""
    larger = sorted({line.size for line in lines if _is_heading(line, usual)}, reverse=True)
    levels = {size: min(at, _LEVELS) for at, size in enumerate(larger, 1)}
    blocks: list[str] = []
    first = None
    before: Line | None = None
    for line in lines:
        if line.size in levels and _is_heading(line, usual):
            first = first or line.text
            blocks.append(f"{'#' * levels[line.size]} {line.text}")
            before = None
        elif not line.size:
            blocks.append(line.text)
            before = None
        elif before is not None and _goes_on(before, line):
            blocks[-1] = _joined(blocks[-1], line.text)
            before = line
        else:
            blocks.append(_BULLET.sub("- ", line.text))
            before = line
    return "\n\n".join(blocks).replace(_SOFT, ""), first


def _is_heading(line: Line, usual: float) -> bool:
    return line.size >= usual * _LARGER and usual > 0 and len(line.text) <= _LONGEST_HEADING


def _goes_on(above: Line, below: Line) -> bool:
    """Whether a line goes on with the paragraph of the one before it."""
    if _ITEM.match(below.text) or abs(above.size - below.size) > 1:
        return False
    return -below.size < above.bottom - below.top < (_GAP - 1) * below.size * 1.2


def _joined(above: str, below: str) -> str:
    if above.endswith(_SOFT):
        return above[:-1] + below
    return f"{above} {below}"
