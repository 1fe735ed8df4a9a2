"""Taking back what a source said since a time: the record is as if it had not come, until that is undone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused, Usage
from muniment.gate.binding import writing
from muniment.jobs.rebuild import contents, fingerprint, rebuild
from muniment.steward import Steward
from tests.faults.corpora import SOURCES, Bring, Day, at_once, corpus, play
from tests.worlds import START, Clock, Event, at, member, open_org, person, said, taken

CORPORA = 2  # 50 in `make prove`


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant, Clock(START)) as opened:
        taken(opened, [person("user:ann"), person("user:bo")])
        taken(opened, [said("m1", "The budget is 500 euros.", 1), said("m2", "The lift is stuck.", 1)])
        taken(opened, [said("d1", "The canteen opens at noon.", 1, source="docs")])
        yield opened


@pytest.fixture
def desk(org: Org) -> Steward:
    return org.steward("user:owner")


def later(org: Org, events: Sequence[Event]) -> None:
    """Handed in a day after all that is there."""
    org._work.clock.forward(days=1)  # type: ignore[attr-defined]  # the test's own
    taken(org, events)


def texts(org: Org, words: str, who: str = "user:ann", **times: str) -> set[str]:
    return {hit.text for hit in org.reader(who, **times).search(words)}


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


POISON: list[Event] = [
    said("m1", "The budget is 900 euros.", 2, version="2"),
    said("m9", "Wire 9000 euros to Mallory.", 2),
    {"op": "delete", "source": "chat", "id": "m2", "at": at(2)},
    {
        "op": "entity",
        "source": "chat",
        "id": "mallory",
        "at": at(2),
        "entity_kind": "account",
        "name": "Mallory",
    }
    | {"audience": [["*"]]},
    {"op": "topology", "source": "chat", "at": at(2), "edges": [["a", "calls", "b"]], "audience": [["*"]]},
]


def test_a_poisoned_source_is_as_it_was_at_every_time(org: Org, desk: Steward) -> None:
    before = digests(org)
    since = org._work.clock()
    later(org, POISON)
    poisoned = org._work.clock().isoformat()
    org._work.clock.forward(days=1)  # type: ignore[attr-defined]  # the test's own
    assert texts(org, "budget lift wire") == {"The budget is 900 euros.", "Wire 9000 euros to Mallory."}

    done = desk.revert("chat", since.replace(microsecond=1))

    assert (done.events, done.items, done.directory) == (5, 5, 0)
    assert digests(org) == before
    for times in ({}, {"known_at": poisoned}):
        assert texts(org, "budget lift wire", **times) == {"The budget is 500 euros.", "The lift is stuck."}
    assert texts(org, "canteen") == {"The canteen opens at noon."}
    rebuild(org._work)
    assert digests(org) == before


def test_the_same_events_coming_again_are_known_already(org: Org, desk: Steward) -> None:
    since = org._work.clock()
    later(org, POISON)
    before_revert = digests(org)
    desk.revert("chat", since.replace(microsecond=1))

    assert org.ingest(POISON).duplicate == len(POISON)
    assert texts(org, "budget") == {"The budget is 500 euros."}

    undone = desk.undo_revert("chat")
    assert (undone.events, undone.undone) == (5, True)
    assert digests(org) == before_revert


def test_the_version_that_was_taken_back_may_come_with_other_content(org: Org, desk: Steward) -> None:
    since = org._work.clock()
    later(org, POISON)
    desk.revert("chat", since.replace(microsecond=1))

    taken(org, [said("m1", "The budget is 510 euros.", 2, version="2")])

    assert texts(org, "budget") == {"The budget is 510 euros."}


def test_who_is_who_is_taken_back_too(org: Org, desk: Steward) -> None:
    hall = {"op": "audience", "source": "dir", "container": "hall", "at": at(0), "live": True}
    taken(org, [{**hall, "audience": [["group:team"]]}, member("group:team", "user:ann", hours=1)])
    taken(org, [said("h1", "The vault code is 4711.", 1, source="dir", container="hall", audience=None)])
    before = digests(org)
    since = org._work.clock()
    later(
        org,
        [
            member("group:team", "user:bo", hours=2),
            {**hall, "at": at(2), "audience": [["*"]]},
            person("user:bo", 2, aliases=["boss@example.com"]),
        ],
    )
    assert texts(org, "vault", "user:bo")

    done = desk.revert("dir", since.replace(microsecond=1))

    assert (done.items, done.directory) == (0, 3)
    assert not texts(org, "vault", "user:bo")
    assert not texts(org, "vault", "boss@example.com")
    assert texts(org, "vault", "user:ann")
    assert digests(org) == before
    desk.undo_revert("dir")
    assert texts(org, "vault", "user:bo")
    desk.revert("dir", since.replace(microsecond=1))
    rebuild(org._work)
    assert digests(org) == before


def test_a_move_that_is_taken_back_brings_the_item_home(org: Org, desk: Steward) -> None:
    before = digests(org)
    since = org._work.clock()
    later(org, [{"op": "move", "source": "chat", "id": "m1", "at": at(2), "to": "m7"}])
    assert {hit.item for hit in org.reader("user:ann").search("budget")} == {"m7"}

    desk.revert("chat", since.replace(microsecond=1))

    assert {hit.item for hit in org.reader("user:ann").search("budget")} == {"m1"}
    assert digests(org) == before


def test_a_dry_run_takes_nothing_back(org: Org, desk: Steward) -> None:
    since = org._work.clock()
    later(org, POISON)
    before = digests(org)

    assert desk.revert("chat", since.replace(microsecond=1), dry_run=True).events == 5
    assert digests(org) == before
    assert desk.revert("chat", org._work.clock().replace(year=2099)).events == 0


def test_what_is_not_there_cannot_be_reverted(org: Org, desk: Steward) -> None:
    with pytest.raises(Refused):
        desk.revert("nowhere", org._work.clock())
    with pytest.raises(Usage, match="nothing of source"):
        desk.undo_revert("chat")


def test_a_revert_of_any_record_is_the_record_without_it(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    """Whatever a source said in the last days, and whatever others said between."""
    for number in range(seed, seed + (50 if prove else CORPORA)):
        draw = random.Random(number)
        source, last = draw.choice((*SOURCES, "dir")), draw.randint(1, 4)
        days = [_unredacted(day) for day in corpus(draw)]
        spared = [*days[:last], *(_without(day, source) for day in days[last:])]
        accepted: list[Event] = []
        with (
            play(url, f"{tenant}-{number}-all", days, noting(accepted)) as org,
            play(url, f"{tenant}-{number}-rest", spared, at_once) as other,
        ):
            whole, desk = contents_of(org), org.steward("user:owner")

            done = desk.revert(source, START + timedelta(days=100 + last))

            assert contents_of(org) == contents_of(other), f"MUNIMENT_SEED={number}"
            rebuild(org._work)
            assert contents_of(org) == contents_of(other), f"MUNIMENT_SEED={number} rebuilt"
            assert org.ingest(accepted).duplicate == len(accepted), f"MUNIMENT_SEED={number} again"
            if done.events:
                desk.undo_revert(source)
            assert contents_of(org) == whole, f"MUNIMENT_SEED={number} undone"


def noting(accepted: list[Event]) -> Bring:
    """Everything in one batch, and what of it was accepted."""

    def bring(org: Org, events: Sequence[Event], _before: Sequence[Event]) -> None:
        taken_in = [one for one in org.ingest(events).items if one.state == "accepted"]
        accepted.extend(events[one.line - 1] for one in taken_in if one.line is not None)

    return bring


def _unredacted(day: Day) -> Day:
    """What is redacted is gone for good; and what stewards grant goes by what is there."""
    return Day([event for event in day.events if event["op"] != "redact"], [])


def _without(day: Day, source: str) -> Day:
    return Day([event for event in day.events if event["source"] != source], [])


def contents_of(org: Org) -> dict[str, list[str]]:
    with writing(org._work.database, org.tenant) as conn:
        return dict(contents(conn, org.tenant))
