"""What the database says of who may read what is the rule in words, whatever was said, in whatever order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import LiteralString, TypeVar, cast

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.domain.events import AudienceEvent, MemberEvent, PrincipalEvent
from muniment.gate import audiences, containers, directory, grants, policy, who
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.people import ACCEPTED, day

TENANT = "oracle"  # whose every transaction is rolled back
USERS = ("user:ann", "user:bo", "user:cy")
GROUPS = ("group:a", "group:b", "group:c")
CONTAINERS = {"container:slack:K": "K", "container:slack:L": "L"}
EMAILS = ("a@x.example", "B@x.example")
ALIASES = ("slack:U1", "slack:U2")
NAMES = (*USERS, "user:zed", "group:a", "*", *CONTAINERS, *ALIASES, "slack:u1", "A@x.example", "b@x.example")
NARROWEST_FIRST = ("deactivated", "external", "guest", "member")
LAST_DAY = 3


@dataclass(frozen=True, slots=True)
class Grant:
    """A steward's word on one container, given before anything else was said."""

    ref: str
    principal: str


Statement = PrincipalEvent | MemberEvent | AudienceEvent
Said = Statement | Grant
Key = tuple[int, int, Decimal | bytes]
Row = tuple[str, frozenset[str], frozenset[Audience]]
One = TypeVar("One", PrincipalEvent, MemberEvent, AudienceEvent)


@dataclass(frozen=True, slots=True)
class World:
    """Everything said in order of arrival, in batches or one by one, and the audiences content has."""

    said: tuple[Said, ...]
    in_batches: bool
    audiences: frozenset[Audience]


# The rule in words


def key_of(event: Statement) -> Key:
    """Later is greater; at one time, no version is least, then decimals by value, then text by its bytes."""
    on = (event.at - day(0)).days
    if event.version is None:
        return on, 0, b""
    if event.version.replace(".", "", 1).isdecimal():
        return on, 1, Decimal(event.version)
    return on, 2, event.version.encode()


def latest(events: Iterable[One]) -> list[One]:
    """Those that none is later than: several where they tie."""
    found = list(events)
    return [event for event in found if key_of(event) == max(map(key_of, found))]


class Rule:
    """Who may read what by everything that was said, taken as a set."""

    def __init__(self, said: Iterable[Said]) -> None:
        everything = list(said)
        self.principals = [one for one in everything if isinstance(one, PrincipalEvent)]
        self.members = [one for one in everything if isinstance(one, MemberEvent)]
        self.containers = [one for one in everything if isinstance(one, AudienceEvent)]
        self.grants = [one for one in everything if isinstance(one, Grant)]
        self.edges = {(who, group) for who in (*USERS, *GROUPS) for group in GROUPS if self.holds(who, group)}

    def standing(self, who: str) -> str | None:
        said = latest(one for one in self.principals if one.id == who and one.standing is not None)
        return min((str(one.standing) for one in said), key=NARROWEST_FIRST.index, default=None)

    def names(self, who: str) -> set[str]:
        """Other names: e-mails in any case, aliases as they are. At a tie, those that all statements give."""
        emails = [set(one.emails or ()) for one in latest(self._of(who, "emails"))]
        aliases = [set(one.aliases or ()) for one in latest(self._of(who, "aliases"))]
        shared = set.intersection(*emails) if emails else set()
        return {one.casefold() for one in shared} | (set.intersection(*aliases) if aliases else set())

    def _of(self, who: str, field: str) -> list[PrincipalEvent]:
        return [one for one in self.principals if one.id == who and getattr(one, field) is not None]

    def holds(self, who: str, group: str) -> bool:
        """The latest word on an edge holds, a removal before an addition; a listing is a word on everyone."""
        words: list[tuple[Key, bool]] = []
        for one in self.members:
            if one.group != group:
                continue
            words += [(key_of(one), True)] * (who in one.add) + [(key_of(one), False)] * (who in one.remove)
            words += [] if one.listing is None else [(key_of(one), who in one.listing)]
        return bool(words) and all(present for key, present in words if key == max(words)[0])

    def audience(self, ref: str) -> Audience | None:
        """The latest audience anyone gave a container; at a tie all of them; grants admit regardless."""
        stated = latest(one for one in self.containers if one.container == CONTAINERS[ref] and one.audience)
        audience = None
        for one in stated:
            audience = one.audience if audience is None or one.audience is None else audience & one.audience
        for grant in self.grants:
            audience = audience.or_also(grant.principal) if audience and grant.ref == ref else audience
        return audience

    def known(self, who: str, content: Iterable[Audience]) -> bool:
        """Whether anything names a principal."""
        stated = [audience for ref in CONTAINERS if (audience := self.audience(ref))]
        named = {
            member for audience in (*content, *stated) for clause in audience.clauses for member in clause
        }
        spoken = {one.id for one in self.principals} | {who for who, _ in self.edges}
        spoken |= {who for one in self.members for who in one.add + one.remove}
        return who.startswith("user:") and who in named | spoken

    def meant(self, name: str, content: Iterable[Audience]) -> str | None:
        """An id comes first; another name must be one principal's alone."""
        if self.known(name, content):
            return name
        spelled = name.casefold() if "@" in name else name
        owners = [who for who in USERS if spelled in self.names(who)]
        return owners[0] if len(owners) == 1 else None

    def subjects(self, who: str) -> frozenset[str]:
        """Who someone is: themselves, their groups and the groups of those, `*`, and containers."""
        if self.standing(who) == "deactivated":
            return frozenset()
        found = {who}
        while more := {group for member, group in self.edges if member in found} - found:
            found |= more
        found |= {"*"} if self.standing(who) == "member" else set()
        opened = {ref for ref in CONTAINERS if (audience := self.audience(ref)) and audience.admits(found)}
        return frozenset(found | opened)

    def row(self, name: str, content: frozenset[Audience]) -> Row:
        who = self.meant(name, content)
        subjects = frozenset[str]() if who is None else self.subjects(who)
        return who or name, subjects, frozenset(one for one in content if one.admits(subjects))

    def readers(self, audience: Audience) -> set[str]:
        return {who for who in USERS if audience.admits(self.subjects(who))}


# What the database says


def tell(conn: Connection, world: World) -> None:
    for kind, run in groupby(world.said, type):
        said = list(run)
        for batch in [said] if world.in_batches else [[one] for one in said]:
            tell_batch(conn, kind, batch)


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


def rows(conn: Connection, content: frozenset[Audience]) -> dict[str, Row]:
    numbers = audiences.audience_ids(conn, TENANT, content)
    named = {number: audience for audience, number in numbers.items()}
    found = {name: policy.permitted(conn, TENANT, name) for name in NAMES}
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
            "select member, grp from muniment.member_now order by member, grp",
            "select ref, clause_count, live, verified_through from muniment.container order by ref",
            "select member, ref, clause, out_of from muniment.container_clause order by member, ref, clause",
        )
    ]


def disagrees(db: Database, world: World) -> bool:
    """Whether the database answers otherwise than the rule."""
    rule = Rule(world.said)
    with undone(db) as conn:
        tell(conn, world)
        return rows(conn, world.audiences) != {name: rule.row(name, world.audiences) for name in NAMES}


# Worlds

versions = st.sampled_from([None, None, None, "9", "10", "10.0", "x"])
days = st.integers(0, LAST_DAY).map(day)
sources = st.sampled_from(["dir", "hr"])
some_members = st.lists(st.sampled_from([*USERS, *GROUPS]), max_size=3).map(tuple)
fewer_members = st.lists(st.sampled_from([*USERS, *GROUPS]), max_size=1).map(tuple)


def audiences_of(members: Iterable[str]) -> st.SearchStrategy[Audience]:
    clause = st.frozensets(st.sampled_from(list(members)), min_size=1, max_size=2)
    return st.frozensets(clause, min_size=1, max_size=2).map(Audience)


principal_events = st.builds(
    PrincipalEvent,
    source=sources,
    id=st.sampled_from(USERS),
    at=days,
    version=versions,
    name=st.none(),
    emails=st.none() | st.lists(st.sampled_from(EMAILS), max_size=2).map(tuple),
    aliases=st.none() | st.lists(st.sampled_from(ALIASES), max_size=2).map(tuple),
    standing=st.sampled_from([None, "member", "member", "guest", "external", "deactivated"]),
    raw=st.just({}),
)
member_events = st.builds(
    MemberEvent,
    source=sources,
    group=st.sampled_from(GROUPS),
    at=days,
    version=versions,
    add=some_members,
    remove=fewer_members,
    listing=st.none() | st.none() | some_members,
    raw=st.just({}),
)
container_events = st.builds(
    AudienceEvent,
    source=st.just("slack"),
    container=st.sampled_from(list(CONTAINERS.values())),
    item=st.none(),
    at=days,
    version=versions,
    audience=st.none() | audiences_of((*USERS, *GROUPS, "*")),
    verified_through=st.none() | days,
    live=st.booleans(),
    raw=st.just({}),
)
grants_given = st.builds(
    Grant, ref=st.sampled_from(list(CONTAINERS)), principal=st.sampled_from([*USERS, *GROUPS])
)
worlds = st.builds(
    World,
    said=st.lists(
        principal_events | member_events | member_events | container_events | grants_given, max_size=14
    ).map(tuple),
    in_batches=st.booleans(),
    audiences=st.frozensets(audiences_of((*USERS, *GROUPS, *CONTAINERS, "*")), min_size=1, max_size=6),
)
many = settings(
    max_examples=max(200, settings.default.max_examples if settings.default else 0),
)


# The facts


@many
@given(world=worlds)
def test_what_the_database_permits_is_the_rule_in_words(db: Database, world: World) -> None:
    rule = Rule(world.said)

    with undone(db) as conn:
        tell(conn, world)
        found = rows(conn, world.audiences)

    assert found == {name: rule.row(name, world.audiences) for name in NAMES}


@many
@given(world=worlds, draw=st.data())
def test_arrival_order_and_batches_change_nothing(db: Database, world: World, draw: st.DataObject) -> None:
    shuffled = World(tuple(draw.draw(st.permutations(world.said))), not world.in_batches, world.audiences)

    with undone(db) as conn:
        tell(conn, world)
        before = settled(conn)
    with undone(db) as conn:
        tell(conn, shuffled)
        after = settled(conn)
        directory.rebuild(conn, TENANT)
        again = settled(conn)

    assert before == after == again


@many
@given(world=worlds, on=st.none() | st.integers(0, LAST_DAY))
def test_who_can_names_those_the_rule_admits_by_what_was_said_until_then(
    db: Database, world: World, on: int | None
) -> None:
    until = day(LAST_DAY if on is None else on)
    rule = Rule(one for one in world.said if isinstance(one, Grant) or one.at <= until)

    with undone(db) as conn:
        tell(conn, world)
        found = {
            audience: {
                one.principal for one in who.who_can(conn, TENANT, audience, None if on is None else until)
            }
            for audience in world.audiences
        }

    assert found == {audience: rule.readers(audience) for audience in world.audiences}


@many
@given(world=worlds)
def test_whoever_may_read_is_told_why_and_nobody_else_is(db: Database, world: World) -> None:
    rule = Rule(world.said)

    with undone(db) as conn:
        tell(conn, world)
        told = {
            (name, audience): bool(who.why(conn, TENANT, audience, policy.permitted(conn, TENANT, name)))
            for name in USERS
            for audience in world.audiences
        }

    assert told == {(name, audience): name in rule.readers(audience) for name, audience in told}


# The same comparison, shown faults it must find


FAULTS = {
    "any clause is enough": ("permitted", "having count(*) = met.out_of", "having count(*) >= 1"),
    "a removal loses a tie": (
        "edges_until",
        "m.version desc, m.present limit",
        "m.version desc, m.present desc limit",
    ),
    "a listing does not put anyone out": (
        "edges_until",
        "else i.member is not null",
        "else coalesce(s.present, true)",
    ),
    "an addition outlives a later listing": (
        "edges_until",
        "(s.at, s.version) > (l.at, l.version)",
        "s.present",
    ),
    "absence from a listing loses a tie": ("edges_until", "s.present and i.member is not null", "s.present"),
    "guests are full members": ("permitted", "p.standing = 'member'", "p.standing is not null"),
    "the deactivated read on": ("permitted", "p.standing is distinct from 'deactivated'", "true"),
    "an alias two claim is the first one's": ("permitted", "having count(*) = 1", "having count(*) >= 1"),
    "an older statement decides": ("principals_until", "order by s.at desc", "order by s.at"),
    "the last audience of a container is its first": (
        "containers_until",
        "order by x.at desc",
        "order by x.at",
    ),
    "grants are forgotten": ("containers_until", "g.target = w.ref", "false"),
    "groups in groups are not followed": (
        "permitted",
        "m.member = any (c.frontier)",
        "m.member = c.subjects[1]",
    ),
}


def with_fault(statements: Mapping[str, LiteralString], fault: str) -> dict[str, LiteralString]:
    """The statements, one of them broken."""
    name, right, wrong = FAULTS[fault]
    assert right in statements[name]
    return {**statements, name: statements[name].replace(right, wrong)}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(db: Database, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    broken = with_fault(policy._SQL, fault)
    for module in (policy, directory, containers):
        monkeypatch.setattr(module, "_SQL", broken)

    world = find(
        worlds,
        lambda world: disagrees(db, world),
        settings=settings(max_examples=3000, database=None, phases=[Phase.generate], deadline=None),
    )

    monkeypatch.undo()
    assert not disagrees(db, world)
