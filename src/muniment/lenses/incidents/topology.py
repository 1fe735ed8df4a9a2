"""Which part leaned on which at an instant, as one reader sees it, and what several have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from muniment.domain.errors import Refused, Usage
from muniment.domain.incidents import FaultDomain, Topology, TopologyEdge
from muniment.domain.names import normal_name
from muniment.domain.times import Period

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_HOPS", "Span", "around", "edges_at", "fault_domain", "reached", "spans", "topology"]

MOST_HOPS: Final = 8
Names = dict[str, int]


@dataclass(frozen=True, slots=True)
class Span:
    """An edge with the period in which it holds."""

    upstream: str
    relation: str
    downstream: str
    environment: str | None
    since: datetime | None
    until: datetime | None

    def holds(self, at: datetime) -> bool:
        """Whether it holds at the instant."""
        return Period(self.since, self.until).holds(at)


def spans(reader: Reader) -> list[Span]:
    """Every edge that this reader may know of."""
    return reader.rows(Span, "incidents", "topology")


def edges_at(every: Iterable[Span], at: datetime, environment: str | None = None) -> tuple[TopologyEdge, ...]:
    """The edges that held then; of an environment, also those that hold in any."""
    held = (one for one in every if one.holds(at) and (environment is None or _is_of(one, environment)))
    found = dict.fromkeys(
        TopologyEdge(one.upstream, one.relation, one.downstream, one.environment) for one in held
    )
    return tuple(found)


def _is_of(span: Span, environment: str) -> bool:
    return span.environment is None or span.environment.casefold() == environment.casefold()


def topology(reader: Reader, entity: str, at: datetime, environment: str | None = None) -> Topology:
    """What an entity leaned on and what leaned on it; refused where nothing visible names it."""
    edges = edges_at(spans(reader), at, environment)
    if not around(edges, entity):
        raise Refused(f"no topology of {entity!r} for this reader")
    below, above = reached(edges, entity), reached(_turned(edges), entity)
    kept = {normal_name(entity), *below, *above}
    within = [one for one in edges if _ends(one) <= kept]
    return Topology(entity, at, tuple(within), _in_order(below), _in_order(above))


def fault_domain(reader: Reader, entities: Sequence[str], at: datetime) -> FaultDomain:
    """What all of them lean on, by the hops of whichever is farthest. One leans on itself, too."""
    if len(entities) < 2:
        raise Usage(f"a common fault domain is of two services or more, not {len(entities)}")
    edges = edges_at(spans(reader), at)
    each = [{normal_name(one): 0, **reached(edges, one)} for one in entities]
    shared = {name: max(found[name] for found in each) for name in set.intersection(*map(set, each))}
    return FaultDomain(tuple(entities), at, _in_order(shared))


def around(edges: Iterable[TopologyEdge], entity: str) -> frozenset[tuple[str, str, str]]:
    """The edges next to an entity: what its fingerprint is made of."""
    name = normal_name(entity)
    return frozenset(
        (normal_name(one.upstream), one.relation, normal_name(one.downstream))
        for one in edges
        if name in _ends(one)
    )


def reached(edges: Iterable[TopologyEdge], entity: str) -> Names:
    """What lies below an entity, and how many hops away; a ring is gone round once."""
    below: dict[str, set[str]] = {}
    for one in edges:
        below.setdefault(normal_name(one.upstream), set()).add(normal_name(one.downstream))
    start = normal_name(entity)
    found, nearest = {start: 0}, [start]
    for hops in range(1, MOST_HOPS + 1):
        nearest = sorted({part for name in nearest for part in below.get(name, ())} - found.keys())
        found |= dict.fromkeys(nearest, hops)
    del found[start]
    return found


def _turned(edges: Iterable[TopologyEdge]) -> list[TopologyEdge]:
    return [TopologyEdge(one.downstream, one.relation, one.upstream, one.environment) for one in edges]


def _ends(edge: TopologyEdge) -> frozenset[str]:
    return frozenset((normal_name(edge.upstream), normal_name(edge.downstream)))


def _in_order(found: Names) -> tuple[str, ...]:
    return tuple(sorted(found, key=lambda name: (found[name], name)))
