"""Statements that must not read all of a table go by an index, under row security too."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from muniment.gate.binding import writing
from muniment.store.pool import Connection, Database
from muniment.store.queries import load

TENANT = "plans"
NOW = datetime(2026, 11, 30, tzinfo=UTC)
REFUSED = """
insert into muniment.quarantine (tenant, origin, reason, raw, importer, refused_at)
select 'plans', 'x.jsonl', 'no source', 'raw ' || n, 'user:ann', now()
  from generate_series(1, 5000) as n
"""
ITEMS = """
insert into muniment.item (tenant, item, source, id, audience, state, inherits, since, seq, kind, at,
                           created_at, container, trust, authority, word)
select 'plans', gen_random_uuid(), 'chat' || n % 5, 'm' || n, 1, 'live', true, now(), 1, 'message', now(),
       now(), 'c' || n % 200, 'member', 'member', 'vouched'
  from generate_series(1, 5000) as n
"""
ASSERTIONS = """
insert into muniment.assertion (tenant, assertion, revision, item, seq, audience, kind, memory_type,
                                statement, terms, quotes, stated_at, extractor, valid, known,
                                last_verified_at, authority, trust, status)
select 'plans', gen_random_uuid(), 1, gen_random_uuid(), 1, 1, 'fact', 'semantic',
       'statement ' || n, '{}', '[]', now(), 'rules', '(,)', tstzrange(now(), null),
       now(), 'member', 'member', 'active'
  from generate_series(1, 5000) as n
"""
REFERENCES = """
insert into muniment.reference (tenant, reference, item, kind, inverse, name, start, "end", audience, known)
select 'plans', gen_random_uuid(), gen_random_uuid(), case when n % 50 = 0 then 'amends' else 'cites' end,
       false, 'title ' || n % 1000, 0, 1, 1, '{(,)}'
  from generate_series(1, 20000) as n
"""
HANDLES = """
insert into muniment.handle (tenant, item, role, name, edition, audience, known)
select 'plans', gen_random_uuid(), 'title', 'title ' || n, '', 1, '{(,)}'
  from generate_series(1, 5000) as n
"""
PASSAGES = """
insert into muniment.passage (tenant, passage, doc, item, audience, era, ordinal, heading, body, spans,
                              line, at, turn, traits)
select 'plans', gen_random_uuid(), 1000000 + n, gen_random_uuid(), 1 + n % 50, 0, 0, '{}', 'word ' || n, '[]',
       n % 10, now() + n * interval '1 second', 0, 0
  from generate_series(1, 5000) as n
"""
NAMES = """
insert into muniment.entity_name (tenant, name, origin, entity, kind, title, is_alias, audience)
select 'plans', 'name ' || n % 5, n::text, md5('' || n % 5)::uuid, 'person', 'Name', false, 1
  from generate_series(1, 5000) as n
"""


@pytest.fixture(scope="module")
def filled(db: Database) -> Iterator[Connection]:
    """A record that is large enough for a plan to matter; it is undone."""
    with writing(db, TENANT) as conn:
        for statement in (REFUSED, ITEMS, ASSERTIONS, REFERENCES, HANDLES, PASSAGES, NAMES):
            conn.execute(statement.encode())
        conn.execute("set local role muniment_owner")
        conn.execute("analyze muniment.quarantine, muniment.item, muniment.assertion")
        conn.execute("set local role muniment_writer")
        yield conn
        raise psycopg.Rollback


@pytest.fixture
def conn(filled: Connection) -> Iterator[Connection]:
    """The same record for each test, with what one learned of it and became undone before the next."""
    with filled.transaction(force_rollback=True):
        yield filled


def plan(conn: Connection, room: str, query: str, **values: object) -> str:
    explain = f"explain (costs off) {load(room)[query]}"
    lines = conn.execute(explain.encode(), {"tenant": TENANT, **values})
    return "\n".join(line for (line,) in lines)


def test_the_items_of_a_container_are_found_by_it(conn: Connection) -> None:
    places = {"refs": ["container:chat1:c1"], "sources": ["chat1"], "containers": ["c1"]}

    found = plan(conn, "jobs", "inheriting", **places)

    assert "using item_inherits" in found, found
    assert "(source = w.source) AND (container = w.container)" in found, found


def test_equal_words_are_found_by_their_digest(conn: Connection) -> None:
    conn.execute("select set_config('muniment.audiences', '{1}', true)")
    conn.execute("set local role muniment_reader")

    found = plan(
        conn, "pages", "assertions_ever_of_words", statement="statement 7", audiences=[1], known_at=None
    )

    assert "using assertion_words" in found, found
    assert "(md5(statement) = " in found, found


def test_what_was_refused_before_is_found_by_its_digest(conn: Connection) -> None:
    found = plan(conn, "events", "insert_quarantine", rows=Json([]))

    assert "using quarantine_open" in found, found
    assert "(md5(raw) = md5(n.raw))" in found, found


def test_what_waits_is_counted_without_what_does_not(conn: Connection) -> None:
    found = plan(conn, "steward", "counts", now=NOW)

    assert {"item_pending", "assertion_waiting"} <= set(found.split()), found


def as_a_reader_of_references(conn: Connection) -> None:
    """Many references and names, known to the planner, and a reader's rights."""
    conn.execute("set local role muniment_owner")
    conn.execute("analyze muniment.reference, muniment.handle")
    conn.execute("select set_config('muniment.audiences', '{1}', true)")
    conn.execute("set local role muniment_reader")


def test_what_is_called_something_and_what_refers_to_it_are_found_by_name(conn: Connection) -> None:
    as_a_reader_of_references(conn)
    named = {"names": ["title 7"], "audiences": [1], "known_at": None}

    called = plan(conn, "references", "handles_of_names", **named)
    referring = plan(conn, "references", "references_to_names", **named)

    assert "handle_name" in called, called
    assert "reference_name" in referring, referring


def test_a_name_that_a_thousand_items_use_is_walked_past_in_one_step(conn: Connection) -> None:
    conn.execute("set local role muniment_owner")
    conn.execute("analyze muniment.entity_name")
    conn.execute("select set_config('muniment.audiences', '{1}', true)")
    conn.execute("set local role muniment_reader")
    asked = {"audiences": [1], "known_at": None}

    called = plan(conn, "claims", "distinct_names", names=["name 1"], **asked)
    names = plan(conn, "claims", "names_of_entities", entities=[UUID(int=1)], **asked)

    for found in (called, names):
        steps = [line for line in found.splitlines() if "Index Cond" in line and "ROW(" in line]
        assert any("titled) > ROW(walk." in line for line in steps), found


def test_references_that_end_or_amend_are_found_among_the_many_that_do_not(conn: Connection) -> None:
    as_a_reader_of_references(conn)
    some = [UUID(int=number) for number in range(20)]

    found = plan(conn, "references", "acts_of_items", items=some, audiences=[1], known_at=None)
    tied = plan(conn, "claims", "tied_items", items=some, audiences=[1], known_at=None)

    assert "reference_act" in found, found
    assert "reference_act_on" in tied, tied
    assert "Seq Scan" not in tied, tied


def test_what_stands_beside_a_passage_is_looked_up_by_its_own_audience_alone(conn: Connection) -> None:
    """However many others the reader may read: their list would be sorted anew for each passage."""
    conn.execute("set local role muniment_owner")
    conn.execute("analyze muniment.passage")
    conn.execute(
        "select set_config('muniment.audiences', %s, true)", ["{" + ",".join(map(str, range(1, 51))) + "}"]
    )
    conn.execute("set local role muniment_reader")

    found = plan(conn, "ranking", "beside", docs=[1_000_007, 1_000_008], audiences=list(range(1, 51)))

    beside = [line for line in found.splitlines() if "Index Cond" in line and "(audience)::bigint" in line]
    assert len(beside) == 2, found
    assert all("ANY" not in line and "ROW(at, turn, ordinal)" in line for line in beside), found
