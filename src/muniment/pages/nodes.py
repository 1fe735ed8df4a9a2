"""The nodes of the evidence graph as one reader sees them, and what each is called by.

A level of a value is a claim and nothing else: it has no item and no passage that could be shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import find_citation
from muniment.claims.claim import Claim
from muniment.claims.naming import read_names
from muniment.claims.read import claims_around, entities_of, items_of, statements_of
from muniment.claims.reconcile import claim_ids
from muniment.domain.errors import Refused, Usage
from muniment.domain.events import ItemRef
from muniment.domain.graph import NodeKind, node_id, read_node_id
from muniment.domain.record import AssertionRow, ItemRow, PassageRow
from muniment.index.projection import item_uuid
from muniment.pages.entities import Ambiguous, Entity, resolve

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "ClaimAt",
    "EntityAt",
    "ItemAt",
    "PageAt",
    "PassageAt",
    "Vertex",
    "find_by_id",
    "find_node",
    "get_node",
    "shown_items",
    "shown_passages",
]

_TITLE = 120  # characters of a claim that stand for it


@dataclass(frozen=True, slots=True)
class ItemAt:
    """An item; what leads from its passages leads from it."""

    item: ItemRow

    @property
    def id(self) -> str:
        """The node's public id."""
        return node_id("item", self.item.item)

    @property
    def kind(self) -> NodeKind:
        """Which kind of node it is."""
        return "item"

    @property
    def title(self) -> str:
        """What it is called; of a message, whose it is and of which day; else how its source knows it."""
        item = self.item
        author = item.author_name or item.author
        untitled = f"{author}, {item.at.date()} ({item.source})" if author else f"{item.source}:{item.id}"
        return _line(item.title or untitled)


@dataclass(frozen=True, slots=True)
class PassageAt:
    """A passage in its item; what leads from the whole item leads from it too."""

    passage: PassageRow
    item: ItemRow

    @property
    def id(self) -> str:
        """The node's public id."""
        return node_id("passage", self.passage.passage)

    @property
    def kind(self) -> NodeKind:
        """Which kind of node it is."""
        return "passage"

    @property
    def title(self) -> str:
        """Its item's title and the headings above it."""
        parts = (ItemAt(self.item).title, *self.passage.heading)
        return " › ".join(dict.fromkeys(_line(part) for part in parts if part))


@dataclass(frozen=True, slots=True)
class ClaimAt:
    """A claim as this reader's statements make it."""

    claim: Claim

    @property
    def id(self) -> str:
        """The node's public id: its claim's."""
        return node_id("claim", self.claim.id)

    @property
    def kind(self) -> NodeKind:
        """Which kind of node it is."""
        return "claim"

    @property
    def title(self) -> str:
        """What it says."""
        said = _line(self.claim.statement)
        return said if len(said) <= _TITLE else f"{said[: _TITLE - 1].rstrip()}…"


@dataclass(frozen=True, slots=True)
class EntityAt:
    """An entity as this reader's names make it."""

    entity: Entity

    @property
    def id(self) -> str:
        """The node's public id: its entity's."""
        return node_id("entity", UUID(self.entity.id))

    @property
    def kind(self) -> NodeKind:
        """Which kind of node it is."""
        return "entity"

    @property
    def title(self) -> str:
        """What it is called."""
        return _line(self.entity.title)


@dataclass(frozen=True, slots=True)
class PageAt:
    """The page about an entity."""

    entity: Entity

    @property
    def id(self) -> str:
        """The node's public id: one for each entity."""
        return node_id("page", UUID(self.entity.id))

    @property
    def kind(self) -> NodeKind:
        """Which kind of node it is."""
        return "page"

    @property
    def title(self) -> str:
        """What it is about."""
        return _line(self.entity.title)


Vertex = ItemAt | PassageAt | ClaimAt | EntityAt | PageAt


def _line(text: str) -> str:
    return " ".join(text.split())


def get_node(reader: Reader, name: str) -> Vertex:
    """The node that an id, a citation, `source:id` or a name stands for.

    Malformed, missing and forbidden are refused alike.
    """
    found = find_node(reader, name)
    if found is None:
        raise Refused(f"no node {name!r} for this reader")
    return found


def find_node(reader: Reader, name: str) -> Vertex | None:
    """The same, or None."""
    return find_by_id(reader, name) or _named(reader, name)


def find_by_id(reader: Reader, text: str) -> Vertex | None:
    """What a node's id, a citation's id or `source:id` stands for."""
    known = read_node_id(text)
    if known is not None:
        return _of_kind(reader, *known)
    return _cited(reader, text) if text.startswith(("c_", "p_")) else _referred(reader, text)


def _of_kind(reader: Reader, kind: NodeKind, of: UUID) -> Vertex | None:
    match kind:
        case "item":
            return next((ItemAt(one) for one in shown_items(reader, [of])), None)
        case "passage":
            return next(iter(shown_passages(reader, [of]).values()), None)
        case "claim":
            return _claim(reader, of)
        case "entity" | "page":
            entity = resolve(reader, of.hex)
            if not isinstance(entity, Entity):
                return None
            return EntityAt(entity) if kind == "entity" else PageAt(entity)


def shown_items(reader: Reader, items: Iterable[UUID]) -> list[ItemRow]:
    """The visible ones that may be shown as items."""
    return [one for one in items_of(reader, sorted(set(items))) if one.level == "exact"]


def shown_passages(reader: Reader, passages: Iterable[UUID]) -> dict[UUID, PassageAt]:
    """The visible ones whose item may be shown, by id."""
    wanted = sorted(set(passages))
    rows = reader.rows(PassageRow, "reader", "passages_by_id", passages=wanted) if wanted else []
    items = {one.item: one for one in shown_items(reader, (row.item for row in rows))}
    return {row.passage: PassageAt(row, items[row.item]) for row in rows if row.item in items}


def _claim(reader: Reader, claim: UUID) -> ClaimAt | None:
    """A claim's id is a hash of what it says, so it is looked for among all that this reader can see."""
    rows = reader.rows(AssertionRow, "pages", "assertions_ever")
    statements = statements_of(reader, rows, read_names(reader, entities_of(rows)))
    anchors = {one.item.item: one.item for one in statements if claim in claim_ids(one, reader.key)}
    found = claims_around(reader, list(anchors.values())).get(claim)
    return None if found is None else ClaimAt(found)


def _cited(reader: Reader, citation: str) -> Vertex | None:
    """The claim a citation's statement supports, else the passage its words stand in."""
    try:
        found = find_citation(reader, citation)
    except Refused:
        return None
    if found.citation.claim is not None:
        return _supported(reader, found.citation.claim, citation)
    if found.passage is None or found.item is None:
        return None
    return PassageAt(found.passage, found.item)


def _supported(reader: Reader, claim: str, citation: str) -> ClaimAt | None:
    rows = reader.rows(AssertionRow, "claims", "assertion_by_id", assertion=UUID(citation[2:]))
    around = claims_around(reader, items_of(reader, {row.item for row in rows}))
    return ClaimAt(around[UUID(claim)]) if UUID(claim) in around else None


def _referred(reader: Reader, name: str) -> ItemAt | None:
    """An item by its source and the source's id."""
    source, colon, id_ = name.partition(":")
    if not (source and colon and id_):
        return None
    items = shown_items(reader, [item_uuid(reader.key, ItemRef(source, id_))])
    return next((ItemAt(one) for one in items), None)


def _named(reader: Reader, name: str) -> EntityAt | ClaimAt | None:
    """An entity by a name, an alias or its id; else a claim by the id its citations give."""
    match resolve(reader, name):
        case Entity() as entity:
            return EntityAt(entity)
        case Ambiguous(candidates=titles):
            raise Usage(f"{name!r} means more than one: {' or '.join(titles)}; say which")
        case None:
            known = read_node_id(f"claim_{name}")
            return None if known is None else _claim(reader, known[1])
