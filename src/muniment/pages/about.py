"""What belongs to an entity: the items that name it, and the claims about it or made in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from muniment.claims.claim import Claim
from muniment.claims.read import claims_of_rows
from muniment.domain.record import AssertionRow, ItemRow
from muniment.pages.entities import Entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_ITEMS", "claims_about", "items_about"]

MOST_ITEMS = 200  # a busy account has thousands; its slots are read whole, its talk only as far back as this


def items_about(reader: Reader, entity: Entity) -> list[ItemRow]:
    """The newest items that name the entity as their account, project, service or title."""
    return reader.rows(ItemRow, "pages", "items_about", names=list(entity.names), limit=MOST_ITEMS)


def claims_about(reader: Reader, entity: Entity, items: Sequence[ItemRow]) -> tuple[Claim, ...]:
    """Claims in the entity's slots, and what else these items of its say."""
    written = sorted({*entity.names, entity.title})
    rows = reader.rows(AssertionRow, "reader", "assertions_of_entities", names=written)
    if items:
        named = [item.item for item in items]
        rows += reader.rows(AssertionRow, "reader", "assertions_of_items", items=named)
    return claims_of_rows(reader, rows, items)
