"""Statements that must not read all of a table go by an index, under row security too."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

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
                           created_at, container, trust, authority)
select 'plans', gen_random_uuid(), 'chat' || n % 5, 'm' || n, 1, 'live', true, now(), 1, 'message', now(),
       now(), 'c' || n % 200, 'member', 'member'
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


@pytest.fixture
def conn(db: Database) -> Iterator[Connection]:
    """A record that is large enough for a plan to matter; it is undone."""
    with writing(db, TENANT) as conn:
        for statement in (REFUSED, ITEMS, ASSERTIONS):
            conn.execute(statement.encode())
        conn.execute("set local role muniment_owner")
        conn.execute("analyze muniment.quarantine, muniment.item, muniment.assertion")
        conn.execute("set local role muniment_writer")
        yield conn
        raise psycopg.Rollback


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
