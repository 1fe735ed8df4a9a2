"""What the database says of who may read what is the rule in words, whatever was said, in whatever order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import LiteralString, cast

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.domain.events import AudienceEvent, MemberEvent, PrincipalEvent
from muniment.gate import audiences, containers, directory, grants, policy, who
from muniment.gate.binding import writing
from muniment.store.pool import Database
from muniment.store.queries import load
from tests.people import ACCEPTED, day
from tests.rule import CONTAINERS, GROUPS, USERS, Grant, Limit, Row, Rule, Said, World

TENANT = "oracle"  # whose every transaction is rolled back
EMAILS = ("a@x.example", "B@x.example")
ALIASES = ("slack:U1", "slack:U2")
NAMES = (*USERS, "user:zed", "group:a", "*", *CONTAINERS, *ALIASES, "slack:u1", "A@x.example", "b@x.example")
LAST_DAY = 3


# What the database says


def tell(conn: Connection, world: World) -> None:
    if world.in_batches:
        tell_limits(conn, world)
    for kind, run in groupby(world.said, type):
        said = list(run)
        for batch in [said] if world.in_batches else [[one] for one in said]:
            tell_batch(conn, kind, batch)
    if not world.in_batches:
        tell_limits(conn, world)


def tell_limits(conn: Connection, world: World) -> None:
    for one in world.limits:
        within = None if one.within is None else one.within.total_seconds()
        said = {"tenant": TENANT, "source": "slack", "now": one.since, "within": within, "by": "user:sam"}
        conn.execute(load("steward")["limit_source"], said)
    directory.settle_containers_of(conn, TENANT, "slack")


def tell_batch(conn: Connection, kind: type[Said], batch: list[Said]) -> None:
    if kind is PrincipalEvent:
        directory.state_principals(conn, TENANT, cast("list[PrincipalEvent]", batch), ACCEPTED)
    elif kind is MemberEvent:
        directory.state_members(conn, TENANT, cast("list[MemberEvent]", batch), ACCEPTED)
    elif kind is AudienceEvent:
        directory.state_containers(conn, TENANT, cast("list[AudienceEvent]", batch), ACCEPTED)
    else:
        for one in cast("list[Grant]", batch):
            grants.grant_read(conn, TENANT, one.ref, one.principal, "user:sam", day(0))


@contextmanager
def undone(db: Database) -> Iterator[Connection]:
    """A transaction nobody else will see."""
    with writing(db, TENANT) as conn, conn.transaction(force_rollback=True):
        yield conn


def rows(conn: Connection, world: World) -> dict[str, Row]:
    numbers = audiences.audience_ids(conn, TENANT, world.audiences)
    named = {number: audience for audience, number in numbers.items()}
    found = {name: policy.permitted(conn, TENANT, name, world.now) for name in NAMES}
    return {
        name: (one.principal, one.subjects, frozenset(named[number] for number in one.audiences))
        for name, one in found.items()
    }


def settled(conn: Connection) -> list[object]:
    """Every row that statements add up to."""
    return [
        conn.execute(query).fetchall()
        for query in (
            "select principal, name, standing from muniment.principal order by principal",
            "select alias, principal from muniment.principal_alias order by alias, principal",
            "select member, grp, valid_from, valid_to from muniment.member_now order by member, grp",
            "select ref, clause_count, live, verified_through, closes_at from muniment.container order by 1",
            "select member, ref, clause, out_of, granted from muniment.container_clause order by 1, 2, 3",
        )
    ]


def disagrees(db: Database, world: World) -> bool:
    """Whether the database answers otherwise than the rule."""
    rule = Rule(world.said, world.limits, world.now)
    with undone(db) as conn:
        tell(conn, world)
        return rows(conn, world) != {name: rule.row(name, world.audiences) for name in NAMES}


# Worlds

versions = st.sampled_from([None, None, None, "9", "10", "10.0", "x"])
days = st.integers(0, LAST_DAY).map(day)
sources = st.sampled_from(["dir", "hr"])


def audiences_of(members: Iterable[str]) -> st.SearchStrategy[Audience]:
    clause = st.frozensets(st.sampled_from(list(members)), min_size=1, max_size=2)
    return st.frozensets(clause, min_size=1, max_size=2).map(Audience)


def persons(ids: Sequence[str]) -> st.SearchStrategy[PrincipalEvent]:
    return st.builds(
        PrincipalEvent,
        source=sources,
        id=st.sampled_from(ids),
        at=days,
        version=versions,
        name=st.none(),
        emails=st.none() | st.lists(st.sampled_from(EMAILS), max_size=2).map(tuple),
        aliases=st.none() | st.lists(st.sampled_from(ALIASES), max_size=2).map(tuple),
        standing=st.sampled_from([None, "member", "member", "guest", "external", "deactivated"]),
        raw=st.just({}),
    )


def joinings(groups: Sequence[str], members: Sequence[str]) -> st.SearchStrategy[MemberEvent]:
    some = st.lists(st.sampled_from(members), max_size=3).map(tuple)
    fewer = st.lists(st.sampled_from(members), max_size=1).map(tuple)
    return st.builds(
        MemberEvent,
        source=sources,
        group=st.sampled_from(groups),
        at=days,
        version=versions,
        add=some,
        remove=fewer,
        listing=st.none() | st.none() | some,
        raw=st.just({}),
        valid_from=st.none() | st.none() | days,
        valid_to=st.none() | st.none() | days,
    )


def openings(containers: Sequence[str], readers: Sequence[str]) -> st.SearchStrategy[AudienceEvent]:
    return st.builds(
        AudienceEvent,
        source=st.just("slack"),
        container=st.sampled_from(containers),
        item=st.none(),
        at=days,
        version=versions,
        audience=st.none() | audiences_of(readers),
        verified_through=st.none() | days,
        live=st.booleans(),
        raw=st.just({}),
    )


def givings(refs: Sequence[str], principals: Sequence[str]) -> st.SearchStrategy[Grant]:
    return st.builds(Grant, ref=st.sampled_from(refs), principal=st.sampled_from(principals))


# One word a day: a steward says one thing after another.
limits = st.dictionaries(
    days, st.none() | st.integers(1, 2).map(lambda length: timedelta(days=length)), max_size=2
)


def worlds_of(
    *kinds: st.SearchStrategy[Said], audiences: st.SearchStrategy[Audience], most: int = 14
) -> st.SearchStrategy[World]:
    """Worlds in which nothing but these kinds of things is said."""
    return st.builds(
        World,
        said=st.lists(st.one_of(*kinds), max_size=most).map(tuple),
        in_batches=st.booleans(),
        audiences=st.frozensets(audiences, min_size=1, max_size=6),
        limits=limits.map(lambda said: tuple(Limit(since, within) for since, within in said.items())),
        now=st.integers(0, LAST_DAY + 2).map(day),
    )


joined = joinings(GROUPS, (*USERS, *GROUPS))
worlds = worlds_of(
    persons(USERS),
    joined,
    joined,
    openings(list(CONTAINERS.values()), (*USERS, *GROUPS, "*")),
    givings(list(CONTAINERS), (*USERS, *GROUPS)),
    audiences=audiences_of((*USERS, *GROUPS, *CONTAINERS, "*")),
)
half = settings(max_examples=settings().max_examples // 2)  # each is half a hundred statements to a database


# The facts


@given(world=worlds)
def test_what_the_database_permits_is_the_rule_in_words(db: Database, world: World) -> None:
    rule = Rule(world.said, world.limits, world.now)

    with undone(db) as conn:
        tell(conn, world)
        found = rows(conn, world)

    assert found == {name: rule.row(name, world.audiences) for name in NAMES}


@half
@given(world=worlds, draw=st.data())
def test_arrival_order_and_batches_change_nothing(db: Database, world: World, draw: st.DataObject) -> None:
    said = tuple(draw.draw(st.permutations(world.said)))
    shuffled = replace(world, said=said, in_batches=not world.in_batches)

    with undone(db) as conn:
        tell(conn, world)
        before = settled(conn)
    with undone(db) as conn:
        tell(conn, shuffled)
        after = settled(conn)
        directory.rebuild(conn, TENANT)
        again = settled(conn)

    assert before == after == again


@half
@given(world=worlds, on=st.none() | st.integers(0, LAST_DAY))
def test_who_can_names_those_the_rule_admits_by_what_was_said_until_then(
    db: Database, world: World, on: int | None
) -> None:
    until = world.now if on is None else day(on)
    heard = [one for one in world.said if on is None or isinstance(one, Grant) or one.at <= until]
    rule = Rule(heard, [one for one in world.limits if on is None or one.since <= until], until)

    with undone(db) as conn:
        tell(conn, world)
        found = {
            audience: {
                one.principal
                for one in who.who_can(conn, TENANT, audience, None if on is None else until, world.now)
            }
            for audience in world.audiences
        }

    assert found == {audience: rule.readers(audience) for audience in world.audiences}


@half
@given(world=worlds)
def test_whoever_may_read_is_told_why_and_nobody_else_is(db: Database, world: World) -> None:
    rule = Rule(world.said, world.limits, world.now)

    with undone(db) as conn:
        tell(conn, world)
        known = {name: policy.permitted(conn, TENANT, name, world.now) for name in USERS}
        told = {
            (name, audience): bool(who.why(conn, TENANT, audience, known[name], world.now))
            for name in USERS
            for audience in world.audiences
        }

    assert told == {(name, audience): name in rule.readers(audience) for name, audience in told}


# The same comparison, shown faults it must find


@dataclass(frozen=True, slots=True)
class Fault:
    """A statement made wrong in one place, and the worlds in which that shows soonest."""

    statement: str
    right: str
    wrong: str
    worlds: st.SearchStrategy[World]

    def planted(self, statements: Mapping[str, LiteralString]) -> dict[str, LiteralString]:
        """The statements with this fault in them."""
        assert self.right in statements[self.statement]
        return {**statements, self.statement: statements[self.statement].replace(self.right, self.wrong)}


def near(*audience: str, said: st.SearchStrategy[Said], most: int = 14) -> st.SearchStrategy[World]:
    """Worlds in which a few things are said of the few whom content is for."""
    return worlds_of(said, audiences=audiences_of(audience), most=most)


ANN: st.SearchStrategy[tuple[str, ...]] = st.just(("user:ann",))
NOBODY: st.SearchStrategy[tuple[str, ...]] = st.just(())
EDGE: dict[str, st.SearchStrategy[object]] = {
    "source": sources,
    "group": st.just("group:a"),
    "at": days,
    "version": st.none(),
    "add": ANN,
    "remove": NOBODY,
    "listing": st.none(),
    "raw": st.just({}),
    "valid_from": st.none(),
    "valid_to": st.none(),
}


def edges(**other: st.SearchStrategy[object]) -> st.SearchStrategy[MemberEvent]:
    """Statements that Ann is in a group, but for what is drawn otherwise."""
    return st.builds(MemberEvent, **{**EDGE, **other})


people = near("user:ann", "user:bo", "*", said=persons(("user:ann", "user:bo")))
memberships = near("group:a", "group:b", said=joinings(("group:a", "group:b"), ("user:ann", "group:b")))
nested = near("group:a", said=edges(group=st.sampled_from(GROUPS[:2]), add=ANN | st.just(("group:b",))))
one_list = near("group:a", said=edges(add=ANN | NOBODY, listing=st.none() | ANN | NOBODY), most=4)
periods = edges(at=st.just(day(0)), valid_from=st.none() | days, valid_to=st.none() | days)
one_edge = near("group:a", said=periods, most=3)
ends = near("group:a", said=edges(at=st.just(day(0)), valid_to=days))
ROOM = "container:slack:K"
in_one_room = openings((CONTAINERS[ROOM],), ("user:ann", "user:bo"))
let_in = givings((ROOM,), ("user:ann", "group:a"))
vouched_for = near(ROOM, said=in_one_room | in_one_room | let_in)
FAULTS = {
    "any clause is enough": Fault(
        "permitted", "having count(*) = met.out_of", "having count(*) >= 1", memberships
    ),
    "a removal loses a tie": Fault("edges_until", "bool_and(m.present)", "bool_or(m.present)", memberships),
    "a listing puts nobody out": Fault("edges_until", "and (not w.by_listing or w.is_listed)", "", one_list),
    "an addition outlives a later listing": Fault(
        "edges_until",
        "(s.at, s.version) <= (l.at, l.version)) as by_listing",
        "(s.at, s.version) <= (l.at, l.version) and not s.present) as by_listing",
        one_list,
    ),
    "absence from a listing loses a tie": Fault(
        "edges_until",
        "(s.at, s.version) <= (l.at, l.version)",
        "(s.at, s.version) < (l.at, l.version)",
        one_list,
    ),
    "groups in groups are not followed": Fault(
        "permitted",
        "from unnest(c.frontier) as f (member)",
        "from unnest(c.subjects[1:1]) as f (member)",
        nested,
    ),
    "guests are full members": Fault("permitted", "p.standing = 'member'", "p.standing is not null", people),
    "the deactivated read on": Fault(
        "permitted", "p.standing is distinct from 'deactivated'", "true", people
    ),
    "an alias two claim is the first one's": Fault(
        "permitted", "having count(*) = 1", "having count(*) >= 1", people
    ),
    "an older statement decides": Fault("principals_until", "order by s.at desc", "order by s.at", people),
    "a container keeps its first audience": Fault(
        "containers_until", "order by x.at desc", "order by x.at", vouched_for
    ),
    "a membership outlives its period": Fault("permitted", "m.valid_to > %(now)s", "true", one_edge),
    "a membership holds before its period": Fault("permitted", "m.valid_from <= %(now)s", "true", one_edge),
    "of two periods the longer one holds": Fault("edges_until", "min(m.valid_to)", "max(m.valid_to)", ends),
    "a container nobody vouches for stays open": Fault(
        "permitted", "c.closes_at < %(now)s", "false", vouched_for
    ),
    "a live container closes": Fault(
        "containers_until", "when s.live or m.verify_within", "when m.verify_within", vouched_for
    ),
    "a closed container keeps out whom a steward let in": Fault(
        "permitted", "bool_or(met.granted)", "false", vouched_for
    ),
    "grants are forgotten": Fault("containers_until", "g.target = w.ref", "false", vouched_for),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(db: Database, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    fault = FAULTS[name]
    broken = fault.planted(policy._SQL)
    for module in (policy, directory, containers):
        monkeypatch.setattr(module, "_SQL", broken)

    world = find(
        fault.worlds,
        lambda world: disagrees(db, world),
        settings=settings(max_examples=3000, database=None, phases=[Phase.generate], deadline=None),
    )

    monkeypatch.undo()
    assert not disagrees(db, world)
