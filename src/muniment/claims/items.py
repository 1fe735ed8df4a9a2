"""The items and statements that one reader sees, before they are reconciled."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.naming import Names, read_names
from muniment.domain.record import AssertionRow, ItemRow

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["beside", "entities_of", "items_of", "unshadowed"]


def entities_of(rows: Iterable[AssertionRow]) -> set[str]:
    """The entities that these rows name, as they name them."""
    return {row.entity for row in rows if row.entity is not None}


def beside(reader: Reader, rows: Iterable[AssertionRow], names: Names) -> list[AssertionRow]:
    """What else is said in the slots of these rows."""
    slotted = [row for row in rows if row.entity is not None and row.attribute is not None]
    if not slotted:
        return []
    raw = entities_of(slotted)
    written = _written(names, {names.key(name) for name in raw}, raw)
    attributes = sorted({row.attribute for row in slotted if row.attribute is not None})
    return reader.rows(AssertionRow, "claims", "assertions_of_slots", names=written, attributes=attributes)


def _written(names: Names, keys: Collection[str], raw: Iterable[str]) -> list[str]:
    """Every way the record may have written these entities: normal names, and the words at hand."""
    return sorted({*names.spoken(keys), *keys, *raw})


def items_of(reader: Reader, items: Collection[UUID]) -> list[ItemRow]:
    """The visible ones among these items."""
    if not items:
        return []
    if reader.moment.known_at is None:
        return unshadowed(reader, reader.rows(ItemRow, "reader", "items", items=list(items)))
    return unshadowed(reader, reader.rows(ItemRow, "reader", "items_then", items=list(items)))


def unshadowed(reader: Reader, items: list[ItemRow]) -> list[ItemRow]:
    """The items without the levels of slots in which this reader sees an exact value: that one counts."""
    levels = [item.item for item in items if item.level != "exact"]
    if not levels:
        return items
    rows = reader.rows(AssertionRow, "reader", "assertions_of_items", items=levels)
    names = read_names(reader, entities_of(rows))
    exact = {_slot(row, names) for row in beside(reader, rows, names) if row.level == "exact"}
    shadowed = {row.item for row in rows if _slot(row, names) in exact}
    return [item for item in items if item.item not in shadowed]


def _slot(row: AssertionRow, names: Names) -> tuple[str, str | None, str | None]:
    return names.key(row.entity or ""), row.attribute, row.qualifier
