"""What belongs to an entity: the items that name it, and the claims about it or made in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from muniment.claims.claim import Claim
from muniment.claims.naming import read_names
from muniment.claims.read import claims_of_rows
from muniment.domain.names import normal_name
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
    """Claims in the entity's slots, and what else these items of its say of anything but themselves."""
    written = sorted({*entity.names, entity.title})
    rows = reader.rows(AssertionRow, "reader", "assertions_of_entities", names=written)
    if items:
        named = [item.item for item in items]
        rows += reader.rows(AssertionRow, "reader", "assertions_of_items", items=named)
    own = {names.key(name) for names in (read_names(reader, written),) for name in written}
    return tuple(claim for claim in claims_of_rows(reader, rows, items) if not _is_of_itself(claim, own))


def _is_of_itself(claim: Claim, own: Collection[str]) -> bool:
    """Whether it is a record's word on itself, as the owner of a ticket is."""
    if claim.slot is None or claim.slot.entity in own:
        return False
    return all(
        normal_name(one.item.title or "") == normal_name(one.row.entity or "-") for one in claim.supports
    )
