"""The second lock: whatever a statement forgets, the database shows a reader permitted rows only."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.store.pool import Connection, Database
from tests.worlds import member, open_org, person, said, taken

UNLOCKED = """
select c.relname
  from pg_class c
 where c.relnamespace = 'muniment'::regnamespace
   and c.relkind in ('r', 'p')
   and c.relname <> 'schema_version'
   and not (c.relrowsecurity and c.relforcerowsecurity)
"""
OPEN_TO_READERS = """
select p.tablename, p.policyname
  from pg_policies p
 where p.schemaname = 'muniment'
   and 'muniment_reader' = any (p.roles)
   and (p.cmd <> 'SELECT' or p.qual not like '%bound_tenant()%' or p.qual not like '%bound_audiences()%')
   and p.tablename not in ('source', 'org')
"""
LOOSE_FUNCTIONS = """
select p.proname
  from pg_proc p
 where p.pronamespace = 'muniment'::regnamespace
   and (p.proleakproof
        or p.prosecdef and not coalesce(array_to_string(p.proconfig, ' ') like '%search_path=%', false)
        or has_function_privilege('public', p.oid, 'execute'))
"""
STRONG_ROLES = """
select r.rolname
  from pg_roles r
 where r.rolname in ('muniment_reader', 'muniment_writer')
   and (r.rolsuper or r.rolbypassrls
         or exists (select from pg_class c
                     where c.relowner = r.oid and c.relnamespace = 'muniment'::regnamespace))
"""
READABLE = """
select c.relname
  from pg_class c
 where c.relnamespace = 'muniment'::regnamespace
   and c.relkind = 'r'
   and has_any_column_privilege('muniment_reader', c.oid, 'select')
"""


@pytest.fixture
def owner(server: str) -> Iterator[Connection]:
    """A transaction of the database's administrator, undone."""
    with psycopg.connect(server) as conn:
        yield conn
        conn.rollback()


def named(conn: Connection, statement: str) -> list[str]:
    return [row[0] for row in conn.execute(statement)]


def test_every_table_has_row_security_and_forces_it_on_its_owner(owner: Connection) -> None:
    assert named(owner, UNLOCKED) == []


def test_a_table_whose_row_security_is_not_forced_is_found(owner: Connection) -> None:
    owner.execute("set local role muniment_owner")
    owner.execute("alter table muniment.passage no force row level security")

    assert named(owner, UNLOCKED) == ["passage"]


def test_every_policy_for_readers_binds_tenant_and_audiences(owner: Connection) -> None:
    assert named(owner, OPEN_TO_READERS) == []


def test_no_function_is_loose(owner: Connection) -> None:
    assert named(owner, LOOSE_FUNCTIONS) == []


def test_the_roles_that_serve_requests_own_nothing_and_bypass_nothing(owner: Connection) -> None:
    assert named(owner, STRONG_ROLES) == []


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as org:
        taken(
            org,
            [
                person("user:ann"),
                person("user:cy"),
                member("group:board", "user:cy"),
                said("m1", "The renewal date of Acme is 2027-03-01.", audience=[["*"]], account="Acme"),
                said("m2", "The discount of Acme is 18 %.", audience=[["group:board"]], account="Acme"),
            ],
        )
        yield org


def counted(db: Database, tenant: str, audiences: str | None) -> dict[str, int]:
    """Rows of each readable table, without any predicate, as the reader's role sees them."""
    with writing(db, tenant) as conn:
        tables = named(conn, READABLE)
        conn.execute("set local role muniment_reader")
        if audiences is not None:
            conn.execute("select set_config('muniment.audiences', %s, true)", [audiences])
        return {
            name: len(conn.execute(f"select tenant from muniment.{name}").fetchall())  # noqa: S608
            for name in tables
        }


def test_a_statement_that_forgets_its_predicate_shows_nothing_before_the_audiences_are_bound(
    db: Database, org: Org
) -> None:
    assert set(counted(db, org.tenant, None).values()) == {0}


def test_and_only_the_bound_audiences_afterwards(db: Database, org: Org) -> None:
    with writing(db, org.tenant) as conn:
        (everyone,) = named(conn, "select audience from muniment.item where id = 'm1'")

    seen = counted(db, org.tenant, "{" + str(everyone) + "}")

    assert seen["item"] == seen["passage"] == 1
    assert seen["posting_segment"] == 1
    assert seen["source"] == 1
