"""What is done is sealed, once, in a chain without a gap, however late it was committed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import psycopg
import pytest

from muniment.app import Org
from muniment.gate import chain
from muniment.gate.audit import Act, record
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.planted import plant
from tests.tampering import TAMPERS, Hand, as_owner
from tests.worlds import NOW, Clock, open_org, said, taken

ACTS = 9


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    """An organisation in which a few things were done."""
    with open_org(url, tenant, clock) as org:
        taken(org, [said("m1", "The hotel limit is EUR 180 per night.")])
        for number in range(ACTS):
            clock.forward(minutes=1)
            org.reader("user:owner").search(f"hotel limit {number}")
        yield org


def act(number: int, content: dict[str, object] | None = None) -> Act:
    return Act(NOW + timedelta(minutes=number), "user:ann", "ask", f"thing {number}", content or {})


def numbers(hand: Hand) -> list[int]:
    found = hand("select number from muniment.audit_seal where tenant = %(tenant)s order by number")
    return [number for (number,) in found]


def test_sealing_twice_is_sealing_once(org: Org) -> None:
    steward = org.steward("user:owner")

    assert steward.audit_head() == steward.audit_head()


def test_an_entry_that_commits_late_is_sealed_later(db: Database, tenant: str) -> None:
    with writing(db, tenant) as late:
        record(late, tenant, act(1), b"one")
        with writing(db, tenant) as early:
            record(early, tenant, act(2), b"two")
        with writing(db, tenant) as sealer:
            assert chain.seal(sealer, tenant, NOW) == 1
    with writing(db, tenant) as sealer:
        assert chain.seal(sealer, tenant, NOW) == 1
        order = Hand(sealer, tenant)(
            "select a.object from muniment.audit_seal s join muniment.audit a using (tenant, entry) "
            "where tenant = %(tenant)s order by s.number",
        )

    assert order == [("thing 2",), ("thing 1",)]
    with chain.at_once(db, tenant) as conn:
        assert chain.verify(conn, tenant, ()).ok


def test_an_act_that_was_rolled_back_leaves_no_gap(db: Database, tenant: str) -> None:
    for number in range(3):
        with writing(db, tenant) as conn:
            record(conn, tenant, act(number), b"salt")
            if number == 1:
                conn.execute("rollback")
                continue
    with writing(db, tenant) as conn:
        chain.seal(conn, tenant, NOW)

        assert numbers(Hand(conn, tenant)) == [1, 2]


@pytest.mark.parametrize("by", ["a worker", "sync", "head", "verify"])
def test_everyone_who_should_seal_does(org: Org, by: str) -> None:
    steward = org.steward("user:owner")
    assert steward.status().unsealed == ACTS + 2

    match by:
        case "a worker":
            org.work()
        case "sync":
            org.sync()
        case "head":
            steward.audit_head()
        case "verify":
            steward.verify_audit()

    assert steward.status().unsealed == 0


@pytest.mark.parametrize("page", [1, 3, 10_000])
def test_the_chain_is_the_same_whatever_the_page(
    db: Database, tenant: str, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    plant(monkeypatch, chain, "PAGE", page)
    with writing(db, tenant) as conn:
        for number in range(7):
            record(conn, tenant, act(number), b"salt")
        assert chain.seal(conn, tenant, NOW) == 7
        assert numbers(Hand(conn, tenant)) == list(range(1, 8))

    with chain.at_once(db, tenant) as conn:
        found = chain.verify(conn, tenant, ())

    assert (found.ok, found.sealed, found.waiting) == (True, 7, 0)


@pytest.mark.parametrize("table", ["audit", "audit_seal"])
@pytest.mark.parametrize(
    "statement",
    [
        "update muniment.{} set tenant = tenant where tenant = %(tenant)s",
        "delete from muniment.{} where tenant = %(tenant)s",
        "truncate muniment.{}",
    ],
)
def test_the_program_itself_cannot_take_back_what_it_wrote(
    org: Org, db: Database, tenant: str, table: str, statement: str
) -> None:
    org.steward("user:owner").audit_head()

    with pytest.raises(psycopg.errors.InsufficientPrivilege), writing(db, tenant) as conn:
        conn.execute(statement.format(table).encode(), {"tenant": tenant} if "%(" in statement else None)


def test_the_doctor_looks_at_the_end_of_the_chain(org: Org, db: Database, tenant: str) -> None:
    org.sync()
    whole = {one.name: one for one in org.doctor()}["audit"]

    as_owner(db, tenant, TAMPERS["change"])
    broken = {one.name: one for one in org.doctor()}["audit"]

    assert (whole.state, broken.state) == ("good", "broken")
    assert whole.what == f"the last {ACTS + 2} sealed entries verify"
    assert broken.what.startswith("broken at number 5")


@pytest.mark.parametrize("last", range(1, 8))
def test_the_end_of_the_chain_is_as_much_as_was_asked_for(db: Database, tenant: str, last: int) -> None:
    with writing(db, tenant) as conn:
        for number in range(5):
            record(conn, tenant, act(number), b"salt")
        chain.seal(conn, tenant, NOW)

        found = chain.verify_end(conn, tenant, last)

    assert found.ok
    assert found.sealed == min(last, 5)
