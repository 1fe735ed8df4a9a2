"""Excel workbooks: each visible sheet as tables, and apart from them what its author hid."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from muniment.sources.convert.hiddencells import Hidden, hidden_of
from muniment.sources.convert.made import Apart, Failed, Limits, Made
from muniment.sources.convert.markdown import table
from muniment.sources.convert.ooxml import Package, open_package, properties_of

__all__ = ["read"]

_MOST_CELLS = 2_000_000
_BLANK_ROWS = 1000  # that follow each other: after them nobody has written
_SHOWS_NOTHING = ";;;"  # a number format that shows nothing
_WHITE = ("FFFFFFFF", "00FFFFFF")

Row = list[str]


@dataclass(slots=True)
class _Sheet:
    """What one sheet shows, row by row, and what it holds besides."""

    rows: list[Row] = field(default_factory=list)
    apart: list[Apart] = field(default_factory=list)


def read(data: bytes, limits: Limits) -> Made | Failed:
    """The workbook as Markdown."""
    package = open_package(data, limits)
    if isinstance(package, Failed):
        return package
    # Heavy, and of the extra `docs`: imported where a workbook is read.
    from openpyxl import load_workbook  # noqa: PLC0415  # the reason above

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    hidden = hidden_of(package)
    parts: list[str] = []
    apart: list[Apart] = []
    left = _MOST_CELLS
    for sheet in book.worksheets:
        found = _read(sheet, hidden.get(sheet.title, Hidden()), left)
        left -= sum(len(row) for row in found.rows)
        if left <= 0:
            return Failed(f"it has more than {_MOST_CELLS} cells")
        apart += found.apart
        if sheet.sheet_state != "visible":
            apart += _whole(sheet.title, found.rows)
        elif text := _tables(found.rows):
            parts.append(f"## {sheet.title}\n\n{text}\n")
    apart += _comments(package)
    return Made("\n".join(parts), None, {"properties": properties_of(package)}, _notes(hidden), tuple(apart))


def _notes(hidden: Mapping[str, Hidden]) -> tuple[str, ...]:
    unvalued = sum(one.unvalued for one in hidden.values())
    return (f"{unvalued} formulas have no stored value: open and save it in Excel",) if unvalued else ()


def _read(sheet: Any, hidden: Hidden, most: int) -> _Sheet:
    found = _Sheet()
    blank = seen = 0
    for number, cells in enumerate(sheet.iter_rows(), 1):
        seen += len(cells)
        blank = 0 if any(cell.value is not None for cell in cells) else blank + 1
        if blank > _BLANK_ROWS or seen > most + _BLANK_ROWS:
            break
        _take(found, number, cells, hidden, sheet.title)
    return found


def _take(found: _Sheet, number: int, cells: Sequence[Any], hidden: Hidden, title: str) -> None:
    """One row: what it shows, and apart its cells in hidden rows and columns, and those that look empty."""
    shown: Row = []
    kept: dict[str, list[str]] = {}
    for column, cell in enumerate(cells, 1):
        text = _written(cell)
        why = hidden.why(number, column) or ("hidden cell" if text and _looks_empty(cell) else None)
        shown.append(text if why is None else "")
        if why is not None and text:
            kept.setdefault(why, []).append(text)
    found.rows.append(shown)
    found.apart += [
        Apart(why, f"sheet {title!r}, row {number}", " | ".join(texts)) for why, texts in kept.items()
    ]


def _looks_empty(cell: Any) -> bool:
    if cell.number_format == _SHOWS_NOTHING:
        return True
    colour = cell.font.color if cell.font is not None else None
    white = colour is not None and colour.type == "rgb" and colour.rgb in _WHITE
    return bool(white and (cell.fill is None or cell.fill.fill_type is None))


def _written(cell: Any) -> str:
    value = cell.value
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case datetime():
            midnight = not (value.hour or value.minute or value.second)
            return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case int() | float():
            return _number(float(value), str(cell.number_format or ""))
        case _:
            return " ".join(str(value).split())


def _number(value: float, form: str) -> str:
    percent = form.rstrip().endswith("%")
    shown = round(value * 100, 6) if percent else value
    text = f"{shown:.15g}" if abs(shown) < 1e15 else f"{shown:g}"
    return text + "%" * percent


def _whole(title: str, rows: Sequence[Row]) -> Iterator[Apart]:
    """A hidden sheet, row by row as far as metadata holds it."""
    for number, row in enumerate(rows, 1):
        if any(row):
            yield Apart(
                "hidden sheet", f"sheet {title!r}, row {number}", " | ".join(one for one in row if one)
            )


def _tables(rows: Sequence[Row]) -> str:
    """Tables, each between blank rows; a row of one cell is a line of text."""
    return "\n\n".join(_block(block) for block in _blocks(rows))


def _blocks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows that follow each other; a lone cell above a table is a block of its own."""
    block: list[Row] = []
    for row in [*rows, []]:
        if any(row) and (not block or _width(block) > 1 or _width([row]) == 1):
            block.append(row)
            continue
        if block:
            yield block
        block = [row] if any(row) else []


def _width(block: Sequence[Row]) -> int:
    return max(sum(1 for one in row if one) for row in block)


def _block(block: list[Row]) -> str:
    if _width(block) == 1:
        return "\n".join(one for row in block for one in row if one)
    widest = max(len(row) for row in block)
    columns = [at for at in range(widest) if any(at < len(row) and row[at] for row in block)]
    return table([[row[at] if at < len(row) else "" for at in columns] for row in block])


def _comments(package: Package) -> Iterator[Apart]:
    for name in (*package.names("xl/comments"), *package.names("xl/threadedComments/")):
        root = package.xml(name)
        for one in () if root is None else root.iter():
            if one.tag.rpartition("}")[2] in ("comment", "threadedComment"):
                yield Apart("comment", f"cell {one.get('ref', '?')}", "".join(one.itertext()))
