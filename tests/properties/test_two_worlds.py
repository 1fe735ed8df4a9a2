"""A reply depends on what the caller may read, the request and the clock, and on nothing hidden.

Each pair of worlds shares what Ann may read. The second holds more: hidden items that repeat, contradict,
confirm, supersede and rename what she sees, and are edited, deleted and redacted. Every reply must be the
same, byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

from muniment.app import Org
from muniment.domain.errors import Refused
from muniment.domain.values import dump
from muniment.gate.binding import writing
from muniment.view import View
from tests.worlds import Event, at, member, open_org, person, said

PAIRS = 30  # `make prove` runs 2,000; this many keep CI within its time
NAMES = ("Acme", "Globex", "Initech", "Umbrella")
ATTRIBUTES = ("renewal date", "rate limit", "discount", "owner")
VALUES = ("2027-03-01", "2027-04-15", "600", "900", "12 %", "18 %", "Ann Lee", "Bo Chan", "三天", "五天")
PEOPLE = ("user:ann", "user:bo", "user:cy")
HIDDEN = ([["user:cy"]], [["group:board"]], [["*"], ["group:board"]])
VISIBLE = ([["*"]], [["group:team"]], [["user:ann", "group:board"]])


def cast() -> list[Event]:
    people = [person(who) for who in PEOPLE]
    return [*people, member("group:team", "user:ann", "user:bo"), member("group:board", "user:cy")]


def sentence(draw: random.Random) -> str:
    name, attribute, value = draw.choice(NAMES), draw.choice(ATTRIBUTES), draw.choice(VALUES)
    forms = (
        f"The {attribute} of {name} is {value}.",
        f"{name}'s {attribute} is {value}.",
        f"We decided that the {attribute} for {name} is {value}.",
        f"{name} 的 {attribute} 是 {value}。",
        f"I will send {name} the {attribute} by Friday.",
    )
    return draw.choice(forms)


def item(draw: random.Random, id_: str, audiences: Sequence[object], targets: Sequence[str]) -> Event:
    fields: dict[str, object] = {"audience": draw.choice(audiences), "author": draw.choice(PEOPLE)}
    if draw.random() < 0.4:
        fields |= {
            "kind": "document",
            "title": draw.choice(("Pricing policy", "Travel policy", draw.choice(NAMES))),
        }
    if draw.random() < 0.5:
        fields["account"] = draw.choice(NAMES)
    if targets and draw.random() < 0.3:
        fields[draw.choice(("supersedes", "amends"))] = [draw.choice(targets)]
    if draw.random() < 0.2:
        fields["valid_from"] = at(draw.randint(0, 3000))
    text = " ".join(sentence(draw) for _ in range(draw.randint(1, 4)))
    return said(id_, text, draw.randint(0, 40), **fields)


def changed(draw: random.Random, event: Event) -> list[Event]:
    """What may happen to a hidden item afterwards."""
    plain = {"source": "chat", "id": event["id"]}
    edited = {**event, "at": at(60), "body": sentence(draw)}
    deleted = {**plain, "op": "delete", "at": at(70)}
    redacted = {**plain, "op": "redact", "at": at(65), "spans": [[0, 5]]}
    closed = {**plain, "op": "close", "at": at(66), "state": "done"}
    recalled = {**plain, "op": "recall", "at": at(67)}
    ways: tuple[list[Event], ...] = (
        [],
        [edited],
        [deleted],
        [redacted],
        [closed],
        [recalled],
        [edited, deleted],
    )
    return draw.choice(ways)


def entity(draw: random.Random, number: int) -> Event:
    name = draw.choice(NAMES)
    return {
        "op": "entity",
        "source": "crm",
        "id": f"acct-{number}",
        "at": at(1),
        "entity_kind": "account",
        "name": f"{name} {draw.choice(('GmbH', 'Ltd'))}",
        "aliases": [name],
        "domains": [],
        "audience": draw.choice(HIDDEN),
    }


def worlds(seed: int) -> tuple[list[Event], list[Event]]:
    """The events of both worlds: the second is the first with hidden ones mixed in."""
    draw = random.Random(seed)
    open_ids = [f"m{number}" for number in range(draw.randint(3, 8))]
    shared = [item(draw, id_, VISIBLE, open_ids) for id_ in open_ids]
    hidden_ids = [f"h{number}" for number in range(draw.randint(1, 6))]
    hidden = [item(draw, id_, HIDDEN, open_ids + hidden_ids) for id_ in hidden_ids]
    hidden += [change for event in list(hidden) for change in changed(draw, event)]
    hidden += [entity(draw, number) for number in range(draw.randint(0, 2))]
    # Anywhere among the shared ones, and among themselves in order: an edit comes after what it edits.
    places = sorted(draw.randint(0, len(shared)) for _ in hidden)
    mixed = list(shared)
    for place, event in reversed(list(zip(places, hidden, strict=True))):
        mixed.insert(place, event)
    return [*cast(), *shared], [*cast(), *mixed]


REQUESTS: tuple[Callable[[View], object], ...] = (
    lambda ann: ann.ask("What is the renewal date of Acme?"),
    lambda ann: ann.ask("Who owns Umbrella?"),
    lambda ann: ann.ask("Acme 的 discount 是多少？"),
    lambda ann: ann.ask("What is the pricing policy?"),
    lambda ann: ann.ask("What is the rate limit of Initech?"),
    lambda ann: ann.search("rate limit", limit=20),
    lambda ann: ann.search("renewal date", unit="passage", limit=20),
    lambda ann: ann.search("discount", unit="claim"),
    lambda ann: ann.search("acme globex", unit="page"),
    lambda ann: ann.context("Draft the renewal offer for Globex", budget=400),
    lambda ann: ann.context("Everything about Acme", budget=60),
    lambda ann: ann.pages(),
    lambda ann: ann.page("acme"),
    lambda ann: ann.page("pricing policy"),
    lambda ann: ann.page("acct-1"),
    lambda ann: ann.timeline("globex"),
    lambda ann: ann.conflicts(),
    lambda ann: [
        ann.explain(citation.id) for citation in ann.ask("What is the discount of Globex?").citations
    ],
    lambda ann: [
        ann.history(claim.id) for section in ann.page("globex").sections for claim in section.claims
    ],
    lambda ann: ann.explain("c_" + "0" * 32),
)


def reply(ask: Callable[[View], object], ann: View) -> str:
    try:
        return json.dumps(dump(ask(ann)), ensure_ascii=False, sort_keys=True)
    except Refused as refused:
        return f"refused: {refused}"


def replies(org: Org, *, known_at: str | None = None, as_of: str | None = None) -> list[str]:
    ann = org.reader("user:ann", as_of=as_of, known_at=known_at)
    return [reply(ask, ann) for ask in REQUESTS]


def as_it_is(_: Org) -> None:
    """No planted fault."""


def pair(
    url: str, name: str, seed: int, plant: Callable[[Org], None] = as_it_is
) -> tuple[list[str], list[str]]:
    both = []
    for number, events in enumerate(worlds(seed)):
        with open_org(url, f"{name}-{seed}-{number}") as org:
            receipt = org.ingest(events)
            assert receipt.quarantined == 0, [one.reason for one in receipt.items if one.reason]
            plant(org)
            both.append([*replies(org), *replies(org, as_of=at(1500)), *replies(org, known_at=at(100_000))])
    return both[0], both[1]


def first_difference(one: Sequence[str], other: Sequence[str]) -> str | None:
    for number, (left, right) in enumerate(zip(one, other, strict=True)):
        if left != right:
            return f"request {number % len(REQUESTS)}:\n{left}\n{right}"
    return None


def test_hidden_data_changes_no_byte_of_any_reply(url: str, tenant: str, seed: int, *, prove: bool) -> None:
    for number in range(2000 if prove else PAIRS):
        difference = first_difference(*pair(url, tenant, seed + number))

        assert difference is None, f"MUNIMENT_SEED={seed + number}\n{difference}"


EVERY_AUDIENCE_FOR_ANN = """
insert into muniment.audience_clause (tenant, member, audience, clause, out_of)
select tenant, 'user:ann', audience, clause, out_of
  from muniment.audience_clause
 where tenant = %(tenant)s
    on conflict do nothing
"""


def ann_satisfies_everything(org: Org) -> None:
    with writing(org._work.database, org.tenant) as conn:
        conn.execute(EVERY_AUDIENCE_FOR_ANN, {"tenant": org.tenant})


def test_the_check_sees_a_leak(url: str, tenant: str, seed: int) -> None:
    """Planted fault: whoever asks is permitted every audience."""
    pairs = (pair(url, tenant, seed + number, ann_satisfies_everything) for number in range(5))

    assert any(first_difference(*one) for one in pairs)
