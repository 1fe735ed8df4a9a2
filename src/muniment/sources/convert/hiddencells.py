"""Which rows and columns of a workbook are hidden: what openpyxl does not say where it only reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from muniment.sources.convert.ooxml import Package

__all__ = ["Hidden", "hidden_of"]

_BOOK = "xl/workbook.xml"
_ON = ("1", "true")
_MOST_COLUMNS = 16_384


@dataclass(frozen=True, slots=True)
class Hidden:
    """Rows and columns by number from 1, and how many formulas were saved without what they give."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    unvalued: int = 0

    def why(self, row: int, column: int) -> str | None:
        """What hides a cell, if anything does."""
        if row in self.rows:
            return "hidden row"
        return "hidden column" if column in self.columns else None


def hidden_of(package: Package) -> Mapping[str, Hidden]:
    """For each sheet by its name."""
    book = package.xml(_BOOK)
    leads = package.targets(_BOOK)
    found: dict[str, Hidden] = {}
    for sheet in () if book is None else book.iter():
        if _named(sheet) == "sheet":
            relation = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
            found[sheet.get("name", "")] = _of_sheet(package, leads.get(relation, ""))
    return found


def _named(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _of_sheet(package: Package, part: str) -> Hidden:
    """Read piece by piece: a sheet may be larger than a process should hold."""
    if part not in package.archive.namelist():
        return Hidden()
    found = _Found()
    with package.archive.open(part) as raw:
        for event, one in ET.iterparse(raw, events=("start", "end")):  # noqa: S314  # as `Package.xml`
            found.hear(one, ends=event == "end")
    return Hidden(frozenset(found.rows), frozenset(found.columns), found.unvalued)


@dataclass(slots=True)
class _Found:
    """What a sheet's elements have said so far."""

    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    unvalued: int = 0
    number: int = 0

    def hear(self, one: ET.Element, *, ends: bool) -> None:
        """An element begins, or ends with everything in it."""
        match _named(one):
            case "row" if not ends:
                self.number = int(one.get("r") or self.number + 1)
                self.rows.update([self.number] if one.get("hidden") in _ON else [])
            case "col" if ends and one.get("hidden") in _ON:
                last = min(int(one.get("max", 1)), _MOST_COLUMNS)
                self.columns.update(range(int(one.get("min", 1)), last + 1))
            case "c" if ends:
                self.unvalued += _is_unvalued(one)
                one.clear()
            case "row":
                one.clear()
            case _:
                pass


def _is_unvalued(cell: ET.Element) -> bool:
    parts = {_named(one): one for one in cell}
    value = parts.get("v")
    return "f" in parts and (value is None or not value.text) and "is" not in parts
