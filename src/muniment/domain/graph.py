"""The evidence graph as doors show it: nodes with opaque ids, and the kinds of edge between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from muniment.domain.errors import Usage
from muniment.domain.regex import regex
from muniment.domain.values import Value

__all__ = ["EDGES", "INVERSES", "Neighbour", "Node", "NodeKind", "node_id", "read_edges", "read_node_id"]

NodeKind = Literal["item", "passage", "claim", "page", "entity"]

# What is read from a source first, what follows from it after; in this order a node lists its neighbours.
_PAIRS = (
    ("superseded_by", "supersedes"),
    ("amended_by", "amends"),
    ("attached_by", "attaches_to"),
    ("contradicts", "contradicts"),
    ("refers_to", "referred_to_by"),
    ("derived_from", "derives"),
    ("cites", "cited_by"),
    ("about", "about_of"),
)
EDGES = tuple(dict.fromkeys(edge for pair in _PAIRS for edge in pair))
INVERSES: Mapping[str, str] = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_ID = regex(r"(item|passage|claim|page|entity)_([0-9a-f]{32})")
_KINDS: Mapping[str, NodeKind] = {
    "item": "item",
    "passage": "passage",
    "claim": "claim",
    "page": "page",
    "entity": "entity",
}


@dataclass(frozen=True, slots=True)
class Neighbour(Value):
    """A node that was reached, and the edge that led to it."""

    edge: str
    node: str
    title: str


@dataclass(frozen=True, slots=True)
class Node(Value):
    """One node as one reader sees it.

    edges: how many neighbours it has of each kind, whether or not they are listed. neighbours: those that
    were reached, nearest first. paths: for each way that ends, the ids along it, with the edge between every
    two and, after the edge, the passage that proves it where there is one. truncated: more was there.
    """

    id: str
    kind: NodeKind
    title: str
    text: str
    edges: Mapping[str, int]
    neighbours: tuple[Neighbour, ...]
    paths: tuple[tuple[str, ...], ...]
    truncated: bool


def node_id(kind: NodeKind, of: UUID) -> str:
    """The public id of a node: the same for every reader."""
    return f"{kind}_{of.hex}"


def read_node_id(text: str) -> tuple[NodeKind, UUID] | None:
    """What a node's id stands for; None for a text that is none."""
    match = _ID.fullmatch(text)
    return None if match is None else (_KINDS[match[1]], UUID(match[2]))


def read_edges(edges: Iterable[str] | None) -> tuple[str, ...]:
    """The kinds of edge asked for, in the order they are listed; all of them where none is named."""
    if edges is None:
        return EDGES
    asked = [edges] if isinstance(edges, str) else list(edges)
    unknown = [one for one in asked if one not in INVERSES]
    if unknown:
        raise Usage(f"edge {unknown[0]!r} is unknown: use {', '.join(EDGES)}")
    return tuple(edge for edge in EDGES if edge in asked) or EDGES
