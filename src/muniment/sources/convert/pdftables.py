"""Tables on a PDF page, where rules are drawn between their cells. Without rules a table is read as lines."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pypdfium2 import raw

from muniment.sources.convert.markdown import table
from muniment.sources.convert.pdfseen import Glyph

__all__ = ["tabled"]

_THIN = 2.5  # points: a path no wider is a rule
_NEAR = 2.5  # points: rules that close are one
_MOST_RULES = 1000
_SMALLEST = 4  # points, of a cell

Box = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the rules of one table stand, from left and from bottom."""

    across: list[float]
    up: list[float]

    def cell(self, glyph: Glyph) -> tuple[int, int] | None:
        """Row from the top and column of a character; None where it stands outside."""
        x, y = (glyph.left + glyph.right) / 2, (glyph.bottom + glyph.top) / 2
        column, row = bisect_right(self.across, x) - 1, bisect_right(self.up, y) - 1
        if 0 <= column < len(self.across) - 1 and 0 <= row < len(self.up) - 1:
            return len(self.up) - 2 - row, column
        return None


def tabled(page: Any, glyphs: Sequence[Glyph]) -> tuple[list[tuple[int, str]], list[Glyph]]:
    """Each table with the place, among the other characters, where it began; and those others."""
    grids = list(_grids(_rules(page)))
    cells: list[dict[tuple[int, int], list[str]]] = [{} for _ in grids]
    begins: dict[int, int] = {}
    rest: list[Glyph] = []
    inside: tuple[int, tuple[int, int]] | None = None
    for glyph in glyphs:
        if glyph.drawn:
            inside = _where(grids, glyph)
        if inside is None:
            rest.append(glyph)
            continue
        at, cell = inside
        begins.setdefault(at, len(rest))
        cells[at].setdefault(cell, []).append(" " if glyph.text in "\r\n" else glyph.text)
    tables = [(place, _written(grids[at], cells[at])) for at, place in begins.items()]
    return sorted(tables), rest


def _where(grids: Sequence[_Grid], glyph: Glyph) -> tuple[int, tuple[int, int]] | None:
    found = ((at, grid.cell(glyph)) for at, grid in enumerate(grids))
    return next(((at, cell) for at, cell in found if cell is not None), None)


def _written(grid: _Grid, cells: dict[tuple[int, int], list[str]]) -> str:
    """Rows that hold anything."""
    rows = [
        ["".join(cells.get((row, column), [])) for column in range(len(grid.across) - 1)]
        for row in range(len(grid.up) - 1)
    ]
    return table([row for row in rows if any(one.strip() for one in row)])


def _rules(page: Any) -> list[Box]:
    """Thin paths, and the four sides of boxes."""
    found: list[Box] = []
    for at in range(raw.FPDFPage_CountObjects(page)):
        drawn = raw.FPDFPage_GetObject(page, at)
        if raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_PATH and len(found) < _MOST_RULES:
            found += _sides(_bounds(drawn))
    return found


def _bounds(drawn: Any) -> Box:
    parts = [ctypes.c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(drawn, *map(ctypes.byref, parts))
    left, bottom, right, top = (one.value for one in parts)
    return left, bottom, right, top


def _sides(box: Box) -> list[Box]:
    left, bottom, right, top = box
    if right - left <= _THIN or top - bottom <= _THIN:
        return [box]
    return [
        (left, bottom, right, bottom),
        (left, top, right, top),
        (left, bottom, left, top),
        (right, bottom, right, top),
    ]


def _grids(rules: Sequence[Box]) -> Iterator[_Grid]:
    """Rules that touch each other, where they part at least two columns and two rows."""
    for group in _touching(rules):
        across = _places([(one[0] + one[2]) / 2 for one in group if one[2] - one[0] <= _THIN])
        up = _places([(one[1] + one[3]) / 2 for one in group if one[3] - one[1] <= _THIN])
        if len(across) > 2 and len(up) > 2:
            yield _Grid(across, up)


def _touching(rules: Sequence[Box]) -> list[list[Box]]:
    """Groups of rules of which each touches another."""
    groups: list[list[Box]] = []
    for rule in rules:
        near = [group for group in groups if any(_touch(one, rule) for one in group)]
        groups = [group for group in groups if group not in near]
        groups.append([rule, *(one for group in near for one in group)])
    return groups


def _touch(one: Box, other: Box) -> bool:
    return not (
        one[0] > other[2] + _NEAR
        or other[0] > one[2] + _NEAR
        or one[1] > other[3] + _NEAR
        or other[1] > one[3] + _NEAR
    )


def _places(found: Sequence[float]) -> list[float]:
    """Positions in order, those closer than a cell as one."""
    places: list[float] = []
    for one in sorted(found):
        if not places or one - places[-1] > _SMALLEST:
            places.append(one)
    return places
