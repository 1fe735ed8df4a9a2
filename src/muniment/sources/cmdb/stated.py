"""What a file states: edges with their periods, services, and whether that is all there is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.names import normal_name
from muniment.domain.times import parse_day_or_instant
from muniment.sources.parsed import Event, Parsed, Unread

__all__ = ["DEPENDS_ON", "Edge", "Listed", "Service", "Stated", "edge", "tell"]

DEPENDS_ON: Final = "depends_on"
_MOST: Final = 2_000  # edges of one event
_LONGEST: Final = 700  # bytes of an edge's three names; the front door takes 768


@dataclass(frozen=True, slots=True)
class Edge:
    """One part that leans on another, and over which period, as it was written; None is unbounded."""

    upstream: str
    relation: str
    downstream: str
    environment: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None


@dataclass(frozen=True, slots=True)
class Service:
    """A part that the file names by itself."""

    name: str
    aliases: tuple[str, ...] = ()


Stated = Edge | Service | Unread


@dataclass(frozen=True, slots=True)
class Listed:
    """A file, read. `at` is when it was written, `is_complete` what it says of itself."""

    at: str
    environment: str | None
    is_complete: bool
    stated: Sequence[Stated] = field(default=())


def edge(origin: str, said: Edge) -> Edge | Unread:
    """The edge where it is one; else why it is none."""
    names = (said.upstream, said.relation, said.downstream)
    if sum(len(name.encode()) for name in names) > _LONGEST:
        return Unread(origin, str(said), f"its names have more than {_LONGEST} bytes together")
    if normal_name(said.upstream) == normal_name(said.downstream):
        return Unread(origin, str(said), "it leans on itself")
    try:
        start, end = (
            None if one is None else parse_day_or_instant(one) for one in (said.valid_from, said.valid_to)
        )
    except ValueError as error:
        return Unread(origin, str(said), f"its period cannot be read: {error}")
    if start is not None and end is not None and end <= start:
        return Unread(origin, str(said), f"it ends at {said.valid_to} before it begins at {said.valid_from}")
    return said


def tell(source: str, listed: Listed) -> Iterator[Parsed]:
    """The file as events: its services, then its edges, those of one environment and period together."""
    unread = [one for one in listed.stated if isinstance(one, Unread)]
    yield from unread
    is_complete = listed.is_complete and not unread
    if listed.is_complete and unread:
        why = f"{len(unread)} parts could not be read, so that what the file lacks is not taken to have ended"
        yield Unread("a complete file", listed.at, why)
    yield from _services(source, listed)
    groups: dict[tuple[str | None, str | None, str | None], dict[tuple[str, str, str], None]] = {}
    for one in listed.stated:
        if isinstance(one, Edge):
            where = (one.environment or listed.environment, one.valid_from, one.valid_to)
            groups.setdefault(where, {})[one.upstream, one.relation, one.downstream] = None
    for where in sorted(groups, key=str):
        for edges in _pieces(sorted(groups[where])):
            yield _event(source, listed.at, where, edges, {"complete": True} if is_complete else {})


def _services(source: str, listed: Listed) -> Iterator[Event]:
    named = {normal_name(one.name): one for one in listed.stated if isinstance(one, Service)}
    for name, one in sorted(named.items()):
        yield {
            "op": "entity",
            "source": source,
            "id": f"service/{name}",
            "at": listed.at,
            "entity_kind": "service",
            "name": one.name,
            **({"aliases": list(one.aliases)} if one.aliases else {}),
        }


def _pieces(edges: Sequence[tuple[str, str, str]]) -> Iterator[Sequence[tuple[str, str, str]]]:
    return (edges[start : start + _MOST] for start in range(0, len(edges), _MOST))


def _event(
    source: str,
    at: str,
    where: tuple[str | None, str | None, str | None],
    edges: Iterable[tuple[str, str, str]],
    said: dict[str, object],
) -> Event:
    environment, valid_from, valid_to = where
    bounds = {"environment": environment, "valid_from": valid_from, "valid_to": valid_to}
    return {
        "op": "topology",
        "source": source,
        "at": at,
        "edges": [list(one) for one in edges],
        **{name: value for name, value in bounds.items() if value is not None},
        **said,
    }
