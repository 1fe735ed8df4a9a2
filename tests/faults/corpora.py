"""Random records, day by day, and the ways in which one may arrive."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from muniment.app import Org
from muniment.events.accept import key_of
from muniment.events.parse import Parsed, parse_event
from muniment.gate.binding import writing
from muniment.jobs.rebuild import contents
from tests.faults.acts import Act, acts, refreshed
from tests.faults.canonical import CANONICAL
from tests.places import until
from tests.worlds import START, Clock, Event, at, member, open_org, person, said

PEOPLE = ("user:ann", "user:bo", "user:cy")
GROUPS = ("group:team", "group:board")
PLACES = ("hall", "attic")
SOURCES = ("chat", "docs")
NAMES = ("Acme", "Globex", "Initech")
AUDIENCES: tuple[object, ...] = (
    [["*"]],
    [["group:team"]],
    [["user:ann", "group:board"]],
    [["*"], ["group:board"]],
)


@dataclass(frozen=True)
class Grant:
    """A steward's word on an item or container, which may not be there."""

    principal: str
    target: str
    gives: bool


@dataclass(frozen=True)
class Day:
    """What is said in one day: accepted at one instant, in any order that keeps each key's own."""

    events: Sequence[Event]
    grants: Sequence[Grant]
    acts: Sequence[Act] = ()


def governed(draw: random.Random, *, days: int = 4, events: int = 15, each: int = 4) -> list[Day]:
    """A record in which people also decide, disclose, hold, erase, revert, and set how things count."""
    plain = corpus(draw, days=days, events=events)
    ids = sorted({str(one["id"]) for day in plain[1:] for one in day.events if one["op"] == "upsert"})
    ruled = [Day(refreshed(draw, day.events, ids), day.grants, acts(draw, each)) for day in plain[1:]]
    return [plain[0], *ruled]


def corpus(draw: random.Random, *, days: int = 4, events: int = 25, items: int = 9) -> list[Day]:
    """A record of people, containers and items, with everything that can happen to them."""
    ids = ["pep-0204", *(f"m{number}" for number in range(draw.randint(items // 3, items)))]
    opening = [person(who) for who in PEOPLE]
    return [Day(opening, [])] + [
        Day(
            [_event(draw, ids) for _ in range(events)], [_grant(draw, ids) for _ in range(draw.randint(0, 2))]
        )
        for _ in range(days)
    ]


def _event(draw: random.Random, ids: Sequence[str]) -> Event:
    source, id_, hours = draw.choice(SOURCES), draw.choice(ids), draw.randint(0, 48)
    if draw.random() < 0.55:
        return _upsert(draw, source, id_, hours, ids)
    make = draw.choice((_item_event, _item_event, _container, _directory, _entity, _topology))
    return make(draw, source, id_, hours)


def _upsert(draw: random.Random, source: str, id_: str, hours: int, ids: Sequence[str]) -> Event:
    authors = (*PEOPLE, None, "bo@example.org", "user:cy@example.org")
    fields: dict[str, object] = {"source": source, "author": draw.choice(authors)}
    # Sometimes both: the explicit audience wins.
    fields["audience"] = draw.choice((None, draw.choice(AUDIENCES)))
    if draw.random() < 0.7:
        fields["container"] = draw.choice(PLACES)
    fields |= _kind(draw)
    if draw.random() < 0.5:
        fields |= {"version": draw.choice(("1", "2", "3.5", "10", "draft"))}
    if draw.random() < 0.25:
        fields["derived_from"] = [f"{draw.choice(SOURCES)}:{draw.choice(ids)}"]
    for name in ("account", "project", "service"):
        if draw.random() < 0.3:
            fields[name] = draw.choice(NAMES)
    for relation in ("supersedes", "amends", "superseded_by"):
        if draw.random() < 0.15:
            fields[relation] = [draw.choice(ids)]
    if draw.random() < 0.2:
        fields["valid_from"] = at(draw.randint(0, 3000))
    sentences = [_sentence(draw) for _ in range(draw.randint(1, 4))]
    return said(id_, draw.choice((" ", "\n\n")).join(sentences), hours, **fields)


def _kind(draw: random.Random) -> dict[str, object]:
    title = draw.choice(("Travel policy", "PEP 204", draw.choice(NAMES)))
    kinds: list[dict[str, object]] = [{"kind": "document", "title": title}, {"kind": "email"}, {}]
    return draw.choices(kinds, weights=(2, 1, 2))[0]


def _sentence(draw: random.Random) -> str:
    name = draw.choice(NAMES)
    attribute = draw.choice(("renewal date", "rate limit", "discount", "owner"))
    value = draw.choice(("2027-03-01", "600", "12 %", "Ann Lee", "三天"))
    forms = (
        f"The {attribute} of {name} is {value}.",
        f"We decided that the {attribute} for {name} is {value}.",
        f"{name} 的 {attribute} 是 {value}。",
        f"I will send {name} the {attribute} by Friday.",
        f"This policy replaces the Travel policy. See Section 4.2 of PEP 204. 本办法修订《{name}》。",
        "> quoted: call 555-0199",
    )
    return draw.choice(forms)


def _item_event(draw: random.Random, source: str, id_: str, hours: int) -> Event:
    plain: dict[str, object] = {"source": source, "id": id_, "at": at(hours)}
    start = draw.randint(0, 20)
    all_that_can_happen: tuple[dict[str, object], ...] = (
        {"op": "delete"},
        {"op": "restore"},
        {"op": "recall"},
        {"op": "close", "state": draw.choice(("done", "rejected"))},
        {"op": "redact", "spans": [[start, start + draw.randint(1, 9)]]},
        {"op": "redact", "version": "2", "spans": [[start, start + 4]]},
        {"op": "move", "to": {"container": draw.choice(PLACES)}},
        {"op": "move", "to": {"thread": "t1"}},
        {"op": "move", "to": f"{id_}-moved"},
        {"op": "merge", "into": f"{draw.choice(SOURCES)}:m1"},
    )
    what = draw.choice(all_that_can_happen)
    if draw.random() < 0.2:
        plain = {"source": source, "item": id_, "at": at(hours)}
        what = {"op": "audience", "audience": draw.choice(AUDIENCES)}
    return {**plain, **what}


def _container(draw: random.Random, source: str, _id: str, hours: int) -> Event:
    event: dict[str, object] = {"op": "audience", "source": source, "container": draw.choice(PLACES)}
    event["at"] = at(hours)
    event["live"] = draw.random() < 0.3
    if draw.random() < 0.7:
        event["audience"] = draw.choice(AUDIENCES)
    if draw.random() < 0.7:
        event["verified_through"] = at(draw.randint(0, 48))
    return event


def _directory(draw: random.Random, _source: str, _id: str, hours: int) -> Event:
    who, group = draw.choice(PEOPLE), draw.choice(GROUPS)
    return draw.choice(
        (
            member(group, who, hours=hours),
            member(group, hours=hours, add=[], remove=[who]),
            member(group, hours=hours, add=[], set=draw.sample([*PEOPLE, "group:team"], 2)),
            person(who, hours, emails=[f"{who[5:]}@example.org"], aliases=[f"chat:{who}"]),
            person(who, hours, standing=draw.choice(("member", "guest", "deactivated"))),
        )
    )


def _entity(draw: random.Random, source: str, _id: str, hours: int) -> Event:
    name = draw.choice(NAMES)
    return {
        "op": "entity",
        "source": source,
        "id": f"acct-{draw.randint(0, 2)}",
        "at": at(hours),
        "entity_kind": "account",
        "name": f"{name} {draw.choice(('GmbH', 'Ltd'))}",
        "aliases": [name],
        "domains": [],
        "audience": draw.choice(AUDIENCES),
    }


def _topology(draw: random.Random, source: str, _id: str, hours: int) -> Event:
    edges = [[draw.choice(NAMES), "leans_on", draw.choice(NAMES)] for _ in range(2)]
    audience = draw.choice(AUDIENCES)
    return {"op": "topology", "source": source, "at": at(hours), "edges": edges, "audience": audience}


def _grant(draw: random.Random, ids: Sequence[str]) -> Grant:
    target = f"{draw.choice(SOURCES)}:{draw.choice((*ids, *PLACES))}"
    return Grant(draw.choice((*PEOPLE, "group:team")), target, draw.random() < 0.7)


def key(event: Event) -> tuple[str, str]:
    """The stream an event belongs to."""
    parsed = parse_event(event)
    assert isinstance(parsed, Parsed), parsed
    return key_of(parsed.event)


def reordered(draw: random.Random, events: Sequence[Event]) -> list[Event]:
    """The events in another order across keys, each key's own order kept."""
    left: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        left.setdefault(key(event), []).append(event)
    order = [name for name, own in left.items() for _ in own]
    draw.shuffle(order)
    return [left[name].pop(0) for name in order]


def split(draw: random.Random, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """The same events in batches of any size."""
    start = 0
    while start < len(events):
        size = draw.randint(1, 12)
        yield events[start : start + size]
        start += size


Bring = Callable[[Org, Sequence[Event], Sequence[Event]], None]


def at_once(org: Org, events: Sequence[Event], _before: Sequence[Event]) -> None:
    """Everything in one batch, compiled before it returns."""
    org.ingest(events)


def scattered(draw: random.Random) -> Bring:
    """In another order across keys, in small batches, with replays of what was said before."""

    def bring(org: Org, events: Sequence[Event], before: Sequence[Event]) -> None:
        for batch in split(draw, reordered(draw, events)):
            org.ingest(batch, defer=draw.random() < 0.5)
            if before:
                replayed = org.ingest(draw.sample(before, min(3, len(before))))
                assert replayed.accepted == 0, replayed.items
        org.sync()

    return bring


def crowded(draw: random.Random, workers: int = 3) -> Bring:
    """By two writers at once, each with its own keys, while several workers compile."""

    def bring(org: Org, events: Sequence[Event], _before: Sequence[Event]) -> None:
        mixed = reordered(draw, events)
        own = {name: draw.random() < 0.5 for name in {key(event) for event in events}}
        halves = [[event for event in mixed if own[key(event)] is side] for side in (True, False)]
        plans = [list(split(draw, half)) for half in halves]
        finished = threading.Event()
        writers = [partial(_hand_in, org, plan) for plan in plans]
        compilers = [partial(_work_until, org, finished)] * workers
        with crew(compilers):
            with crew(writers):
                pass
            finished.set()
        org.sync()

    return bring


def _hand_in(org: Org, plan: Sequence[Sequence[Event]]) -> None:
    for batch in plan:
        org.ingest(batch, defer=True)


def _work_until(org: Org, finished: threading.Event) -> None:
    while not finished.is_set():
        if not org.work():
            finished.wait(0.005)


class crew:  # noqa: N801  # used as a statement
    """Threads that run together; leaving waits for them and raises what the first of them raised."""

    def __init__(self, acts: Iterable[Callable[[], object]]) -> None:
        self._failed: list[BaseException] = []
        self._threads = [threading.Thread(target=self._run, args=(act,), daemon=True) for act in acts]

    def _run(self, act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
            self._failed.append(error)

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive(), "a thread hangs"
        if self._failed:
            raise self._failed[0]


def play(url: str, tenant: str, days: Sequence[Day], bring: Bring, went: list[str] | None = None) -> Org:
    """The record after these days, opened; each day is accepted at its own instant.

    went: gets how each act went.
    """
    clock = Clock(START)
    org = open_org(url, tenant, clock)
    before: list[Event] = []
    for number, day in enumerate(days):
        clock.at = START + timedelta(days=100 + number)
        bring(org, day.events, before)
        settled(org)
        # What was reverted or let go of may rightly come anew, and then is no replay.
        before = [] if day.acts else [*before, *day.events]
        clock.at += timedelta(hours=1)
        for grant in day.grants:
            _give(org, grant)
        for act in day.acts:
            clock.at += timedelta(minutes=1)
            how = act(org)
            if went is not None:
                went.append(how)
            settled(org)
    return org


def _give(org: Org, grant: Grant) -> None:
    steward = org.steward("user:owner")
    targets = {f"{row[0]}:{row[1]}" for row in rows(org, TARGETS)}
    if grant.target in targets:
        act = steward.grant_read if grant.gives else steward.revoke_read
        act(grant.principal, grant.target)


def settled(org: Org) -> None:
    """Wait until no key is due; none may be dead."""
    until(lambda: org.work() == 0 and org.steward("user:owner").status().queue.waiting == 0)
    assert org.steward("user:owner").status().queue.dead == 0


TARGETS = """
select source, id from muniment.item where tenant = %(tenant)s
 union
select split_part(ref, ':', 2), split_part(ref, ':', 3) from muniment.container where tenant = %(tenant)s
"""


def rows(org: Org, statement: str) -> list[tuple[object, ...]]:
    """What a statement finds in the organisation's record."""
    with writing(org._work.database, org.tenant) as conn:
        return sorted(conn.execute(statement.encode(), {"tenant": org.tenant}).fetchall(), key=repr)


def record(org: Org) -> dict[str, list[str]]:
    """Everything the record holds, canonical and derived, row by row, without what chance gave."""
    found = {name: [repr(row) for row in rows(org, statement)] for name, statement in CANONICAL.items()}
    with writing(org._work.database, org.tenant) as conn:
        return {**found, **contents(conn, org.tenant)}


def difference(one: dict[str, list[str]], other: dict[str, list[str]]) -> str:
    """Where two records differ, table by table; empty where they do not."""
    said_of = []
    for table, said_here in one.items():
        lost, new = set(said_here) - set(other[table]), set(other[table]) - set(said_here)
        if lost or new or len(said_here) != len(other[table]):
            said_of.append(f"{table}: only first {sorted(lost)[:3]}, only second {sorted(new)[:3]}")
    return "\n".join(said_of)
