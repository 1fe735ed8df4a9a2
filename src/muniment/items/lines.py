"""A body as lines with their offsets, and stretches of lines that are code."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.domain.lines import Line, Range, lines
from muniment.domain.regex import regex

__all__ = ["Line", "Range", "fenced", "lines", "outside"]

_FENCE = regex(r" {0,3}(`{3,}|~{3,})(.*)")


def fenced(rows: Sequence[Line], *, unclosed: bool) -> list[Range]:
    """Code between fences; `unclosed` says whether a fence nobody closed reaches the end, as in Markdown."""
    found: list[Range] = []
    opened: tuple[int, str] | None = None
    for row in rows:
        match = _FENCE.match(row.text) if row.text.lstrip(" ")[:1] in ("`", "~") else None
        if match is None:
            continue
        if opened is None:
            if "`" not in match[2] or match[1][0] == "~":
                opened = row.start, match[1]
        elif match[1].startswith(opened[1]) and not match[2].strip():
            found.append((opened[0], row.end))
            opened = None
    if opened is not None and unclosed:
        found.append((opened[0], rows[-1].end))
    return found


def outside(rows: Sequence[Line], ranges: Sequence[Range]) -> list[Line]:
    """The lines that start in none of the ranges."""
    left = []
    waiting = sorted(ranges)
    at = 0
    reach = -1
    for row in rows:
        while at < len(waiting) and waiting[at][0] <= row.start:
            reach = max(reach, waiting[at][1])
            at += 1
        if row.start >= reach:
            left.append(row)
    return left
