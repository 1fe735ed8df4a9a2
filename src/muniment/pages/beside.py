"""The claims and entities beside some nodes of the graph, read at once for all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import quote_of
from muniment.claims.claim import Claim
from muniment.claims.read import claims_around, claims_of_items, claims_of_rows, entities_of, unshadowed
from muniment.domain.graph import node_id
from muniment.domain.names import normal_name
from muniment.domain.record import AssertionRow, ItemRow, MentionRow
from muniment.pages.entities import Entity, entities_called
from muniment.pages.nodes import ClaimAt, EntityAt, PageAt, PassageAt, Vertex, shown_passages

if TYPE_CHECKING:
    from datetime import datetime

    from muniment.gate.reader import Reader

__all__ = ["Beside", "beside"]

MOST_ITEMS = 10_000  # that name an entity; whoever has more is told that there is more


@dataclass(frozen=True, slots=True)
class Beside:
    """What claims and entities are to the nodes they were read for. Lists of others stay empty."""

    as_of: datetime
    claims: Mapping[UUID, Claim] = field(default_factory=dict)
    passages: Mapping[UUID, PassageAt] = field(default_factory=dict)
    quotes: Mapping[UUID, Sequence[tuple[Claim, UUID]]] = field(default_factory=dict)
    mentioned: Mapping[UUID, Sequence[Entity]] = field(default_factory=dict)
    named: Mapping[str, Entity] = field(default_factory=dict)
    naming: Mapping[str, Sequence[ItemRow]] = field(default_factory=dict)
    told: Mapping[str, Sequence[Claim]] = field(default_factory=dict)
    is_whole: bool = True

    def quoting(self, item: ItemRow) -> Sequence[tuple[Claim, UUID]]:
        """Each claim that quotes the item, with the passage it quotes."""
        return self.quotes.get(item.item, ())

    def about(self, item: ItemRow) -> Sequence[Entity]:
        """What the item says it is about."""
        return self.mentioned.get(item.item, ())

    def items_of(self, entity: Entity) -> Sequence[ItemRow]:
        """The items that say they are about the entity."""
        return self.naming.get(entity.id, ())

    def claims_of(self, entity: Entity) -> Sequence[Claim]:
        """The claims in the entity's slots."""
        return self.told.get(entity.id, ())

    def places(self, claim: Claim) -> list[PassageAt]:
        """The passages that a claim quotes."""
        wanted = [quote_of(one.row)[0] for one in claim.supports if one.row.level == "exact"]
        return [self.passages[one] for one in dict.fromkeys(wanted) if one in self.passages]

    def proof(self, claim: Claim) -> str | None:
        """The node of the first passage a claim quotes."""
        first = next((one.row for one in claim.supports if one.row.level == "exact"), None)
        return None if first is None else node_id("passage", quote_of(first)[0])

    def opposed(self, claim: Claim) -> list[Claim]:
        """The claims that contradict it."""
        return [self.claims[one] for one in claim.conflicts_with if one in self.claims]

    def after(self, claim: Claim) -> list[Claim]:
        """The claim that took its place, once it has."""
        later = self.claims.get(claim.superseded_by) if claim.superseded_by is not None else None
        return [] if later is None or not self._is_over(claim) else [later]

    def before(self, claim: Claim) -> list[Claim]:
        """The claims it took the place of."""
        return [one for one in self.claims.values() if one.superseded_by == claim.id and self._is_over(one)]

    def _is_over(self, claim: Claim) -> bool:
        return claim.valid_to is None or claim.valid_to <= self.as_of

    def subjects(self, claim: Claim) -> list[Entity]:
        """What the claim is about."""
        names = {normal_name(one.row.entity) for one in claim.supports if one.row.entity}
        found = {self.named[name].id: self.named[name] for name in sorted(names) if name in self.named}
        return [found[one] for one in sorted(found)]


def beside(
    reader: Reader, nodes: Sequence[Vertex], items: Sequence[ItemRow], edges: Collection[str]
) -> Beside:
    """What these kinds of edge need, and nothing else; `items` are those of the nodes."""
    claims = [one.claim for one in nodes if isinstance(one, ClaimAt)]
    entities = [one.entity for one in nodes if isinstance(one, EntityAt | PageAt)]
    naming, is_whole = _naming(reader, nodes, edges)
    around = _around(reader, claims)
    return Beside(
        as_of=reader.moment.as_of,
        claims=around,
        passages=_quoted(reader, claims) if "cites" in edges else {},
        quotes=_quotes(reader, items) if "cited_by" in edges else {},
        mentioned=_mentioned(reader, items) if "about" in edges else {},
        named=_named(reader, claims),
        naming=naming,
        told={one.id: _told(reader, one) for one in entities},
        is_whole=is_whole,
    )


def _around(reader: Reader, claims: Iterable[Claim]) -> dict[UUID, Claim]:
    items = {support.item.item: support.item for claim in claims for support in claim.supports}
    return claims_around(reader, list(items.values()))


def _quoted(reader: Reader, claims: Iterable[Claim]) -> dict[UUID, PassageAt]:
    rows = [one.row for claim in claims for one in claim.supports if one.row.level == "exact"]
    return shown_passages(reader, (quote_of(row)[0] for row in rows))


def _quotes(reader: Reader, items: Sequence[ItemRow]) -> dict[UUID, list[tuple[Claim, UUID]]]:
    found: dict[UUID, list[tuple[Claim, UUID]]] = {}
    for claim in claims_of_items(reader, items):
        for one in claim.supports:
            if one.row.level == "exact":
                found.setdefault(one.item.item, []).append((claim, quote_of(one.row)[0]))
    return found


def _mentioned(reader: Reader, items: Sequence[ItemRow]) -> dict[UUID, list[Entity]]:
    if not items:
        return {}
    rows = reader.rows(MentionRow, "reader", "mentions_of_items", items=[one.item for one in items])
    named = entities_called(reader, {row.name for row in rows})
    found: dict[UUID, dict[str, Entity]] = {}
    for row in rows:
        if row.name in named:
            found.setdefault(row.item, {})[named[row.name].id] = named[row.name]
    return {item: list(entities.values()) for item, entities in found.items()}


def _named(reader: Reader, claims: Iterable[Claim]) -> dict[str, Entity]:
    rows = [one.row for claim in claims for one in claim.supports]
    return entities_called(reader, {normal_name(name) for name in entities_of(rows)})


def _naming(
    reader: Reader, nodes: Iterable[Vertex], edges: Collection[str]
) -> tuple[dict[str, list[ItemRow]], bool]:
    entities = [one.entity for one in nodes if isinstance(one, EntityAt)] if "about_of" in edges else []
    found, is_whole = {}, True
    for entity in entities:
        values = entity.parts.bound(entity.names)
        rows = reader.rows(ItemRow, "pages", "items_about", **values, limit=MOST_ITEMS + 1)
        shown = unshadowed(reader, rows[:MOST_ITEMS])
        found[entity.id] = [one for one in shown if one.level == "exact"]
        is_whole = is_whole and len(rows) <= MOST_ITEMS
    return found, is_whole


def _told(reader: Reader, entity: Entity) -> Sequence[Claim]:
    written = sorted({*entity.names, entity.title})
    return claims_of_rows(
        reader, reader.rows(AssertionRow, "reader", "assertions_of_entities", names=written)
    )
