"""What an agent with a grant may read is the rule in words, whatever was granted and made of what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import LiteralString, TypeAlias

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.gate import agents, audiences, directory, policy
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.people import ACCEPTED, day, person
from tests.planted import plant

Meet: TypeAlias = Callable[[Audience, Audience], Audience]
TENANT = "agent-oracle"  # whose every transaction is rolled back
AGENT = "agent:x"
TARGETS = ("source:chat", "source:mail", "container:chat:C1", "item:chat:1")
LIES_UNDER = (
    frozenset({"source:chat"}),
    frozenset({"source:chat", "container:chat:C1"}),
    frozenset({"source:chat", "container:chat:C1", "item:chat:1"}),
    frozenset({"source:mail"}),
    frozenset({"source:wiki"}),
)
READERS = (Audience.of("user:ann"), Audience.of("user:bo"), Audience.of("*"))


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in the record: for whom each part it was made of is, and under which targets that lies."""

    parts: tuple[tuple[Audience, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Act:
    """A steward's word on the agent."""

    verb: str
    target: str


@dataclass(frozen=True, slots=True)
class World:
    """What a steward said, a day each, and the things there are."""

    acts: tuple[Act, ...]
    things: tuple[Thing, ...]


# The rule


def listed(acts: tuple[Act, ...]) -> frozenset[str] | None:
    """The targets it holds; None where it reads all that its user may."""
    held: frozenset[str] | None = None
    for act in acts:
        match act.verb:
            case "grant":
                held = (held or frozenset()) | {act.target}
            case "revoke":
                held = held and held - {act.target}
            case "all":
                held = None
            case "none":
                held = frozenset()
    return held


def may_read(thing: Thing, acts: tuple[Act, ...]) -> bool:
    """Ann, a full member, through the agent: each part is for her and under something it was granted."""
    held = listed(acts)
    return all(
        audience.admits({"user:ann", "*"}) and (held is None or bool(under & held))
        for audience, under in thing.parts
    )


# What the database says


@contextmanager
def undone(db: Database) -> Iterator[Connection]:
    """A transaction nobody else will see."""
    with writing(db, TENANT) as conn, conn.transaction(force_rollback=True):
        yield conn


def tell(conn: Connection, acts: tuple[Act, ...]) -> None:
    directory.state_principals(conn, TENANT, [person("user:ann")], ACCEPTED)
    for number, act in enumerate(acts):
        word = ("user:sam", day(number))
        match act.verb:
            case "grant":
                agents.grant(conn, TENANT, AGENT, act.target, *word)
            case "revoke":
                agents.revoke(conn, TENANT, AGENT, act.target, *word)
            case "all":
                agents.grant_all(conn, TENANT, AGENT, *word)
            case "none":
                agents.revoke_all(conn, TENANT, AGENT, *word)


def label(thing: Thing, ever: frozenset[str], meet: Meet) -> Audience:
    """What a thing made of parts carries: the AND of what they carry."""
    return reduce(meet, (agents.within_reach(audience, under, ever) for audience, under in thing.parts))


def read(conn: Connection, world: World, meet: Meet = and_) -> list[bool]:
    tell(conn, world.acts)
    ever = agents.targets_ever(conn, TENANT)
    labels = [label(thing, ever, meet) for thing in world.things]
    numbers = audiences.audience_ids(conn, TENANT, set(labels))
    ann = policy.permitted(conn, TENANT, "user:ann", ACCEPTED)
    found = set(agents.narrowed(conn, TENANT, ann, AGENT).audiences)
    return [numbers[one] in found for one in labels]


def looked_back(conn: Connection, acts: tuple[Act, ...]) -> list[object]:
    """What it held after each act, as it is said of that day."""
    tell(conn, acts)
    return [agents.reach_of(conn, TENANT, AGENT, day(number)) for number in range(-1, len(acts))]


def disagrees(db: Database, world: World, meet: Meet = and_) -> bool:
    with undone(db) as conn:
        return read(conn, world, meet) != [may_read(thing, world.acts) for thing in world.things]


parts = st.tuples(st.sampled_from(READERS), st.sampled_from(LIES_UNDER))
things = st.lists(parts, min_size=1, max_size=3).map(lambda drawn: Thing(tuple(drawn)))
acts = st.builds(
    Act, st.sampled_from(["grant", "grant", "grant", "revoke", "all", "none"]), st.sampled_from(TARGETS)
)
worlds = st.builds(
    World,
    acts=st.lists(acts, max_size=6).map(tuple),
    things=st.lists(things, min_size=1, max_size=5).map(tuple),
)


@given(world=worlds)
def test_what_an_agent_may_read_is_the_rule_in_words(db: Database, world: World) -> None:
    with undone(db) as conn:
        found = read(conn, world)

    assert found == [may_read(thing, world.acts) for thing in world.things]


@given(said=st.lists(acts, max_size=6).map(tuple))
def test_what_an_agent_could_read_on_a_day_is_what_was_said_until_then(
    db: Database, said: tuple[Act, ...]
) -> None:
    with undone(db) as conn:
        found = looked_back(conn, said)

    held = [listed(said[:number]) for number in range(len(said) + 1)]
    assert found == ["all" if one is None else one for one in held]


# The same comparison, shown faults it must find

FAULTS = {
    "a grant taken back still counts": ("reach", "where h.is_open) end", "where true) end"),
    "an empty list is everything": ("was_all", "where not exists", "where false and not exists"),
    "reach is no condition": (
        "within",
        "and not exists (select from jsonb",
        "and true or exists (select from jsonb",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(db: Database, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    statement, right, wrong = FAULTS[name]
    broken: dict[str, LiteralString] = {**agents._SQL}
    assert right in broken[statement]
    broken[statement] = broken[statement].replace(right, wrong)
    plant(monkeypatch, agents, "_SQL", broken)

    world = _first(db)

    monkeypatch.undo()
    assert not disagrees(db, world)


def test_a_label_that_forgets_a_part_outside_every_grant_is_found(db: Database) -> None:
    world = _first(db, lambda one, other: Audience(one.clauses | other.clauses))

    assert not disagrees(db, world)


def _first(db: Database, meet: Meet = and_) -> World:
    return find(
        worlds,
        lambda world: disagrees(db, world, meet),
        settings=settings(max_examples=3000, database=None, phases=[Phase.generate], deadline=None),
    )
