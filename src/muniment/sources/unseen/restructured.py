"""Comments of reStructuredText, as docutils reads them."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.domain.lines import Line, Range, lines
from muniment.domain.regex import regex

__all__ = ["unseen"]

_MARKUP = regex(r"\.\.(?:[ \t]+|\Z)")
_CONSTRUCT = regex(r"(?:_|__|\[[^\]]+\]|\|[^|]+\|)[ \t:]*|[\w.+:-]+[ \t]?::")


def unseen(body: str) -> list[Range]:
    """Explicit markup that is no construct: a comment, with the indented lines under it."""
    rows = lines(body)
    found: list[Range] = []
    at = 0
    while at < len(rows):
        match = _MARKUP.match(rows[at].text)
        if match is None or _CONSTRUCT.match(rows[at].text, match.end()):
            at += 1
            continue
        last = _indented(rows, at)
        if last > at or rows[at].text[match.end() :].strip():
            found.append((rows[at].start, rows[last].end))
        at = last + 1
    return found


def _indented(rows: Sequence[Line], at: int) -> int:
    """The last line of the block under a line. An empty comment takes nothing after a blank line."""
    last = at
    empty = rows[at].text.strip() == ".."
    for number, row in enumerate(rows[at + 1 :], start=at + 1):
        if not row.text.strip():
            if empty and last == at:
                break
            continue
        if not row.text[0].isspace():
            break
        last = number
    return last
