"""What only reads is read on a standby, and nobody could tell; what writes is not."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from muniment.app import Org, View
from muniment.domain.errors import Malformed, Unavailable
from muniment.domain.values import dump
from muniment.settings import Settings
from muniment.store.pool import Database
from tests.replicas.counted import counted, found
from tests.standbys import Server
from tests.worlds import open_org, said, taken

# Every verb of a view, and where it reads. A new one must take its place.
ANYWHERE = frozenset(
    "changes commitments context conflicts expand explain handoff history landmines locate page pages search "
    "timeline".split()
)
IN_PART = frozenset(
    {"ask", "due_days"}
)  # each draft of an answer; the commitments that a calendar is made of
PRIMARY = frozenset("checkpoint export remember report resume sign_handoff standing".split())

pytestmark = pytest.mark.usefixtures("patient")
Verb = Callable[[View], Any]


def first(view: View) -> str:
    """The citation of the first that is found."""
    found = view.search("zorblat")[0].citation
    assert found is not None
    return found.id


VERBS: dict[str, Verb] = {
    "ask": lambda view: view.ask("What is the zorblat of Acme?"),
    "changes": lambda view: view.changes("acme", "2026-01-01T00:00:00Z"),
    "commitments": lambda view: view.commitments(),
    "conflicts": lambda view: view.conflicts(),
    "context": lambda view: view.context("the zorblat of Bolt", budget=500),
    "due_days": lambda view: view.due_days(),
    "expand": lambda view: view.expand(view.locate("acme")[0].id),
    "explain": lambda view: view.explain(first(view)),
    "handoff": lambda view: view.handoff("acme"),
    "history": lambda view: view.history(view.page("acme").sections[0].claims[0].id),
    "landmines": lambda view: view.landmines(),
    "locate": lambda view: view.locate("acme"),
    "page": lambda view: view.page("acme"),
    "pages": lambda view: view.pages(),
    "search": lambda view: view.search("zorblat"),
    "timeline": lambda view: view.timeline("acme"),
}


def test_every_verb_says_where_it_reads() -> None:
    verbs = {name: verb for name, verb in inspect.getmembers(View, inspect.isfunction) if name[0] != "_"}

    assert verbs.keys() == ANYWHERE | IN_PART | PRIMARY
    assert {name for name, verb in verbs.items() if hasattr(verb, "__wrapped__")} == ANYWHERE
    assert VERBS.keys() == ANYWHERE | IN_PART


def test_what_only_reads_is_read_on_the_standby_and_tells_the_same(org: Org, plain: Org) -> None:
    there = {name: dump(verb(org.reader("user:ann"))) for name, verb in VERBS.items()}

    assert counted(org).reads >= len(VERBS)
    assert (counted(org).lost, counted(org).passed) == (0, 0)
    for name, verb in VERBS.items():
        assert there[name] == dump(verb(plain.reader("user:ann"))), name


def test_what_writes_reads_on_the_primary(org: Org) -> None:
    ann = org.reader("user:ann")

    ann.remember("The gleep is due on Friday.")
    ann.report(first(ann), "wrong")
    ann.checkpoint("t1", {"goal": "x"})
    ann.resume("t1")

    assert counted(org).reads == 1  # the search
    assert len(found(org, words="gleep")) == 1


def test_what_was_just_written_is_read(org: Org) -> None:
    for number in range(20):
        taken(org, [said(f"n{number}", f"Word w{number} is new.")])

        assert found(org, words=f"w{number}") == {f"n{number}"}

    assert counted(org).reads == 20


def test_a_read_on_the_standby_is_in_the_audit_with_what_it_saw(org: Org, leader: Server) -> None:
    found(org)
    taken(org, [said("m4", "The zorblat of Dorn is 13.")])
    found(org)

    late, early = (one.detail for one in org.steward("user:owner").audit(action="search"))
    batch = org.steward("user:owner").audit(action="import")[0].detail["transaction"]
    sees = "select pg_visible_in_snapshot(%(xid)s::text::xid8, %(seen)s::text::pg_snapshot)"
    told = [
        leader.told(sees, xid=batch, seen=detail[end])
        for detail in (early, late)
        for end in ("watermark", "replica")
    ]
    assert told == [False, False, True, True]


def test_a_read_on_the_primary_has_one_snapshot(plain: Org) -> None:
    found(plain)

    assert "replica" not in plain.steward("user:owner").audit(action="search")[0].detail


def test_row_security_holds_on_the_standby(org: Org, standby: Server) -> None:
    found(org)
    everything = "select count(*) from muniment.item"

    def counts(role: str, **local: str) -> int:
        with psycopg.connect(standby.dsn) as conn:
            conn.execute(f"set local role {role}".encode())
            for name, value in local.items():
                conn.execute("select set_config(%s, %s, true)", (f"muniment.{name}", value))
            row = conn.execute(everything).fetchone()
        return 0 if row is None else int(row[0])

    assert counts("muniment_writer", tenant=org.tenant) == 3
    assert counts("muniment_writer", tenant="another") == 0
    assert counts("muniment_reader", tenant=org.tenant, audiences="{}") == 0
    with psycopg.connect(standby.dsn) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(everything.encode())


def test_replicas_take_turns(org: Org, leader: Server, standby: Server) -> None:
    with open_org(leader.url, org.tenant, replicas=[standby.url, standby.url]) as twice:
        for _ in range(4):
            found(twice)

        assert [counted(twice, number).reads for number in (0, 1)] == [2, 2]


def test_as_fresh_as_a_receipt_is_as_fresh_on_the_standby(org: Org) -> None:
    receipt = taken(org, [said("m4", "The frimp is 13.")])

    hits = org.reader("user:ann", at_least_as_fresh=receipt.token).search("frimp")

    assert [hit.item for hit in hits] == ["m4"]


def test_replicas_are_said_in_the_environment() -> None:
    said = {"MUNIMENT_REPLICAS": " postgresql://a/x\n postgresql://b/x "}

    assert Settings.read(said).replicas == ("postgresql://a/x", "postgresql://b/x")
    assert Settings.read({}).replicas == ()
    assert "postgresql" not in repr(Settings.read(said))


def test_a_url_that_cannot_be_read_is_told_at_once(leader: Server, tenant: str) -> None:
    with pytest.raises(Malformed, match="cannot be read"):
        open_org(leader.url, tenant, replicas=["postgresql://secret@[x"])


def test_a_pool_has_the_patience_it_was_given(leader: Server) -> None:
    with (
        Database.connect(leader.url, size=1, patience=0.2) as database,
        database.session(),
        pytest.raises(Unavailable, match=r"in use for 0\.2 s"),
        database.session(),
    ):
        pass
