"""Who stands beside whom in a talk depends on what the reader may read, and not on how it came in.

Worlds of talk: threads and channels of several audiences, turns at one instant, items that move, are edited,
redacted, recalled and deleted. Of two worlds that share what Ann may read she is told the same, byte for
byte; and so she is where the same events arrived in another order, or the record was rebuilt.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import pytest

import muniment
from muniment.app import Org
from muniment.domain.values import dump
from muniment.jobs.rebuild import rebuild
from muniment.models.scripted import ScriptedEmbedder
from muniment.settings import Settings
from muniment.view import View
from tests.worlds import KEY, Clock, Event, at, member, person, said, taken, within

WORLDS = 1  # a test; 300 in `make prove`
WORDS = "budget freeze ship rollback Acme invoice office lease audit bicycle lunch deploy Friday".split()
PEOPLE = ("user:ann", "user:bo", "user:cy", "Release Bot")
VISIBLE = ([["*"]], [["group:team"]])
HIDDEN = ([["user:cy"]], [["group:board"]], [["group:team"], ["group:board"]])
ENDS = (
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
)  # times that sources write where they have none
QUESTIONS = (
    "What did Bo say about the budget?",
    "When did we ship the rollback on 2 June 2026?",
    "the latest deploy",
    "How many invoices had Acme in June?",
    "谁 audit?",
    "What was the first meeting about the lease in mid January?",
)


def talk(draw: random.Random, letter: str, number: int, audiences: Sequence[object]) -> list[Event]:
    """An item of a talk and what becomes of it."""
    id_ = f"{letter}{draw.choice(('', 'x', '7-'))}{number if draw.random() < 0.5 else chr(97 + number)}"
    hours = draw.choice((1, 1, 1, 2, 3, 20, 21, 40))
    fields: dict[str, object] = {
        "audience": draw.choice(audiences),
        "author": draw.choice(PEOPLE),
        "kind": draw.choice(("message", "message", "message", "email", "note", "document", "meeting")),
    }
    if draw.random() < 0.7:
        fields["container"] = draw.choice(("general", "ops"))
    elif draw.random() < 0.3:
        fields["participants"] = draw.sample(PEOPLE[:3], 2)
    if draw.random() < 0.4:
        fields["thread"] = draw.choice(("t1", "t2"))
    event = said(id_, words(draw), hours, **fields)
    if draw.random() < 0.1:
        event = {**event, "at": draw.choice(ENDS)}
    return [event, *after(draw, event)]


def words(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(1, 6))) + draw.choice((".", "?", " 3 days ago."))


def after(draw: random.Random, event: Event) -> list[Event]:
    plain = {"source": "chat", "id": event["id"]}
    changes: list[list[Event]] = [
        [{**event, "at": at(60), "body": words(draw)}],
        [{**event, "at": at(60), "container": "ops", "thread": "t1"}],
        [{**plain, "op": "redact", "at": at(61), "spans": [[0, 3]]}],
        [{**plain, "op": "recall", "at": at(62)}],
        [{**plain, "op": "delete", "at": at(63)}],
        [{**plain, "op": "move", "at": at(64), "to": {"id": f"{event['id']}-moved", "container": "general"}}],
    ]
    return draw.choice([[], [], [], *changes])


def worlds(seed: int) -> tuple[list[Event], list[Event]]:
    draw = random.Random(seed)
    shared = [talk(draw, "m", number, VISIBLE) for number in range(14)]
    hidden = [talk(draw, "h", number, HIDDEN) for number in range(10)]
    one = [event for each in shared for event in each]
    places = sorted(draw.randint(0, len(one)) for _ in hidden)
    two = list(one)
    for place, each in reversed(list(zip(places, hidden, strict=True))):
        two[place:place] = each
    return one, two


def cast() -> list[Event]:
    people = [person(who, name=f"{who[5:].title()} Chan") for who in PEOPLE[:3]]
    return [*people, member("group:team", "user:ann", "user:bo"), member("group:board", "user:cy")]


def opened(url: str, tenant: str, *, placed: bool) -> Org:
    settings = Settings(login="owner", key=KEY, embedder="off")
    double = ScriptedEmbedder() if placed else None
    return muniment.open(within(url), tenant, clock=Clock(), settings=settings, embedder=double)


def everything(ann: View) -> list[str]:
    """All that Ann is told, each reply after what was asked."""
    asks: list[Callable[[str], object]] = [
        lambda text: ann.search(text, limit=30, unit="passage"),
        lambda text: ann.search(text, limit=3),
        lambda text: ann.search(text, limit=30, after=at(2)),
        lambda text: ann.search(text, limit=30, kind="message", before=at(30)),
        ann.ask,
        lambda text: ann.context(text, budget=200),
    ]
    return [
        f"{text} {number}: {json.dumps(dump(ask(text)), sort_keys=True, ensure_ascii=False)}"
        for number, ask in enumerate(asks)
        for text in QUESTIONS
    ]


def told(org: Org) -> list[str]:
    org.sync()
    views = [org.reader("user:ann"), org.reader("user:ann", known_at=at(100_000))]
    return [reply for view in views for reply in everything(view)]


def first_difference(one: Sequence[str], other: Sequence[str]) -> str | None:
    return next((f"{left}\n{right}" for left, right in zip(one, other, strict=True) if left != right), None)


def in_another_order(draw: random.Random, events: Sequence[Event]) -> list[Event]:
    """The same, each item's own in their order."""
    keys = [event["id"] for event in events]
    draw.shuffle(keys)
    waiting = {key: [event for event in events if event["id"] == key] for key in set(keys)}
    return [waiting[key].pop(0) for key in keys]


@pytest.mark.parametrize("placed", [False, True], ids=["words", "vectors"])
def test_what_stands_beside_is_what_the_reader_may_read(
    url: str, tenant: str, seed: int, *, placed: bool, prove: bool
) -> None:
    for number in range(seed, seed + (300 if prove else WORLDS)):
        replies = []
        for which, events in enumerate(worlds(number)):
            with opened(url, f"{tenant}-{number}-{which}", placed=placed) as org:
                taken(org, cast())
                taken(org, events)
                replies.append(told(org))

        assert first_difference(*replies) is None, f"MUNIMENT_SEED={number}"


@pytest.mark.parametrize("placed", [False, True], ids=["words", "vectors"])
def test_what_stands_beside_is_the_same_in_whatever_order_it_came(
    url: str, tenant: str, seed: int, *, placed: bool, prove: bool
) -> None:
    for number in range(seed, seed + (300 if prove else WORLDS)):
        events, _ = worlds(number)
        with opened(url, f"{tenant}-{number}-0", placed=placed) as org:
            taken(org, cast())
            taken(org, events)
            plain, again = told(org), told(org)
            rebuild(org._work)
            rebuilt = told(org)
        with opened(url, f"{tenant}-{number}-1", placed=placed) as org:
            taken(org, cast())
            for event in in_another_order(random.Random(number), events):
                taken(org, [event])
            shuffled = told(org)

        for other in (again, rebuilt, shuffled):
            assert first_difference(plain, other) is None, f"MUNIMENT_SEED={number}"


def test_what_is_said_at_one_instant_stands_in_one_order_however_it_came(url: str, tenant: str) -> None:
    """Three say something at once, none of them with a number, between two others."""
    texts = {"a": "The budget is fixed", "b": "We freeze it", "c": "Nobody can ship", "d": "the office lease"}
    talk = {id_: said(id_, text, 2 if id_ == "d" else 1, container="general") for id_, text in texts.items()}
    talk["e"] = said("e", "other bicycle lunch", 0, container="general")
    found = set()
    for order in ("abcde", "badec", "dabce", "dbcea"):
        with opened(url, f"{tenant}-{order}", placed=False) as org:
            taken(org, cast())
            for id_ in order:
                taken(org, [talk[id_]])
            hits = org.reader("user:ann").search("lease and freeze or the budget", unit="passage")
            found.add(tuple((hit.item, hit.score) for hit in hits))

    assert len(found) == 1
