"""Rows of a table say one thing each of a cell: the row's name, the column's name, the value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.assertions.periods import is_period, normal_period
from muniment.assertions.reading import entity_of
from muniment.assertions.slots import Reading
from muniment.assertions.subjects import Said, read_subject
from muniment.assertions.terms import Mention, find_terms
from muniment.domain.assertions import Context, Slot

__all__ = ["headers_of", "read_row"]

_RULE = re.compile(r"^\|?[ :|-]*-{2,}[ :|-]*\|?$")
_WORDY = re.compile(r"[^\W\d_]{2}")
_MAX_CELLS = 12


def headers_of(text: str) -> dict[int, tuple[str, ...]]:
    """Where each row of a table begins, and the cells over its ruler; without a ruler there is no table."""
    found: dict[int, tuple[str, ...]] = {}
    header: tuple[str, ...] = ()
    start, last = 0, ""
    for line in text.split("\n"):
        if "|" not in line:
            header = ()
        elif _RULE.match(line.strip()):
            header = _cells(last)
        elif header:
            found[start + len(line) - len(line.lstrip())] = header
        start, last = start + len(line) + 1, line
    return found


def read_row(row: str, header: tuple[str, ...], context: Context) -> tuple[Reading, ...]:
    """Two cells are attribute and value; more are read under their header."""
    cells = _cells(row)
    if not 2 <= len(cells) <= _MAX_CELLS or _RULE.match(row.strip()) or cells == header:
        return ()
    return tuple(_readings(cells, header, context))


def _readings(cells: tuple[str, ...], header: tuple[str, ...], context: Context) -> Iterator[Reading]:
    wide = len(cells) > 2
    if not wide and not _WORDY.search(cells[0]):
        return
    if wide and (len(header) != len(cells) or len(set(header)) < len(header)):
        return
    row = cells[0] if _WORDY.search(cells[0]) or not header else f"{header[0]} {cells[0]}"
    for place, cell in enumerate(cells[1:], start=1):
        mention = _whole_cell(cell)
        words, narrowed = _named(header[place], row) if wide else (cells[0], None)
        said = mention and read_subject(words, mention, context)
        if said and (entity := said.entity or entity_of(context)):
            yield _reading(said, entity, narrowed)


def _named(column: str, row: str) -> tuple[str, str]:
    """What a cell says, and of what: under a month or a quarter the row names the attribute."""
    return (row, column) if is_period(column) else (column, row)


def _reading(said: Said, entity: str, row: str | None) -> Reading:
    qualifier = ", ".join(part for part in (row and normal_period(row), said.qualifier) if part) or None
    return Reading(Slot(entity, said.attribute, qualifier), said.value)


def _whole_cell(cell: str) -> Mention | None:
    """The term that fills a cell: half a cell is a remark, not a value."""
    found = find_terms(f"status: {cell}")
    whole = (mention for mention in found if mention.start == 8 and mention.end == 8 + len(cell))
    return next((mention for mention in whole if not mention.term.value.startswith("relative:")), None)


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip().strip("*`") for cell in row.strip().strip("|").split("|"))
