"""Walking the evidence graph: what a node leads to, how far, and by which words it is proved.

Only what this reader may see is ever met, so that nothing hidden is counted, ordered or walked through.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from muniment.domain.errors import Usage
from muniment.domain.graph import EDGES, Neighbour, Node
from muniment.pages.arcs import Arc, Around, arcs_from, counts
from muniment.pages.nodes import Vertex, get_node
from muniment.pages.telling import texts_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Reach", "expand"]

CountTokens = Callable[[str], int]

EXCERPT = 2_000  # characters: a node says what it is about; the rest is in what it leads to
MOST_HOPS = 10
MOST_NEIGHBOURS = 1_000
LEAST_BUDGET = 100
ALONE = 25  # steps that a single path is followed beyond the hops asked for


@dataclass(frozen=True, slots=True)
class Reach:
    """By which edges to go, how many steps, and how much to tell of it."""

    edges: tuple[str, ...] = EDGES
    hops: int = 1
    limit: int = 50
    budget: int = 4_000

    def __post_init__(self) -> None:
        for name, given, least, most in (
            ("hops", self.hops, 1, MOST_HOPS),
            ("limit", self.limit, 1, MOST_NEIGHBOURS),
        ):
            if not least <= given <= most:
                raise Usage(f"{name} {given} is out of range: give {least} to {most}")
        if self.budget < LEAST_BUDGET:
            raise Usage(f"budget {self.budget} is too small to say anything: give at least {LEAST_BUDGET}")


@dataclass(frozen=True, slots=True)
class _Step:
    """A node that was reached: by which arc, and from which step before."""

    arc: Arc
    before: _Step | None


@dataclass(frozen=True, slots=True)
class _Walked:
    """The steps in the order they were taken, and whether there was more than was walked."""

    steps: tuple[_Step, ...]
    is_whole: bool


def expand(reader: Reader, name: str, asked: Reach, count: CountTokens) -> Node:
    """The node with its neighbours, up to a number of steps away; missing and forbidden are refused alike."""
    start = get_node(reader, name)
    around = arcs_from(reader, [start], EDGES)
    walked = _walk(reader, start, around, asked)
    node = Node(
        id=start.id,
        kind=start.kind,
        title=start.title,
        text=texts_of(reader, [start], EXCERPT)[0],
        edges=counts(around.arcs[start.id]),
        neighbours=(),
        paths=(),
        truncated=not (walked.is_whole and around.is_whole),
    )
    return _within(node, walked.steps, asked.budget, count)


def _walk(reader: Reader, start: Vertex, around: Around, asked: Reach) -> _Walked:
    """Breadth first, each node once; past the hops asked for only where there is no choice of way."""
    met = {start.id}
    steps: list[_Step] = []
    fresh = _fresh({start.id: None}, around, asked.edges, met)
    is_whole = True
    for hop in range(1, asked.hops + ALONE + 1):
        kept = _spread(fresh, asked.limit - len(steps))
        steps += kept
        met |= {one.arc.to.id for one in kept}
        is_whole = is_whole and len(kept) == len(fresh)
        if not kept or (hop >= asked.hops and len(kept) > 1):
            return _Walked(tuple(steps), is_whole)
        around = arcs_from(reader, [one.arc.to for one in kept], asked.edges)
        fresh = _fresh({one.arc.to.id: one for one in kept}, around, asked.edges, met)
        is_whole = is_whole and around.is_whole
        if hop >= asked.hops and len(fresh) > 1:
            return _Walked(tuple(steps), is_whole)
    return _Walked(tuple(steps), is_whole and not fresh)


def _fresh(
    front: Mapping[str, _Step | None], around: Around, edges: Collection[str], met: Collection[str]
) -> list[_Step]:
    """The steps to nodes that were not met yet, each node once."""
    found: dict[str, _Step] = {}
    for id_, before in front.items():
        for arc in around.arcs[id_]:
            if arc.edge in edges and arc.to.id not in met:
                found.setdefault(arc.to.id, _Step(arc, before))
    return list(found.values())


def _spread(steps: Sequence[_Step], most: int) -> list[_Step]:
    """So many of them, taken in turn from every kind of edge, in the order they were found."""
    if len(steps) <= most:
        return list(steps)
    by_edge: dict[str, list[_Step]] = {}
    for one in steps:
        by_edge.setdefault(one.arc.edge, []).append(one)
    in_turn = [one for row in zip_longest(*by_edge.values()) for one in row if one is not None]
    kept = {id(one) for one in in_turn[: max(most, 0)]}
    return [one for one in steps if id(one) in kept]


def _within(node: Node, steps: Sequence[_Step], budget: int, count: CountTokens) -> Node:
    """The node told within the budget: an excerpt of its text, then as many neighbours as fit."""
    text = node.text
    while count(text) > budget // 2:
        text = f"{text[: len(text) * 3 // 4]}…"
    left = budget - count(text) - count(f"{node.id} {node.title}")
    kept = []
    for step in steps:
        left -= count(" ".join((*_piece(step), step.arc.edge, step.arc.to.id, step.arc.to.title)))
        if left < 0:
            break
        kept.append(step)
    return replace(
        node,
        text=text,
        neighbours=tuple(_neighbour(one.arc) for one in kept),
        paths=tuple(_paths(node.id, kept)),
        truncated=node.truncated or len(kept) < len(steps),
    )


def _neighbour(arc: Arc) -> Neighbour:
    return Neighbour(arc.edge, arc.to.id, arc.to.title + arc.note)


def _paths(start: str, steps: Sequence[_Step]) -> Iterator[tuple[str, ...]]:
    """One for each way that ends: what lies on the way to another is on that one's path."""
    passed = {id(one.before) for one in steps}
    for one in steps:
        if id(one) not in passed:
            yield (start, *(part for step in _way(one) for part in _piece(step)))


def _way(last: _Step) -> list[_Step]:
    way = [last]
    while (before := way[-1].before) is not None:
        way.append(before)
    return way[::-1]


def _piece(step: _Step) -> tuple[str, ...]:
    """The edge, the passage that proves it unless an end of the edge is that, and where it leads."""
    arc = step.arc
    proof = () if arc.proof is None or arc.proof == arc.to.id else (arc.proof,)
    return (arc.edge, *proof, arc.to.id)
