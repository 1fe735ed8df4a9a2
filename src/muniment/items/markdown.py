"""Markdown's headings.

Follows CommonMark 0.31 for ATX and setext headings. A setext heading takes one line of
text, since a rule under a paragraph is more often meant as a rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from muniment.domain.regex import regex
from muniment.items.headings import Mark
from muniment.items.lines import Line, Range, outside

__all__ = ["headings"]

_ATX = regex(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = regex(r" {0,3}(?:=+|-{2,})[ \t]*\Z")
_ELEMENT = regex(r" {0,3}<h([1-6])\b[^>]*>(.*?)</h\1>\s*\Z", re.IGNORECASE)
_TAG = regex(r"<[^<>]*>")
_ANCHOR = regex(r"\{[#:.][^{}]*\}\Z")
_NOT_A_TITLE = regex(r"\s*(?:[>|<]|[-*+]\s|\d+[.)]\s|#{1,6}\s|```|~~~|\[\w|\Z)| {4}|\t")


def headings(rows: Sequence[Line], unseen: Sequence[Range]) -> list[Mark]:
    """Headings outside code and comments, in order."""
    found: list[Mark] = []
    before = above = Line(0, 0, "")
    for row in outside(rows, unseen):
        mark = _heading(before, above, row)
        if mark is not None:
            found.append(mark)
        before, above = above, (row if mark is None else Line(row.start, row.end, ""))
    return found


def _heading(before: Line, above: Line, row: Line) -> Mark | None:
    first = row.text.lstrip(" ")[:1]
    if first == "#":
        match = _ATX.match(row.text)
        return (
            None
            if match is None
            else Mark(row.start, row.end, len(match[1]), _closed(row.text[match.end() :]))
        )
    if first == "<":
        match = _ELEMENT.match(row.text)
        return (
            None if match is None else Mark(row.start, row.end, int(match[1]), _title(_TAG.sub("", match[2])))
        )
    if first in ("=", "-") and _UNDERLINE.match(row.text) and _carries_title(before, above, row):
        return Mark(above.start, row.end, 1 if first == "=" else 2, _title(above.text))
    return None


def _carries_title(before: Line, above: Line, row: Line) -> bool:
    alone = not before.text.strip() or not _touch(before, above)
    return alone and _touch(above, row) and not _NOT_A_TITLE.match(above.text)


def _touch(above: Line, below: Line) -> bool:
    """Whether one line follows the other, with no code or comment left out between."""
    return above.start < below.start <= above.end + 1


def _closed(text: str) -> str:
    """A title without the marks that may close it."""
    bare = text.strip().rstrip("#")
    return _title(bare if not bare or bare[-1].isspace() else text)


def _title(text: str) -> str:
    text = text.strip()
    anchor = _ANCHOR.match(text, max(text.rfind("{"), 0)) if text.endswith("}") else None
    return text if anchor is None else text[: anchor.start()].rstrip()
