"""The claims a reader can see, put together from the rows the gate lets through."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.claim import Claim, Statement, Tie, Ties, is_in_force
from muniment.claims.copies import as_heard
from muniment.claims.items import beside, entities_of, items_of, unshadowed
from muniment.claims.naming import Names, read_names
from muniment.claims.reconcile import reconcile
from muniment.claims.references import stated_ties
from muniment.claims.settled import settled_among
from muniment.claims.ties import cut_rings, obeyed
from muniment.domain.record import AssertionRow, EdgeRow, ItemRow
from muniment.domain.times import Period

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "ItemStanding",
    "claims_around",
    "claims_of_items",
    "claims_of_rows",
    "conflicts",
    "entities_of",
    "item_periods",
    "items_of",
    "reconciled",
    "statements_of",
    "ties_around",
    "unshadowed",
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
        claim.id: claim for claim in reconciled(reader, [*rows, *beside(reader, rows, names)], names, items)
    }


def claims_of_rows(
    reader: Reader, rows: Sequence[AssertionRow], items: Sequence[ItemRow] = ()
) -> tuple[Claim, ...]:
    """The claims that rest on one of these rows; `items` are those of their items already at hand."""
    names = read_names(reader, entities_of(rows))
    wanted = {row.assertion for row in rows}
    every = {_of_row(row): row for row in (*rows, *beside(reader, rows, names))}
    claims = reconciled(reader, list(every.values()), names, items)
    return tuple(
        claim for claim in claims if any(support.row.assertion in wanted for support in claim.supports)
    )


def _of_row(row: AssertionRow) -> tuple[UUID, datetime, datetime | None]:
    """Which stretch of which assertion it is; the same one may be read more than once."""
    return row.assertion, row.known_from, row.valid_from


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
    settled = settled_among(reader, (one.row for one in statements))
    ties = Ties(ties_around(reader, list(at_hand.values())), settled)
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
        Statement(row, at_hand[row.item], _about(names, row, at_hand[row.item]))
        for row in as_heard(reader, rows, at_hand)
        if row.item in at_hand
    ]


def _about(names: Names, row: AssertionRow, item: ItemRow) -> str | None:
    return None if row.entity is None else names.key_in(row.entity, item)


def ties_around(reader: Reader, items: Sequence[ItemRow]) -> frozenset[Tie]:
    """The obeyed ties around these items: those declared, and those their texts state."""
    if not items or not reader.sight.ties:
        return frozenset()
    reached = reader.rows(_Reached, "claims", "tied_items", items=[item.item for item in items])
    known = {item.item: item for item in items}
    others = sorted({one.item for one in reached} - known.keys())
    every = [*known.values(), *items_of(reader, others)]
    edges = reader.rows(EdgeRow, "claims", "ties_of_items", items=[item.item for item in every])
    return obeyed([*edges, *stated_ties(reader, every)], every)
