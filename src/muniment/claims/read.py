"""The claims a reader can see, put together from the rows the gate lets through."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.claim import Claim, Statement, Tie, Ties, is_in_force
from muniment.claims.naming import Names, read_names
from muniment.claims.reconcile import reconcile
from muniment.claims.ties import cut_rings, obeyed
from muniment.domain.record import AssertionRow, EdgeRow, ItemRow
from muniment.domain.times import Period

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "ItemStanding",
    "claims_around",
    "claims_of_entity",
    "claims_of_items",
    "claims_of_rows",
    "conflicts",
    "entities_of",
    "item_periods",
    "items_of",
    "reconciled",
    "statements_of",
    "ties_around",
]


@dataclass(frozen=True, slots=True)
class ItemStanding:
    """When an item as a whole holds for this reader. `valid` None: it was replaced before it took effect."""

    valid: Period | None
    superseded_by: ItemRow | None
    amended_by: tuple[ItemRow, ...]
    status: str | None

    @property
    def is_in_force(self) -> bool:
        """Whether its own metadata lets it rule: a draft or a rejected proposal does not."""
        return is_in_force(self.status)

    def holds(self, as_of: datetime) -> bool:
        """Whether it is neither over nor still to come at the instant."""
        return self.valid is not None and self.valid.holds(as_of)


@dataclass(frozen=True, slots=True)
class _Reached:
    item: UUID


def item_periods(reader: Reader, items: Sequence[ItemRow]) -> dict[UUID, ItemStanding]:
    """How each of the items stands among the visible items that replace or amend it."""
    ties, _ = cut_rings(ties_around(reader, items))
    return {item.item: _standing(item, ties) for item in items}


def _standing(item: ItemRow, ties: Collection[Tie]) -> ItemStanding:
    mine = sorted((tie for tie in ties if tie.target.item == item.item), key=lambda tie: tie.order)
    whole = next((tie for tie in mine if tie.kind == "supersedes"), None)
    amended_by = tuple(tie.actor for tie in mine if tie.kind == "amends")
    ends = [end for end in (item.valid_to, whole.since if whole else None) if end is not None]
    valid = _period(item.valid_from, min(ends, default=None))
    return ItemStanding(valid, whole.actor if whole else None, amended_by, item.status)


def _period(start: datetime | None, end: datetime | None) -> Period | None:
    if start is not None and end is not None and end <= start:
        return None
    return Period(start, end)


def claims_of_items(reader: Reader, items: Sequence[ItemRow]) -> tuple[Claim, ...]:
    """The claims these items support, each reconciled with everything else the reader sees in its slot."""
    if not items:
        return ()
    rows = reader.rows(AssertionRow, "reader", "assertions_of_items", items=[item.item for item in items])
    return claims_of_rows(reader, rows, items)


def claims_around(reader: Reader, items: Sequence[ItemRow]) -> dict[UUID, Claim]:
    """The same by id, and beside them every claim they conflict with or are superseded by."""
    if not items:
        return {}
    rows = reader.rows(AssertionRow, "reader", "assertions_of_items", items=[item.item for item in items])
    names = read_names(reader, entities_of(rows))
    return {
        claim.id: claim for claim in reconciled(reader, [*rows, *_beside(reader, rows, names)], names, items)
    }


def claims_of_entity(reader: Reader, names: Sequence[str]) -> tuple[Claim, ...]:
    """The claims whose slot is about the entity these names mean."""
    known = read_names(reader, names)
    wanted = _written(known, {known.key(name) for name in names}, names)
    rows = reader.rows(AssertionRow, "reader", "assertions_of_entities", names=wanted)
    return reconciled(reader, rows, known, ())


def _written(names: Names, keys: Collection[str], raw: Iterable[str]) -> list[str]:
    """Every way the record may have written these entities: normal names, and the words at hand."""
    return sorted({*names.meaning(keys), *keys, *raw})


def claims_of_rows(
    reader: Reader, rows: Sequence[AssertionRow], items: Sequence[ItemRow] = ()
) -> tuple[Claim, ...]:
    """The claims that rest on one of these rows; `items` are those of their items already at hand."""
    names = read_names(reader, entities_of(rows))
    wanted = {row.assertion for row in rows}
    claims = reconciled(reader, [*rows, *_beside(reader, rows, names)], names, items)
    return tuple(
        claim for claim in claims if any(support.row.assertion in wanted for support in claim.supports)
    )


def entities_of(rows: Iterable[AssertionRow]) -> set[str]:
    """The entities that these rows name, as they name them."""
    return {row.entity for row in rows if row.entity is not None}


def _beside(reader: Reader, rows: Iterable[AssertionRow], names: Names) -> list[AssertionRow]:
    """What else is said in the slots of these rows."""
    slotted = [row for row in rows if row.entity is not None and row.attribute is not None]
    if not slotted:
        return []
    raw = entities_of(slotted)
    written = _written(names, {names.key(name) for name in raw}, raw)
    attributes = sorted({row.attribute for row in slotted if row.attribute is not None})
    return reader.rows(AssertionRow, "claims", "assertions_of_slots", names=written, attributes=attributes)


def conflicts(reader: Reader) -> tuple[tuple[Claim, ...], ...]:
    """Every group of visible claims that contradict each other."""
    rows = reader.rows(AssertionRow, "reader", "assertions_with_slot")
    names = read_names(reader, entities_of(rows))
    claims = {claim.id: claim for claim in reconciled(reader, rows, names, ())}
    groups: list[tuple[Claim, ...]] = []
    seen: set[UUID] = set()
    for claim in claims.values():
        if claim.conflicts_with and claim.id not in seen:
            group = _opponents(claim, claims)
            seen |= {member.id for member in group}
            groups.append(group)
    return tuple(groups)


def _opponents(claim: Claim, claims: Mapping[UUID, Claim]) -> tuple[Claim, ...]:
    """The claim and whatever is linked to it by conflicts."""
    found = {claim.id}
    waiting = [claim]
    while waiting:
        for other in waiting.pop().conflicts_with:
            if other not in found:
                found.add(other)
                waiting.append(claims[other])
    return tuple(claims[member] for member in sorted(found))


def reconciled(
    reader: Reader, rows: Iterable[AssertionRow], names: Names, items: Sequence[ItemRow]
) -> tuple[Claim, ...]:
    """The claims of exactly these rows, by their visible items and the ties between those."""
    statements = statements_of(reader, rows, names, items)
    at_hand = {one.item.item: one.item for one in statements}
    ties = Ties(ties_around(reader, list(at_hand.values())))
    return reconcile(statements, ties, reader.moment.as_of, key=reader.key)


def statements_of(
    reader: Reader, rows: Iterable[AssertionRow], names: Names, items: Sequence[ItemRow] = ()
) -> list[Statement]:
    """The rows whose items can be seen, each with its item and with whom it is about."""
    rows = list(rows)
    at_hand = {item.item: item for item in items}
    missing = sorted({row.item for row in rows} - at_hand.keys())
    at_hand |= {item.item: item for item in items_of(reader, missing)}
    return [
        Statement(row, at_hand[row.item], None if row.entity is None else names.key(row.entity))
        for row in rows
        if row.item in at_hand
    ]


def items_of(reader: Reader, items: Collection[UUID]) -> list[ItemRow]:
    """The visible ones among these items."""
    if not items:
        return []
    if reader.moment.known_at is None:
        return reader.rows(ItemRow, "reader", "items", items=list(items))
    return reader.rows(ItemRow, "reader", "items_then", items=list(items))


def ties_around(reader: Reader, items: Sequence[ItemRow]) -> frozenset[Tie]:
    """The obeyed ties around these items."""
    if not items:
        return frozenset()
    reached = reader.rows(_Reached, "claims", "tied_items", items=[item.item for item in items])
    known = {item.item: item for item in items}
    others = sorted({one.item for one in reached} - known.keys())
    every = [*known.values(), *items_of(reader, others)]
    edges = reader.rows(EdgeRow, "claims", "ties_of_items", items=[item.item for item in every])
    return obeyed(edges, every)
