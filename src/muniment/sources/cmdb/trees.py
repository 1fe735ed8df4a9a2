"""Trees of services, as JSON or YAML hold them, and the components of Backstage's catalogue. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from muniment.sources.cmdb.stated import DEPENDS_ON, Edge, Service, Stated, edge
from muniment.sources.parsed import Unread
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["in_tree"]

_UPSTREAM: Final = ("from", "upstream", "service", "consumer", "source")
_DOWNSTREAM: Final = ("to", "downstream", "depends_on", "provider", "target", "service", "name")
_RELATION: Final = ("relation", "type")
_ENVIRONMENT: Final = ("environment", "env")


def in_tree(document: Object, origin: str) -> Iterator[Stated]:
    """Every service and edge of one document."""
    if "apiVersion" in document and "kind" in document:
        yield from _component(document, origin)
        return
    for number, (name, about) in enumerate(_named(document.get("services")), 1):
        yield from _service(name, about, f"{origin}, service {number}")
    edges = document.get("edges")
    for number, one in enumerate(edges if isinstance(edges, list) else [], 1):
        yield _edge(one, f"{origin}, edge {number}")


def _named(services: object) -> Iterator[tuple[str | None, object]]:
    """Services in a list, each with its name, or in a mapping by name."""
    if isinstance(services, Mapping):
        yield from ((told.name(name), about) for name, about in services.items())
    for one in services if isinstance(services, list) else []:
        yield (told.name(one, "name") or told.name(one, "service") or told.name(one)), one


def _service(name: str | None, about: object, origin: str) -> Iterator[Stated]:
    if name is None:
        yield Unread(origin, told.written(about), "it has no name")
        return
    aliases = told.as_object(about).get("aliases")
    named = [told.name(one) for one in aliases] if isinstance(aliases, list) else []
    yield Service(name, tuple(one for one in named if one))
    leans = about if isinstance(about, list) else told.as_object(about).get(DEPENDS_ON)
    own = _first(about, _ENVIRONMENT)
    for number, one in enumerate(leans if isinstance(leans, list) else [leans] if leans else [], 1):
        yield _leaning(name, own, one, f"{origin}, dependency {number}")


def _leaning(upstream: str, environment: str | None, one: object, origin: str) -> Stated:
    downstream = told.name(one) or _first(one, _DOWNSTREAM)
    if downstream is None:
        return Unread(origin, told.written(one), "it names nothing")
    return _stated(upstream, downstream, environment, one, origin)


def _edge(one: object, origin: str) -> Stated:
    match one:
        case [first, relation, second]:
            parts = (told.name(first), told.name(relation), told.name(second))
            if all(parts):
                return edge(origin, Edge(*map(str, parts)))
        case Mapping():
            upstream, downstream = _first(one, _UPSTREAM), _first(one, _DOWNSTREAM)
            if upstream is not None and downstream is not None:
                return _stated(upstream, downstream, None, one, origin)
    return Unread(origin, told.written(one), "it is no edge: write [part, relation, part], or from and to")


def _stated(upstream: str, downstream: str, environment: str | None, one: object, origin: str) -> Stated:
    where = _first(one, _ENVIRONMENT) or environment
    since, until = told.name(one, "valid_from"), told.name(one, "valid_to")
    relation = _first(one, _RELATION) or DEPENDS_ON
    return edge(origin, Edge(upstream, relation, downstream, where, since, until))


def _component(document: Object, origin: str) -> Iterator[Stated]:
    """One entity of the catalogue, whose dependencies are references such as resource:default/db."""
    name = told.name(document, "metadata", "name")
    if document.get("kind") not in ("Component", "Resource", "System", "API"):
        return  # people, groups and places lean on nothing
    if name is None:
        yield Unread(origin, told.written(document), "it has no name")
        return
    title = told.name(document, "metadata", "title")
    yield Service(name, (title,) if title else ())
    leans = told.part(document, "spec").get("dependsOn")
    for number, one in enumerate(leans if isinstance(leans, list) else [], 1):
        reference = told.name(one) or ""
        downstream = reference.rpartition(":")[2].rpartition("/")[2]
        place = f"{origin}, dependency {number}"
        yield _leaning(name, None, downstream or None, place)


def _first(one: object, names: tuple[str, ...]) -> str | None:
    return next((found for name in names if (found := told.name(one, name))), None)
