"""A text as lines with their offsets."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Line", "Range", "lines"]

Range = tuple[int, int]


class Line(NamedTuple):
    """Characters [start, end) without the line's end; `text` is without a carriage return."""

    start: int
    end: int
    text: str


def lines(body: str, start: int = 0, end: int | None = None) -> list[Line]:
    """The lines of a stretch of the body. Only a line feed ends one."""
    found = []
    for text in body[start:end].split("\n"):
        found.append(Line(start, start + len(text), text.rstrip("\r")))
        start += len(text) + 1
    return found
