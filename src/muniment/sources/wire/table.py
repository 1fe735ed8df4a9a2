"""CSV as tools export it: with or without a byte order mark, cells with line ends, headers that repeat."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from muniment.domain.errors import Malformed

__all__ = ["Row", "rows"]

_CELL = 8_000_000  # characters of one cell: more than any body may have


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table; a column that stands there several times has several values."""

    number: int
    cells: Mapping[str, Sequence[str]]

    def get(self, *columns: str) -> str | None:
        """The first value that is not empty, under the first of these columns that has one."""
        for column in columns:
            for value in self.cells.get(column.casefold(), ()):
                if value.strip():
                    return value
        return None

    def every(self, column: str) -> list[str]:
        """All values that are not empty."""
        return [value for value in self.cells.get(column.casefold(), ()) if value.strip()]


def rows(raw: bytes) -> Iterator[Row]:
    """The lines under the header. Malformed where it is no CSV from here on."""
    text = raw.decode("utf-8-sig", "replace").replace("\0", "")
    csv.field_size_limit(_CELL)
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip().casefold() for name in next(reader, [])]
        for number, line in enumerate(reader, 2):
            if any(cell.strip() for cell in line):
                yield Row(number, _cells(header, line))
    except csv.Error as error:
        raise Malformed(f"not CSV: {error}") from None


def _cells(header: Sequence[str], line: Sequence[str]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for name, cell in zip(header, line, strict=False):
        found.setdefault(name, []).append(cell)
    return found
