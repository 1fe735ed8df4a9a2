"""Rows in columns: drawn by rich on a terminal, aligned with spaces where something else reads them."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

from muniment.surfaces.cli.out import one_line, put

__all__ = ["aligned", "put_table"]

_GAP = "  "


def put_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The rows under their heads; nothing at all where there are none."""
    plain = [[one_line(cell) for cell in row] for row in rows]
    if not plain:
        return
    if sys.stdout.isatty():
        _draw(heads, plain)
    else:
        put(aligned(heads, plain))


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell on screen, where a Chinese character takes two places."""
    table = [[head.upper() for head in heads], *rows]
    widths = [max(_width(row[column]) for row in table) for column in range(len(heads))]
    return "\n".join(_joined(row, widths) for row in table)


def _joined(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return _GAP.join(cells).rstrip()


def _width(text: str) -> int:
    return sum(_places(char) for char in text)


def _places(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _draw(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    # Here, because rich takes longer to import than most commands take to answer.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    filled = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    for column in filled:
        table.add_column(heads[column], overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[column]) for column in filled))
    Console().print(table)
