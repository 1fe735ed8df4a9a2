"""What belongs to an entity: the items that name it, and the claims about it or made in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.claim import Claim
from muniment.claims.naming import read_names
from muniment.claims.read import claims_of_rows, unshadowed
from muniment.domain.names import normal_name
from muniment.domain.record import AssertionRow, ItemRow
from muniment.pages.entities import Entity
from muniment.pages.headed import headed_passages, said_under

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_ITEMS", "claims_about", "is_of_itself", "items_about"]

MOST_ITEMS = 200  # a busy account has thousands; its slots are read whole, its talk only as far back as this


def items_about(reader: Reader, entity: Entity) -> list[ItemRow]:
    """The newest items that name the entity as their account, project, service or title."""
    rows = reader.rows(ItemRow, "pages", "items_about", **entity.parts.bound(entity.names), limit=MOST_ITEMS)
    return unshadowed(reader, rows)


def claims_about(reader: Reader, entity: Entity, items: Sequence[ItemRow]) -> tuple[Claim, ...]:
    """Claims in the entity's slots, and what else these items of its say of anything but themselves."""
    written = sorted({*entity.names, entity.title})
    said = sorted({*written, *(name for name, _ in entity.parts.gained)})
    rows = reader.rows(AssertionRow, "reader", "assertions_of_entities", names=said)
    if items:
        named = [item.item for item in items]
        rows += reader.rows(AssertionRow, "reader", "assertions_of_items", items=named)
    headed = said_under(reader, headed_passages(reader, entity.names, entity.parts))
    rows += headed
    under = {row.assertion for row in headed}
    own = {names.key(name) for names in (read_names(reader, written),) for name in written}
    at_hand = {item.item for item in items}
    claims = (
        claim
        for claim in claims_of_rows(reader, rows, items)
        if any(one.row.assertion in under for one in claim.supports)
        or (not is_of_itself(claim, own) and _belongs(claim, own, at_hand))
    )
    if entity.kind == "person":
        theirs = {normal_name(name) for name in written}
        return tuple(claim for claim in claims if _is_about(claim, own) or _is_word_of(claim, theirs))
    return tuple(claims)


def _belongs(claim: Claim, own: Collection[str], items: Collection[UUID]) -> bool:
    """Whether it is about the entity or said in an item of its: a name may mean another elsewhere."""
    if claim.slot is None or claim.slot.entity in own:
        return True
    return any(one.item.item in items for one in claim.supports)


def _is_about(claim: Claim, own: Collection[str]) -> bool:
    return claim.slot is not None and claim.slot.entity in own


def _is_word_of(claim: Claim, names: Collection[str]) -> bool:
    """Whether somebody of these names said it: others speak in the same meeting."""
    return any(
        normal_name(one.row.stated_by or one.item.author or one.item.author_name or "") in names
        for one in claim.supports
        if one.row.level == "exact"
    )


def is_of_itself(claim: Claim, own: Collection[str]) -> bool:
    """Whether it is a record's word on itself, as the owner of a ticket is."""
    if claim.slot is None or claim.slot.entity in own:
        return False
    return all(
        normal_name(one.item.title or "") == normal_name(one.row.entity or "-") for one in claim.supports
    )
