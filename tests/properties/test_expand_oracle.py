"""Expanding is breadth-first search over what the reader may see: compared with a search written in words."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused
from muniment.domain.events import ItemRef
from muniment.domain.graph import INVERSES
from muniment.index.projection import item_uuid
from muniment.pages import links
from tests.planted import plant
from tests.worlds import Event, at, member, open_org, person, said, taken

WORLDS = 4  # `make prove` draws 400; this many keep CI within its time
EDGES = ("supersedes", "amends", "derived_from")
AUDIENCES: Mapping[str, frozenset[str]] = {
    "*": frozenset({"user:ann", "user:bo"}),
    "group:a": frozenset({"user:ann"}),
    "group:b": frozenset({"user:bo"}),
}
ALONE = 25


@dataclass(frozen=True)
class World:
    """Documents with who may read each, and what each says of others, as (edge, from, to)."""

    readers: Mapping[str, frozenset[str]]
    edges: Sequence[tuple[str, str, str]]
    gone: frozenset[str]
    begins: Mapping[str, int]
    events: Sequence[Event]

    def seen(self, who: str) -> set[str]:
        return {id_ for id_, readers in self.readers.items() if who in readers and id_ not in self.gone}

    def around(self, who: str, id_: str, day: int, edges: Sequence[str]) -> list[tuple[str, str]]:
        """Visible neighbours by edge; what ends or changes another does so from the day it begins."""
        seen = self.seen(who)
        found = set()
        for kind, start, end in self.edges:
            if (
                {start, end} <= seen
                and start != end
                and (kind == "derived_from" or self.begins[start] <= day)
            ):
                found |= {(kind, end)} if start == id_ else set()
                found |= {(INVERSES[kind], start)} if end == id_ else set()
        return sorted(one for one in found if one[0] in edges)

    def reached(self, who: str, id_: str, day: int, hops: int, edges: Sequence[str]) -> set[str]:
        met, front = {id_}, [id_]
        for hop in range(hops + ALONE):
            fresh = {end for one in front for _, end in self.around(who, one, day, edges)} - met
            if not fresh or (hop >= hops and (len(front) > 1 or len(fresh) > 1)):
                break
            met |= fresh
            front = sorted(fresh)
        return met - {id_}


def drawn(draw: random.Random) -> World:
    ids = [f"d{number}" for number in range(draw.randint(3, 12))]
    readers: dict[str, frozenset[str]] = {}
    edges: list[tuple[str, str, str]] = []
    begins: dict[str, int] = {}
    events: list[Event] = []
    for number, id_ in enumerate(ids):
        audience = draw.choice(tuple(AUDIENCES))
        fields: dict[str, object] = {"kind": "document", "title": f"Rule {id_}", "author": "user:ann"}
        for kind in EDGES[:2]:
            targets = draw.sample(ids, min(len(ids), draw.choice((0, 0, 1, 2))))
            edges += [(kind, id_, target) for target in targets]
            fields[kind] = targets
        origins = draw.sample(ids[:number], min(number, draw.choice((0, 0, 0, 1, 2))))
        edges += [("derived_from", id_, origin) for origin in origins]
        begins[id_] = draw.randint(0, 120)
        readers[id_] = AUDIENCES[audience].intersection(*(readers[origin] for origin in origins))
        event = said(id_, f"Words of {id_}.", number, audience=[[audience]], **fields)
        events.append({**event, "derived_from": origins, "valid_from": at(24 * begins[id_])})
    deleted = set(draw.sample(ids, draw.choice((0, 0, 1))))
    events += [{"source": "chat", "id": id_, "op": "delete", "at": at(100)} for id_ in sorted(deleted)]
    return World(readers, edges, gone_with(deleted, edges), begins, events)


def gone_with(deleted: set[str], edges: Sequence[tuple[str, str, str]]) -> frozenset[str]:
    """What is deleted, and whatever was made from it."""
    gone = set(deleted)
    for _ in edges:
        gone |= {start for kind, start, end in edges if kind == "derived_from" and end in gone}
    return frozenset(gone)


def cast() -> list[Event]:
    people = [person("user:ann"), person("user:bo")]
    return [*people, member("group:a", "user:ann"), member("group:b", "user:bo")]


def test_expanding_is_a_search_over_what_can_be_seen(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    for number in range(400 if prove else WORLDS):
        compare_all(url, f"{tenant}-{number}", seed + number)


def test_the_check_sees_an_edge_that_has_not_taken_effect(
    url: str, tenant: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, links, "_in_force", lambda found, _: list(found))

    failed = 0
    for number in range(16):
        try:
            compare_all(url, f"{tenant}-{number}", seed + number)
        except AssertionError:
            failed += 1
            break

    assert failed


def compare_all(url: str, tenant: str, seed: int) -> None:
    draw = random.Random(seed)
    world = drawn(draw)
    with open_org(url, tenant) as org:
        taken(org, [*cast(), *world.events])
        for who in ("user:ann", "user:bo"):
            for id_ in world.readers:
                compare(org, world, who, id_, draw)


def compare(org: Org, world: World, who: str, id_: str, draw: random.Random) -> None:
    day, hops = draw.randint(1, 130), draw.randint(1, 3)
    edges = draw.choice((EDGES, (*EDGES, *map(INVERSES.__getitem__, EDGES)), ("superseded_by",), ("amends",)))
    view = org.reader(who, as_of=at(24 * day))
    if id_ not in world.seen(who):
        try:
            view.expand(f"chat:{id_}")
        except Refused:
            return
        raise AssertionError(f"{who} expands {id_}")

    node = view.expand(f"chat:{id_}", edges, hops, limit=1000, budget=1_000_000)

    names = {f"item_{item_uuid(org._work.key, ItemRef('chat', one)).hex}": one for one in world.readers}
    where = f"{who} {id_} day {day} hops {hops} {edges}: {world}"
    assert {names[one.node] for one in node.neighbours} == world.reached(who, id_, day, hops, edges), where
    direct = world.around(who, id_, day, tuple(INVERSES))
    told = {kind: count for kind, count in node.edges.items() if kind not in ("cited_by", "about")}
    assert told == {kind: sum(one[0] == kind for one in direct) for kind, _ in direct}, where
    assert not node.truncated, where
    for path in node.paths:
        walks(world, who, day, [names.get(part, part) for part in path])
    assert {part for path in node.paths for part in path} >= {one.node for one in node.neighbours}


def walks(world: World, who: str, day: int, path: Sequence[str]) -> None:
    """Every step of a path is an edge that can be seen."""
    for start, edge, end in zip(path[::2], path[1::2], path[2::2], strict=False):
        assert (edge, end) in world.around(who, start, day, (edge,)), path
