"""A reply depends on what the caller may read, the request and the clock, and on nothing hidden.

Each pair of worlds shares what Ann may read. The second holds more: hidden items that repeat, contradict,
confirm, supersede and rename what she sees, and are edited, deleted and redacted. Every reply must be the
same, byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pytest

from muniment.app import Org, Steward
from muniment.claims.references import references_from, references_to, waiting
from muniment.domain.entities import Parting, Terms
from muniment.domain.errors import MunimentError
from muniment.domain.events import ItemRef
from muniment.domain.values import dump
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.index.projection import item_uuid
from muniment.jobs.distil import distil_due
from muniment.store.pool import Connection
from muniment.view import View
from tests.conftest import PROVE
from tests.doubles import CountingModel, of_all_sorts
from tests.exported import wiki_of
from tests.ledgers import HANDED_OVER, LEDGERS
from tests.planted import plant
from tests.worlds import Event, at, member, open_org, person, said

Asked = TypeVar("Asked", View, Steward)

PAIRS = 6  # `make prove` runs 2,000; this many keep CI within its time
PARTS = 3  # of them, each a test of its own, so that workers share them
NAMES = ("Acme", "Globex", "Initech", "Umbrella")
ATTRIBUTES = ("renewal date", "rate limit", "discount", "owner")
VALUES = ("2027-03-01", "2027-04-15", "600", "900", "12 %", "18 %", "Ann Lee", "Bo Chan", "三天", "五天")
REFERENCES = (
    "See the {}.",
    "This policy replaces the {}.",
    "This policy amends the {}.",
    "This policy is superseded by the {}.",
    "本办法取代《{}》。",
)
PEOPLE = ("user:ann", "user:bo", "user:cy")
HOLDING = "Zeta Holding"  # which nobody names but who may not be read
ALIASES = """
  - means: Acme
    names: [艾克米, Acme Works]
  - means: renewal date
    names: [续约日期, term end]
"""
HIDDEN_ALIASES = """
  - means: Globex
    kind: account
    names: [Acme, Initech, 环球]
    audience: [group:board]
  - means: rate limit
    names: [discount, quota]
    audience: [group:board]
"""
HIDDEN = ([["user:cy"]], [["group:board"]], [["*"], ["group:board"]])
VISIBLE = ([["*"]], [["group:team"]], [["user:ann", "group:board"]])


def cast() -> list[Event]:
    people = [
        person(who, name=f"{who[5:].title()} Chan", emails=[f"{who[5:]}@corp.example"]) for who in PEOPLE
    ]
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
    if draw.random() < 0.5:
        called = draw.choice(("Pricing policy", "Travel policy", *NAMES))
        text = f"{draw.choice(REFERENCES).format(called)} {text}"
    return said(id_, text, draw.randint(0, 40), **fields)


def changed(draw: random.Random, event: Event) -> list[Event]:
    """What may happen to a hidden item afterwards."""
    plain = {"source": "chat", "id": event["id"]}
    edited = {**event, "at": at(60), "body": sentence(draw)}
    deleted = {**plain, "op": "delete", "at": at(70)}
    redacted = {**plain, "op": "redact", "at": at(65), "spans": [[0, 5]]}
    closed = {**plain, "op": "close", "at": at(66), "state": "done"}
    recalled = {**plain, "op": "recall", "at": at(67)}
    alone: list[list[Event]] = [[one] for one in (edited, deleted, redacted, closed, recalled)]
    return draw.choice([[], *alone, [edited, deleted]])


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
    hidden.append({**entity(draw, 9), "name": HOLDING, "aliases": [draw.choice(NAMES)]})
    # Anywhere among the shared ones, and among themselves in order: an edit comes after what it edits.
    places = sorted(draw.randint(0, len(shared)) for _ in hidden)
    mixed = list(shared)
    for place, event in reversed(list(zip(places, hidden, strict=True))):
        mixed.insert(place, event)
    return [*cast(), *shared], [*cast(), *mixed]


def references(ann: View) -> object:
    """What leads from and to items, hidden ones asked for too, and what Ann sees no one target of."""
    with ann._reading() as reader:
        refs = [ItemRef("chat", f"{letter}{number}") for letter in "mh" for number in range(10)]
        items = [item_uuid(reader.key, ref) for ref in refs]
        found = [*references_from(reader, items), *references_to(reader, items)]
        left = [(row.item.hex, row.kind, row.name) for row in waiting(reader, items)]
    return [[one.kind, one.inverse, one.stater.id, one.target.id, str(one.passage)] for one in found], left


ASKS: tuple[Callable[[View], object], ...] = (
    lambda ann: ann.ask("What is the renewal date of Acme?"),
    lambda ann: ann.ask("Who owns Umbrella?"),
    lambda ann: ann.ask("Acme 的 discount 是多少？"),
    lambda ann: ann.ask("What is the pricing policy?"),
    lambda ann: ann.ask("What is the rate limit of Initech?"),
    lambda ann: ann.ask("What is the term end of 艾克米?"),
    lambda ann: ann.ask("What is the quota of 环球?"),
    lambda ann: [
        ann.explain(citation.id) for citation in ann.ask("What is the discount of Globex?").citations
    ],
)
SEARCHES: tuple[Callable[[View], object], ...] = (
    lambda ann: ann.search("rate limit", limit=20),
    lambda ann: ann.search("renewal date", unit="passage", limit=20),
    lambda ann: ann.search("discount", unit="claim"),
    lambda ann: ann.search("acme globex", unit="page"),
    lambda ann: ann.search("date", entity="acme", limit=20),
    lambda ann: ann.search("quota 续约日期"),
)
LOOKS: tuple[Callable[[View], object], ...] = (
    lambda ann: ann.context("Draft the renewal offer for Globex", budget=400),
    lambda ann: ann.context("Everything about Acme", budget=60),
    lambda ann: ann.pages(),
    lambda ann: ann.page("acme"),
    lambda ann: ann.page("pricing policy"),
    lambda ann: ann.page("acct-1"),
    lambda ann: ann.changes("acme", at(0)),
    lambda ann: ann.changes("pricing policy", "2026-11-30T09:00:00Z"),
    lambda ann: ann.page(HOLDING),
    lambda ann: ann.page("user:bo"),
    lambda ann: ann.page("Bo Chan"),
    lambda ann: ann.timeline("user:cy"),
    lambda ann: ann.timeline("globex"),
    lambda ann: ann.conflicts(),
    references,
    lambda ann: [
        ann.history(claim.id) for section in ann.page("globex").sections for claim in section.claims
    ],
    lambda ann: ann.explain("c_" + "0" * 32),
    lambda ann: ann.locate("acme"),
    lambda ann: ann.locate("pricing policy", limit=2),
    lambda ann: ann.locate("discount", within="globex"),
    lambda ann: [ann.expand(node.id, hops=2) for node in ann.locate("policy")],
    lambda ann: [ann.expand(node.id, limit=3, budget=400) for node in ann.locate("renewal date")],
    lambda ann: [ann.expand(f"chat:{id_}", hops=3) for id_ in ("m0", "m1", "m2")],
    lambda ann: ann.expand("globex"),
    lambda ann: ann.expand("acct-1"),
    lambda ann: ann.expand("chat:h0"),
    lambda ann: ann.expand("item_" + "0" * 32),
    wiki_of,
    *LEDGERS,
)
READS = (*ASKS, *SEARCHES, *LOOKS)
WRITES: tuple[Callable[[View], object], ...] = (
    lambda ann: ann.remember("The renewal date of Acme is 2027-03-01. Bo should be asked before we say so."),
    lambda ann: ann.remember(
        "Initech is slow.", [one.id for one in ann.ask("What is the rate limit?").citations]
    ),
    lambda ann: ann.remember("Umbrella wants more.", ["c_" + "0" * 32]),
    lambda ann: [
        ann.report(hit.citation.id, "not true")
        for hit in ann.search("discount", limit=2, unit="passage")
        if hit.citation is not None
    ],
    lambda ann: ann.search("Bo should be asked", limit=5),
    *HANDED_OVER,
)
REQUESTS = (*READS, *WRITES)
# What a steward may see of content is what they may read; Ann is one.
DESK: tuple[Callable[[Steward], object], ...] = (
    lambda ann: ann.candidates(),
    lambda ann: ann.stale(),
    lambda ann: ann.reports(),
    lambda ann: ann.recalled(),
    lambda ann: ann.aliases(),
    lambda ann: ann.entities(),
    lambda ann: ann.entity("acme"),
    lambda ann: ann.entity_decisions(),
    lambda ann: ann.merge("acme", HOLDING, Terms(dry_run=True)),
    lambda ann: ann.merge("globex", "umbrella", Terms(dry_run=True)),
    lambda ann: ann.distil_plan(CountingModel(name="another"), limit=3),
    lambda ann: ann.distil_plan(CountingModel(), limit=3),
    lambda ann: ann.distil_costs(),
)


Requests = Sequence[Callable[[View], object]]


def reply(ask: Callable[[Asked], object], ann: Asked) -> str:
    try:
        return json.dumps(dump(ask(ann)), ensure_ascii=False, sort_keys=True)
    except MunimentError as error:
        return f"{type(error).__name__}: {error}"


def replies(org: Org, requests: Requests, draw: random.Random) -> list[str]:
    """What Ann is told, each reply after what was asked: in CI a third of it where she asks for the past."""
    found = []
    for when in ({"as_of": at(1500)}, {"known_at": at(100_000)}, {}):
        ann = org.reader("user:ann", **when)
        asked = draw.sample(requests, len(requests) // 3) if when and not PROVE else requests
        found += [f"request {REQUESTS.index(ask)} {when}: {reply(ask, ann)}" for ask in asked]
    return found


def desk(org: Org) -> list[str]:
    ann = org.steward("user:ann")
    return [f"desk {number}: {reply(ask, ann)}" for number, ask in enumerate(DESK)]


def as_it_is(_: Org) -> None:
    """No planted fault."""


def acted_on(org: Org, draw: random.Random) -> None:
    """What stewards may do to hidden items afterwards, each in the audit."""
    owner = org.steward("user:owner")
    owner.grant_role("user:ann", "steward")
    owner.grant_role("user:cy", "steward")
    owner.set_aliases(f"aliases:{ALIASES}")
    hidden = sorted(_hidden_ids(org))
    if hidden:
        settled_on(org.steward("user:cy"), draw, hidden)
    for id_ in draw.sample(hidden, min(2, len(hidden))):
        draw.choice((owner.erase, lambda target: owner.add_hold(target, "a case")))(f"chat:{id_}")


def settled_on(cy: Steward, draw: random.Random, hidden: Sequence[str]) -> None:
    """What is settled of names by who sees more: all of it rests on something hidden."""
    acts: list[Callable[[], object]] = [
        lambda: cy.set_aliases(f"aliases:{HIDDEN_ALIASES}{ALIASES}"),
        lambda: cy.merge(HOLDING, draw.choice(NAMES)),
        lambda: cy.split(draw.choice(NAMES), "Zeta Press", Parting(items=[f"chat:{draw.choice(hidden)}"])),
        lambda: cy.undo_entities(cy.merge(draw.choice(NAMES), HOLDING).id or ""),
    ]
    for act in acts:
        with suppress(MunimentError):  # what is hidden may be deleted, or unclear to Cy
            act()


def _hidden_ids(org: Org) -> list[str]:
    with writing(org._work.database, org.tenant) as conn:
        rows = conn.execute(HIDDEN_IDS, {"tenant": org.tenant}).fetchall()
    return [row[0] for row in rows]


def pair(
    url: str,
    name: str,
    seed: int,
    plant: Callable[[Org], None] = as_it_is,
    requests: Requests = REQUESTS,
) -> tuple[list[str], list[str]]:
    both = []
    for number, events in enumerate(worlds(seed)):
        with open_org(url, f"{name}-{seed}-{number}") as org:
            receipt = org.ingest(events)
            assert receipt.quarantined == 0, [one.reason for one in receipt.items if one.reason]
            plant(org)
            # A model reads on alone: what it may not tell Ann it must not let her see either.
            distil_due(org._work, CountingModel(of_all_sorts))
            acted_on(org, random.Random(seed))
            both.append([*replies(org, requests, random.Random(seed)), *desk(org)])
    return both[0], both[1]


def first_difference(one: Sequence[str], other: Sequence[str]) -> str | None:
    return next((f"{left}\n{right}" for left, right in zip(one, other, strict=True) if left != right), None)


@pytest.mark.parametrize("part", range(PARTS))
def test_hidden_data_changes_no_byte_of_any_reply(
    url: str, tenant: str, seed: int, part: int, *, prove: bool
) -> None:
    for number in range(part, 2000 if prove else PAIRS, PARTS):
        difference = first_difference(*pair(url, tenant, seed + number))

        assert difference is None, f"MUNIMENT_SEED={seed + number}\n{difference}"


HIDDEN_IDS = (
    "select id from muniment.item where tenant = %(tenant)s and source = 'chat' and starts_with(id, 'h')"
)
EVERY_AUDIENCE_FOR_ANN = """
insert into muniment.audience_clause (tenant, member, audience, clause, out_of)
select tenant, 'user:ann', audience, clause, out_of
  from muniment.audience_clause
 where tenant = %(tenant)s
    on conflict do nothing
"""
EVERY_INDEXED_AUDIENCE = "select distinct audience from muniment.posting_segment where tenant = %(tenant)s"


def ann_satisfies_everything(org: Org) -> None:
    with writing(org._work.database, org.tenant) as conn:
        conn.execute(EVERY_AUDIENCE_FOR_ANN, {"tenant": org.tenant})


def test_the_check_sees_a_leak(url: str, tenant: str, seed: int) -> None:
    """Planted fault: whoever asks is permitted every audience."""
    pairs = (pair(url, tenant, seed + number, ann_satisfies_everything, SEARCHES) for number in range(15))

    assert any(first_difference(*one) for one in pairs)


def shared_statistics(
    conn: Connection, tenant: str, era: int, lexemes: Sequence[str], audiences: Sequence[int], *, limit: int
) -> lexical.Scores:
    """Only permitted documents, by frequencies and lengths over all there are: how most search works."""
    mine = SEARCH(conn, tenant, era, lexemes, audiences, limit=limit)
    conn.execute("set local role muniment_writer")
    everyone = [row[0] for row in conn.execute(EVERY_INDEXED_AUDIENCE, {"tenant": tenant})]
    whole = SEARCH(conn, tenant, era, lexemes, everyone, limit=10_000)
    conn.execute("set local role muniment_reader")
    permitted = np.isin(whole.docs, mine.docs)
    return replace(mine, docs=whole.docs[permitted], scores=whole.scores[permitted])


SEARCH = lexical.search


def test_the_check_sees_shared_ranking_statistics(
    url: str, tenant: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, lexical, "search", shared_statistics)
    pairs = (pair(url, tenant, seed + number, requests=SEARCHES) for number in range(15))

    assert any(first_difference(*one) for one in pairs)
