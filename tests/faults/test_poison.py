"""A key that cannot be compiled stops nobody else, is set aside with its reason, and comes back if mended."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.jobs.attempts import MOST_ATTEMPTS
from muniment.jobs.loop import revive
from muniment.jobs.rebuild import rebuild
from tests.faults.canonical import STREAMS
from tests.faults.corpora import rows
from tests.worlds import Clock, Event, at, open_org, person, said, taken

SPOIL = """
update muniment.payload set content = content || '{"op": "sing"}'
 where tenant = %(tenant)s and source = 'chat' and id = 'bad'
"""
MEND = """
update muniment.payload set content = content || '{"op": "upsert"}'
 where tenant = %(tenant)s and source = 'chat' and id = 'bad' and content->>'op' = 'sing'
"""
DELETED: Event = {"op": "delete", "source": "chat", "id": "bad", "at": at(5)}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo")])
        yield opened


def change(org: Org, statement: str) -> None:
    with writing(org._work.database, org.tenant) as conn:
        conn.execute(statement.encode(), {"tenant": org.tenant})


def found(org: Org, words: str, who: str = "user:ann") -> set[str | None]:
    return {hit.item for hit in org.reader(who).search(words)}


def fail(org: Org, clock: Clock, times: int) -> None:
    for _ in range(times):
        org.sync()
        clock.forward(minutes=1)


def queue(org: Org) -> tuple[int, int]:
    standing = org.steward("user:owner").status().queue
    return standing.waiting, standing.dead


@pytest.fixture
def spoilt(org: Org) -> Org:
    """An organisation with three items due, one of which cannot be compiled."""
    taken(org, [said(id_, f"The kettle {id_} whistles.") for id_ in ("m1", "bad", "m3")], defer=True)
    change(org, SPOIL)
    return org


def test_the_others_get_through_at_once(spoilt: Org) -> None:
    spoilt.sync()

    assert found(spoilt, "kettle") == {"m1", "m3"}
    assert queue(spoilt) == (1, 0)


def test_it_is_tried_a_few_times_and_then_set_aside_with_its_reason(spoilt: Org, clock: Clock) -> None:
    fail(spoilt, clock, MOST_ATTEMPTS - 1)
    assert queue(spoilt) == (1, 0)

    fail(spoilt, clock, 1)

    assert queue(spoilt) == (0, 1)
    (dead,) = [row for row in rows(spoilt, STREAMS) if row[1] == "bad"]
    assert dead[2:5] == (1, 0, MOST_ATTEMPTS)
    assert "op 'sing' is unknown" in str(dead[5])
    assert spoilt.sync()["dead"] == 1


def test_it_comes_back_when_it_is_mended_and_revived(spoilt: Org, clock: Clock) -> None:
    fail(spoilt, clock, MOST_ATTEMPTS)
    change(spoilt, MEND)

    assert revive(spoilt._work) == 1
    spoilt.sync()

    assert found(spoilt, "kettle") == {"m1", "bad", "m3"}
    assert queue(spoilt) == (0, 0)


def test_a_rebuild_sets_it_aside_again_until_it_is_mended(spoilt: Org, clock: Clock) -> None:
    fail(spoilt, clock, MOST_ATTEMPTS)
    compiled = rebuild(spoilt._work)
    assert queue(spoilt) == (1, 0)

    change(spoilt, MEND)

    assert rebuild(spoilt._work) == compiled + 1
    assert found(spoilt, "kettle") == {"m1", "bad", "m3"}
    assert queue(spoilt) == (0, 0)


def test_another_event_of_its_key_tries_it_again(spoilt: Org, clock: Clock) -> None:
    fail(spoilt, clock, MOST_ATTEMPTS)
    change(spoilt, MEND)

    taken(spoilt, [said("bad", "The kettle is mended.", 1)])

    assert found(spoilt, "kettle") == {"m1", "bad", "m3"}


def test_a_deletion_of_what_cannot_be_compiled_still_takes_it_away(org: Org) -> None:
    taken(org, [said("bad", "The password is tulip."), said("m1", "The kettle whistles.")])
    change(org, SPOIL)

    taken(org, [DELETED, said("m2", "The kettle is quiet.")])

    assert found(org, "tulip") == set()
    assert found(org, "kettle") == {"m1", "m2"}
    change(org, MEND)
    revive(org._work)
    org.sync()
    assert found(org, "tulip") == set()


def test_it_does_not_keep_its_container_from_being_closed_to_others(org: Org) -> None:
    hall: Event = {"op": "audience", "source": "chat", "container": "hall", "at": at(0), "audience": [["*"]]}
    inside = [
        said(id_, f"The lift {id_} is stuck.", 2, audience=None, container="hall") for id_ in ("bad", "m1")
    ]
    taken(org, [{**hall, "verified_through": at(3)}, *inside])
    assert found(org, "lift") == {"bad", "m1"}
    change(org, SPOIL)

    taken(org, [{**hall, "at": at(4), "audience": [["user:bo"]], "verified_through": at(1)}])

    assert found(org, "lift") == set()
    taken(org, [{**hall, "at": at(5), "audience": [["user:bo"]], "verified_through": at(3)}])
    assert found(org, "lift", "user:bo") == {"m1"}
