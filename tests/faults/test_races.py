"""Two writers at one moment: whichever comes second, the record is what both said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.jobs.compile import compile_keys
from muniment.jobs.loop import tidy
from muniment.jobs.rebuild import rebuild
from muniment.jobs.turns import compile_beside_others, hold_keys
from tests.faults.corpora import crew, difference, record, rows
from tests.places import until
from tests.worlds import Event, at, open_org, person, said, taken

HALL: Event = {"op": "audience", "source": "chat", "container": "hall", "at": at(0), "audience": [["*"]]}
ORPHANS = """
select b.segment from muniment.posting_block b
 where b.tenant = %(tenant)s
   and not exists (select from muniment.posting_segment s
                    where s.tenant = b.tenant and s.audience = b.audience and s.segment = b.segment)
"""
HOLD_BLOCKS = "select segment from muniment.posting_block where tenant = %(tenant)s for update"
WAITING = "select count(*) from pg_locks where not granted and %(tenant)s::text is not null"


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person("user:ann"), person("user:bo")])
        yield opened


@contextmanager
def compiling(org: Org, id_: str) -> Iterator[None]:
    """A worker that has compiled a key and not committed yet."""
    work = org._work
    with writing(work.database, org.tenant) as conn:
        compile_beside_others(conn, org.tenant)
        hold_keys(conn, org.tenant, [("chat", id_)])
        compile_keys(conn, org.tenant, work.key, [("chat", id_)])
        yield


def is_blocked(org: Org) -> bool:
    return rows(org, WAITING) != [(0,)]


@contextmanager
def meanwhile(org: Org, id_: str, *events: Event) -> Iterator[None]:
    """Events handed in while a worker is about to commit what it compiled of a key."""
    with compiling(org, id_):
        handing_in = crew([partial(org.ingest, events, defer=True)])
        handing_in.__enter__()
        until(lambda: is_blocked(org))
    handing_in.__exit__()
    yield


def found(org: Org, who: str, words: str) -> set[str | None]:
    return {hit.item for hit in org.reader(who).search(words)}


def test_a_container_verified_while_its_item_is_compiled_shows_it(org: Org) -> None:
    taken(org, [said("m1", "The lift is stuck.", 5, audience=None, container="hall")], defer=True)

    with meanwhile(org, "m1", {**HALL, "verified_through": at(6)}):
        org.sync()

    assert found(org, "user:ann", "lift") == {"m1"}
    assert org.steward("user:owner").status().pending_audience == 0


def test_a_container_that_is_no_longer_verified_hides_an_item_compiled_meanwhile(org: Org) -> None:
    taken(org, [{**HALL, "live": True}])
    taken(org, [said("m1", "The lift is stuck.", 5, audience=None, container="hall")], defer=True)

    with meanwhile(org, "m1", {**HALL, "at": at(1), "live": False}):
        org.sync()

    assert found(org, "user:ann", "lift") == set()


def test_an_event_accepted_while_its_key_is_compiled_is_not_lost(org: Org) -> None:
    taken(org, [said("m1", "The lift is stuck.")], defer=True)

    with meanwhile(org, "m1", said("m1", "The lift is mended.", 1)):
        org.sync()

    assert [hit.text for hit in org.reader("user:ann").search("lift")] == ["The lift is mended."]


def test_freshness_forgets_an_item_deleted_while_another_was_compiled(org: Org) -> None:
    taken(org, [said("m0", "Oldest.", 0), said("m2", "Newest.", 20)])
    taken(org, [said("m1", "Between.", 10)], defer=True)

    with meanwhile(org, "m1", {"op": "delete", "source": "chat", "id": "m2", "at": at(30)}):
        org.sync()

    marks = rows(org, "select through::text from muniment.watermark where tenant = %(tenant)s")
    assert [str(mark[0])[:13] for mark in marks] == ["2026-06-01 19"]


def test_a_grant_given_while_its_item_is_compiled_holds(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", audience=[["user:bo"]])])
    taken(org, [said("m1", "The reserve is four million.", 1, audience=[["user:bo"]])], defer=True)

    with compiling(org, "m1"):
        granting = crew([partial(org.steward("user:owner").grant_read, "user:ann", "chat:m1")])
        granting.__enter__()
        until(lambda: is_blocked(org))
    granting.__exit__()
    org.sync()

    assert found(org, "user:ann", "reserve") == {"m1"}


def test_a_recalled_item_is_labelled_alike_whenever_its_container_became_known(url: str, tenant: str) -> None:
    item = said("m1", "We acquire Initech.", 5, audience=None, container="hall", author="user:bo")
    recalled: Event = {"op": "recall", "source": "chat", "id": "m1", "at": at(6)}
    hall: Event = {**HALL, "audience": [["user:ann"]], "verified_through": at(9)}

    with open_org(url, f"{tenant}-1") as one, open_org(url, f"{tenant}-2") as other:
        for event in (hall, item, recalled):
            taken(one, [event])
        for event in (item, recalled, hall):
            taken(other, [event])

        assert difference(record(one), record(other)) == ""


def test_a_redaction_that_comes_before_the_version_it_names_blanks_it(org: Org) -> None:
    taken(org, [said("m1", "Nothing to see in this version.", version="1")])
    taken(
        org,
        [{"op": "redact", "source": "chat", "id": "m1", "at": at(2), "version": "2", "spans": [[11, 19]]}],
    )
    taken(org, [said("m1", "Call me at 555-0199 please.", 1, version="2")])

    (hit,) = org.reader("user:ann").search("call")
    assert hit.text == "Call me at ████████ please."


def test_a_redaction_that_comes_before_its_item_blanks_it(org: Org) -> None:
    taken(org, [{"op": "redact", "source": "chat", "id": "m1", "at": at(2), "spans": [[11, 19]]}])
    taken(org, [said("m1", "Call me at 555-0199 please.", 1)])

    (hit,) = org.reader("user:ann").search("call")
    assert hit.text == "Call me at ████████ please."


def test_overlapping_redactions_blank_the_same_however_much_was_compiled_between(
    url: str, tenant: str
) -> None:
    shown = []
    for between in (True, False):
        with open_org(url, f"{tenant}-{between}") as org:
            taken(org, [person("user:ann"), said("m1", "alpha secret omega", 0, version="1")])
            plain: Event = {"op": "redact", "source": "chat", "id": "m1"}
            taken(org, [{**plain, "at": at(1), "version": "1", "spans": [[6, 12]]}])
            taken(org, [said("m1", "secret plan here", 2, version="2")], defer=True)
            if between:
                org.sync()
            taken(org, [{**plain, "at": at(3), "version": "2", "spans": [[3, 11]]}])
            taken(org, [said("m1", "now the ret plan and secret", 4, version="3")])
            shown += [hit.text for hit in org.reader("user:ann").search("now")]

    assert len(set(shown)) == 1
    assert "secret" not in shown[0]


def test_a_rebuild_during_a_merge_of_segments_leaves_no_posting_without_one(org: Org) -> None:
    for number in range(lexical.FAN_IN):
        taken(org, [said(f"m{number}", "The lift is stuck.", number)])
    before = record(org)
    merging, rebuilding = crew([partial(tidy, org._work)]), crew([partial(rebuild, org._work)])

    with writing(org._work.database, org.tenant) as conn:
        conn.execute(HOLD_BLOCKS, {"tenant": org.tenant})
        merging.__enter__()
        until(lambda: rows(org, WAITING) == [(1,)])
        rebuilding.__enter__()
        until(lambda: rows(org, WAITING) == [(2,)])
    merging.__exit__()
    rebuilding.__exit__()

    assert rows(org, ORPHANS) == []
    assert difference(before, record(org)) == ""
