"""Rows as Markdown tables, whose head is said again so that each piece stands by itself."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.domain.regex import regex

__all__ = ["cell", "table"]

_SPACE = regex(r"\s+")
_PIECE = 1200  # characters of rows after which the head is said again


def cell(text: str) -> str:
    """Text as it may stand in a cell."""
    return _SPACE.sub(" ", text).strip().replace("|", "\\|")


def table(rows: Sequence[Sequence[str]]) -> str:
    """The first row heads the others; a new table begins, under the same head, where one grows long."""
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    head = [_line(rows[0], width), f"|{' --- |' * width}"]
    lines = list(head)
    size = 0
    for row in rows[1:]:
        if size > _PIECE:
            lines += ["", *head]
            size = 0
        lines.append(_line(row, width))
        size += len(lines[-1])
    return "\n".join(lines)


def _line(row: Sequence[str], width: int) -> str:
    return f"| {' | '.join([*map(cell, row), *[''] * (width - len(row))])} |"
