"""What leads from a node to its neighbours, for many nodes at once: only what this reader may see is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.claim import Claim
from muniment.domain.graph import EDGES, INVERSES, NodeKind, node_id
from muniment.pages.beside import Beside, beside
from muniment.pages.links import Link, links_around
from muniment.pages.nodes import ClaimAt, EntityAt, ItemAt, PageAt, PassageAt, Vertex, shown_passages

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Arc", "Around", "arcs_from", "counts"]

_KINDS: tuple[NodeKind, ...] = ("page", "entity", "item", "passage", "claim")
_CLAIMED = " (claimed, not in force)"

Placed = ItemAt | PassageAt


@dataclass(frozen=True, slots=True)
class Arc:
    """One edge to a neighbour; `proof` is the node of the passage that proves it, where there is one."""

    edge: str
    to: Vertex
    proof: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What leads from each node, by its id; `is_whole` False where more was there than is read at once."""

    arcs: Mapping[str, Sequence[Arc]]
    is_whole: bool


Found = Iterator[tuple[Vertex, Arc]]


def arcs_from(reader: Reader, nodes: Sequence[Vertex], edges: Collection[str]) -> Around:
    """Every neighbour of the nodes by these kinds of edge, each once a kind, in a fixed order."""
    placed = [one for one in nodes if isinstance(one, ItemAt | PassageAt)]
    items = list({one.item.item: one.item for one in placed}.values())
    links, is_whole = links_around(reader, items, edges)
    around = beside(reader, nodes, items, edges)
    by_node: dict[str, dict[tuple[str, str], Arc]] = {one.id: {} for one in nodes}
    for start, arc in (*_linked(reader, placed, links), *_stated(nodes, around)):
        if arc.edge in edges and arc.to.id != start.id:
            by_node[start.id].setdefault((arc.edge, arc.to.id), arc)
    arcs = {id_: sorted(found.values(), key=_order) for id_, found in by_node.items()}
    return Around(arcs, is_whole and around.is_whole)


def counts(arcs: Sequence[Arc]) -> dict[str, int]:
    """How many neighbours there are of each kind."""
    found = Counter(arc.edge for arc in arcs)
    return {edge: found[edge] for edge in EDGES if found[edge]}


def _order(arc: Arc) -> tuple[int, int, str, str]:
    return EDGES.index(arc.edge), _KINDS.index(arc.to.kind), arc.to.title.casefold(), arc.to.id


def _linked(reader: Reader, placed: Sequence[Placed], links: Sequence[Link]) -> Found:
    """Along links from their start, and back from their end."""
    ends = shown_passages(reader, (one.end_passage for one in links if one.end_passage is not None))
    starts, stops = _by_item(links)
    for node in placed:
        for link in starts.get(node.item.item, ()):
            if _covers(node, link.start_passage):
                yield node, _arc(link, link.kind, _end(link, ends))
        for link in stops.get(node.item.item, ()):
            if _covers(node, link.end_passage):
                yield node, _arc(link, INVERSES[link.kind], ItemAt(link.start))


def _by_item(links: Sequence[Link]) -> tuple[dict[UUID, list[Link]], dict[UUID, list[Link]]]:
    starts: dict[UUID, list[Link]] = {}
    stops: dict[UUID, list[Link]] = {}
    for link in links:
        starts.setdefault(link.start.item, []).append(link)
        stops.setdefault(link.end.item, []).append(link)
    return starts, stops


def _covers(node: Placed, passage: UUID | None) -> bool:
    """Whether what starts or ends there does so at the node: an item stands for each of its passages."""
    return passage is None or isinstance(node, ItemAt) or node.passage.passage == passage


def _end(link: Link, passages: Mapping[UUID, PassageAt]) -> Vertex:
    return passages.get(link.end_passage, ItemAt(link.end)) if link.end_passage else ItemAt(link.end)


def _arc(link: Link, edge: str, to: Vertex) -> Arc:
    proof = None if link.proof is None else node_id("passage", link.proof)
    return Arc(edge, to, proof, _CLAIMED if link.is_claimed else "")


def _stated(nodes: Sequence[Vertex], around: Beside) -> Found:
    """What claims and entities are beside each node."""
    for node in nodes:
        match node:
            case ItemAt() | PassageAt():
                yield from ((node, arc) for arc in _of_placed(node, around))
            case ClaimAt():
                yield from ((node, arc) for arc in _of_claim(node.claim, around))
            case EntityAt(entity=entity):
                yield node, Arc("about_of", PageAt(entity))
                yield from ((node, Arc("about_of", ItemAt(one))) for one in around.items_of(entity))
                yield from ((node, Arc("about_of", ClaimAt(one))) for one in around.claims_of(entity))
            case PageAt(entity=entity):
                yield node, Arc("about", EntityAt(entity))
                yield from ((node, Arc("cites", ClaimAt(one))) for one in around.claims_of(entity))


def _of_placed(node: Placed, around: Beside) -> Iterator[Arc]:
    """The claims that quote it, and what its item says it is about."""
    for claim, passage in around.quoting(node.item):
        if _covers(node, passage):
            yield Arc("cited_by", ClaimAt(claim), node_id("passage", passage))
    yield from (Arc("about", EntityAt(one)) for one in around.about(node.item))


def _of_claim(claim: Claim, around: Beside) -> Iterator[Arc]:
    for place in around.places(claim):
        yield Arc("cites", place, place.id)
    for other in around.opposed(claim):
        yield Arc("contradicts", ClaimAt(other), around.proof(other))
    for other in around.after(claim):
        yield Arc("superseded_by", ClaimAt(other), around.proof(other))
    for other in around.before(claim):
        yield Arc("supersedes", ClaimAt(other), around.proof(claim))
    for entity in around.subjects(claim):
        yield Arc("about", EntityAt(entity))
        yield Arc("cited_by", PageAt(entity))
