"""Rows of a table say one thing each of a cell: the row's name, the column's name, the value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.assertions.nouns import read_entry
from muniment.assertions.periods import is_period, normal_period
from muniment.assertions.reading import entity_of
from muniment.assertions.slots import Reading
from muniment.assertions.subjects import Said, read_subject
from muniment.assertions.terms import Mention, find_terms
from muniment.domain.assertions import Context, Slot, Term
from muniment.domain.regex import regex

__all__ = ["headers_of", "read_row", "row_period"]

_RULE = regex(r"^\|?[ :|-]*-{2,}[ :|-]*\|?$")
_WORDY = regex(r"[^\W\d_]{2}")
_MAX_CELLS = 12
# A first column of this name holds the values, and the second what they are of.
_FIGURE = regex("figure|amount|sum|value|number|limit|数值|金额|数额", re.IGNORECASE)
_FROM = regex(
    r"(?:effective|valid|in force|applies|applicable)?(?: from| since| as of| date)?|start(?: date)?"
    "|生效(?:日期|时间)?|起始(?:日期)?|开始日期",
    re.IGNORECASE,
)
_TO = regex(
    r"(?:valid |effective |applies )?(?:until|to|through)|expir(?:es|y)(?: date)?|end(?: date)?"
    "|失效(?:日期)?|截止(?:日期)?|有效期至",
    re.IGNORECASE,
)


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


def row_period(row: str, header: tuple[str, ...]) -> tuple[Term, ...]:
    """From when and until when the row holds, where columns say so."""
    cells = _cells(row)
    if len(cells) < 3 or len(header) != len(cells) or cells == header:
        return ()
    kinds = [_bound(column) for column in header]
    mentions = [(kind, _whole_cell(cell)) for kind, cell in zip(kinds, cells, strict=True) if kind]
    return tuple(
        Term(kind, mention.term.text, mention.term.value)
        for kind, mention in mentions
        if mention is not None and mention.term.kind == "date"
    )


def _bound(column: str) -> str | None:
    """What a column of dates tells of its rows."""
    if not column.strip():
        return None
    return (
        "effective" if _FROM.fullmatch(column.strip()) else "until" if _TO.fullmatch(column.strip()) else None
    )


def _readings(cells: tuple[str, ...], header: tuple[str, ...], context: Context) -> Iterator[Reading]:
    wide = len(cells) > 2
    if not wide and not _WORDY.search(cells[0]):
        return
    if wide and (len(header) != len(cells) or len(set(header)) < len(header)):
        return
    if wide and _bound(header[0]):
        yield from _of_dated_row(cells, header, context)
        return
    if not wide and header[:1] and _FIGURE.fullmatch(header[0]):
        cells = cells[::-1]
    row = cells[0] if _WORDY.search(cells[0]) or not header else f"{header[0]} {cells[0]}"
    for place, cell in enumerate(cells[1:], start=1):
        mention = _whole_cell(cell)
        words, narrowed = _named(header[place], row) if wide else (cells[0], None)
        said = mention and (read_subject if wide else read_entry)(words, mention, context)
        if said and (entity := said.entity or entity_of(context)):
            yield _reading(said, entity, narrowed)


def _of_dated_row(cells: tuple[str, ...], header: tuple[str, ...], context: Context) -> Iterator[Reading]:
    """Under a date a row has no other name: each cell is the column's value from then on."""
    for column, cell in zip(header[1:], cells[1:], strict=True):
        mention = None if _bound(column) else _whole_cell(cell)
        said = mention and read_subject(column, mention, context)
        if said and (entity := said.entity or entity_of(context)):
            yield _reading(said, entity, None)


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
