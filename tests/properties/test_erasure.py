"""Erasure leaves nothing: canaries put everywhere, then looked for everywhere."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, islice

import pytest

from muniment.app import Org
from muniment.domain.errors import MunimentError
from muniment.domain.values import Value
from muniment.gate import forget
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from muniment.steward import Steward
from tests.canaries import PLACES, Place, canary, hits
from tests.exported import record_of, wiki_of
from tests.faults.test_nth_call import Fault, faulty, persistently
from tests.planted import plant
from tests.properties.test_two_worlds import (
    READS,
    REQUESTS,
    VISIBLE,
    cast,
    changed,
    entity,
    first_difference,
    item,
    reply,
)
from tests.properties.test_two_worlds import replies as replies_of
from tests.worlds import Event, open_org, person, said, taken

CANARIES = len(PLACES)  # 300 in `make prove`
CORPORA = 1  # 200 in `make prove`
OTHERS = [said(f"other{number}", f"The plan of team {number} is ready.", 1) for number in range(8)]


def planted(org: Org, draw: random.Random, count: int) -> dict[str, tuple[str, Place, list[Event]]]:
    """Canaries by what is to be erased, each in a place of its own."""
    taken(org, [person("user:ann"), *OTHERS])
    found = {}
    for number, (_, place) in enumerate(islice(cycle(PLACES.items()), count)):
        word, id_ = canary(draw), f"m{number}"
        events = list(place.events(id_, word))
        draw.shuffle(events)
        for event in events:
            taken(org, [event])
        place.acts(org, id_, word)
        found[place.target.format(id_)] = (word, place, events)
    return found


def replies(org: Org) -> Iterator[str]:
    """What a reader and a steward are told by every door of Python."""
    for known_at in (None, org._work.clock()):
        view = org.reader("user:ann", known_at=known_at)
        asks: list[Callable[[str], object]] = [view.ask, view.context, view.search, view.page, view.timeline]
        for ask in asks:
            try:
                yield told(ask("plan budget euros"))
            except MunimentError as error:
                yield str(error)
        yield told([view.pages(), [list(one) for one in view.conflicts()]])
        yield from wiki_of(view).values()
    desk = org.steward("user:owner")
    yield from record_of(desk).values()
    yield told([desk.members(), desk.status(), desk.quarantined(), desk.holds(), desk.erasures()])


def told(value: object) -> str:
    match value:
        case list():
            return " ".join(map(told, value))
        case Value():
            return json.dumps(value.model_dump())
    raise TypeError(type(value).__name__)


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def test_nothing_of_what_was_erased_is_left(
    url: str,
    tenant: str,
    seed: int,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    *,
    prove: bool,
) -> None:
    plant(monkeypatch, forget, "STRETCH", 3)  # no fault: there are more questions than one look takes
    draw = random.Random(seed)
    with open_org(url, tenant) as org:
        found = planted(org, draw, 300 if prove else CANARIES)
        words = [word for word, *_ in found.values()]
        assert set(hits(org, words)) == set(words)

        desk = org.steward("user:owner")
        head = desk.audit_head()
        for target in draw.sample(sorted(found), len(found)):
            before = desk.erase(target, dry_run=True)
            assert desk.erase(target).items == before.items > 0

        assert hits(org, words) == {}
        chain = desk.verify_audit(head)
        assert (chain.ok, chain.published, chain.erased > 0) == (True, 1, True)
        assert not [word for word in words for text in replies(org) if word in text]
        assert not [word for word in words if word in caplog.text]
        assert {hit.item for hit in org.reader("user:ann").search("team plan", limit=50)} == {
            one["id"] for one in OTHERS
        }

        # Nor does any of it come back: from its source, from quarantine, by a rebuild.
        for _, _, events in found.values():
            assert org.ingest(events).accepted == 0
        org.replay()
        assert hits(org, words) == {}
        live = digests(org)
        rebuild(org._work)
        assert digests(org) == live
        assert hits(org, words) == {}


def test_the_search_sees_what_an_erasure_of_events_alone_leaves(url: str, tenant: str, seed: int) -> None:
    """The planted fault: contents and all that is made of them go, and nothing that was said beside them."""
    with open_org(url, tenant) as org:
        found = planted(org, random.Random(seed), CANARIES)
        with writing(org._work.database, org.tenant) as conn:
            conn.execute(b"delete from muniment.payload where tenant = %(tenant)s", {"tenant": org.tenant})
        rebuild(org._work)

        left = hits(org, [word for word, *_ in found.values()])

        tables = {table for places in left.values() for table in places}
        assert tables == {"trace", "audit", "quarantine", "legal_hold", "model_output"}


def replies_after(url: str, tenant: str, events: Sequence[Event], extra: Sequence[Event]) -> list[str]:
    """What Ann is told where `extra` was there too and was erased."""
    with open_org(url, tenant) as org:
        taken(org, [*events, *extra])
        # Not what she writes: a note that repeats what is erased goes with it, and is not taken in again.
        for ask in READS:
            reply(ask, org.reader("user:ann"))
        desk = org.steward("user:owner")
        for target in dict.fromkeys(target_of(event) for event in extra):
            desk.erase(target)
        return replies_of(org, REQUESTS, random.Random(len(events)))


def target_of(event: Event) -> str:
    prefix = "@entity/" if event["op"] == "entity" else ""
    return f"{event['source']}:{prefix}{event['id']}"


def test_a_reader_cannot_tell_what_was_erased_from_what_never_was(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    for number in range(seed, seed + (200 if prove else CORPORA)):
        draw = random.Random(number)
        ids = [f"m{n}" for n in range(draw.randint(3, 8))]
        shared = [*cast(), *(item(draw, id_, VISIBLE, ids) for id_ in ids)]
        extra = [item(draw, f"x{n}", VISIBLE, ids) for n in range(draw.randint(1, 4))]
        extra += [change for event in list(extra) for change in changed(draw, event)]
        extra += [{**entity(draw, 1), "audience": draw.choice(VISIBLE)}]

        without = replies_after(url, f"{tenant}-{number}-0", shared, [])
        erased = replies_after(url, f"{tenant}-{number}-1", shared, extra)

        assert first_difference(without, erased) is None, f"MUNIMENT_SEED={number}"


STRIDE = 41  # of the calls at which CI breaks the connection; `make prove` breaks it at each


def test_an_erasure_cut_short_anywhere_is_done_by_saying_it_again(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    draw, word = random.Random(seed), canary(random.Random(seed))
    events = [
        person("user:ann", 0, name="Ann"),
        person("user:zed", 0, name=f"Zed {word}"),
        said("m1", f"The {word} budget is 500 euros.", 1, author="user:zed"),
        said("m2", f"Ask {word} about it.", 1),
        said("m3", "Nothing else is due.", 1),
    ]

    def cut(fault: Fault) -> tuple[dict[str, str], int]:
        with open_org(url, f"{tenant}-{fault.at}-{fault.after}") as org, faulty(fault, url) as worse:
            taken(org, events)
            org.ingest([{"source": "chat", "id": "m1", "op": "upsert", "body": word}])
            org.reader("user:ann").ask(f"What about {word}?")
            desk = Steward(replace(org._work, database=worse), "user:owner", None)
            for act in (
                partial(desk.erase, "chat:m1"),
                partial(desk.erase, "user:zed"),
                partial(desk.erase_subject, word),
            ):
                persistently(act)
            assert hits(org, [word]) == {}, f"call {fault.at}, {fault.after=}, MUNIMENT_SEED={seed}"
            return digests(org), fault.calls

    whole, calls = cut(Fault(0, after=False))
    step = 1 if prove else STRIDE
    for number in range(draw.randint(1, step), calls + 1, step):
        for after in (False, True):
            assert cut(Fault(number, after=after))[0] == whole
