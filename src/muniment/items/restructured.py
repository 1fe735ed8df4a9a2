"""reStructuredText as far as structure needs it: section titles.

Follows docutils: the order in which adornments first appear is their depth, and an overline makes another
one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from muniment.domain.regex import regex
from muniment.items.headings import Mark
from muniment.items.lines import Line

__all__ = ["headings"]

_ADORNMENT = regex(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\Z")
_SHORT_BUT_TAKEN = 4  # docutils takes an underline of four characters for any title, with a warning


def headings(rows: Sequence[Line]) -> list[Mark]:
    """Section titles in order, each with the depth of its adornment."""
    found: list[Mark] = []
    styles: list[str] = []
    for at, row in enumerate(rows[1:], start=1):
        if _ADORNMENT.match(row.text) and _underlines(rows, at):
            style, first = _style(rows, at)
            if style not in styles:
                styles.append(style)
            title = rows[at - 1].text.strip()
            found.append(Mark(first.start, row.end, styles.index(style) + 1, title))
    return found


def _underlines(rows: Sequence[Line], at: int) -> bool:
    title = rows[at - 1].text.rstrip()
    if not title or _ADORNMENT.match(title):
        return False
    above = rows[at - 2].text if at > 1 else ""
    overlined = above.rstrip() == rows[at].text.rstrip()
    if above.strip() and not overlined:
        return False
    line = len(rows[at].text.rstrip())
    return (overlined or not title[0].isspace()) and (_width(title) <= line or line >= _SHORT_BUT_TAKEN)


def _style(rows: Sequence[Line], at: int) -> tuple[str, Line]:
    """The adornment as docutils tells them apart, and the title's first line."""
    mark = rows[at].text[0]
    if at > 1 and rows[at - 2].text.rstrip() == rows[at].text.rstrip():
        return mark * 2, rows[at - 2]
    return mark, rows[at - 1]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
