"""Whoever tampers with the audit is found out, and an erasure is not taken for that."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import LiteralString

import pytest

from muniment.app import Org
from muniment.domain import audit as chain_rule
from muniment.domain.audit import Envelope, commit, next_head
from muniment.gate import audit, chain
from muniment.gate.audit import Act, record
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.planted import plant
from tests.tampering import ONLY_BY_A_PUBLISHED_HEAD, TAMPERS, Hand, as_owner, erase
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


# ── what is found ──


@pytest.mark.parametrize("kind", TAMPERS)
def test_a_tampered_audit_is_found_out(org: Org, db: Database, tenant: str, kind: str) -> None:
    steward = org.steward("user:owner")
    published = steward.audit_head()
    assert steward.verify_audit(published).ok

    as_owner(db, tenant, TAMPERS[kind])

    assert steward.verify_audit().ok is (kind in ONLY_BY_A_PUBLISHED_HEAD)
    assert not steward.verify_audit(published).ok


def _nameless(head: bytes, number: int, sealed_at: int | None, envelope: Envelope) -> bytes:
    return next_head(head, number, sealed_at, replace(envelope, principal=""))


def _unchained(_head: bytes, _number: int, sealed_at: int | None, envelope: Envelope) -> bytes:
    return next_head(b"", 0, sealed_at, envelope)


@pytest.mark.parametrize(("careless", "unseen"), [(_nameless, "change"), (_unchained, "delete")])
def test_a_head_that_leaves_something_out_does_not_see_a_tamper(
    org: Org, db: Database, tenant: str, monkeypatch: pytest.MonkeyPatch, careless: object, unseen: str
) -> None:
    """Planted faults: what the check above rests on."""
    plant(monkeypatch, chain_rule, "next_head", careless)
    plant(monkeypatch, chain, "next_head", careless)
    steward = org.steward("user:owner")
    steward.audit_head()

    as_owner(db, tenant, TAMPERS[unseen])

    assert steward.verify_audit().ok


def test_what_is_broken_is_named_where_it_is(org: Org, db: Database, tenant: str) -> None:
    steward = org.steward("user:owner")
    steward.audit_head()
    with writing(db, tenant) as conn:
        entry = Hand(conn, tenant).sealed_as(5)

    as_owner(db, tenant, TAMPERS["change"])
    (broken,) = steward.verify_audit().broken

    assert (broken.number, broken.entry) == (5, entry)
    assert broken.what == "the entry or its place is not what was sealed"


COLUMNS: dict[str, LiteralString] = {
    "at": "update muniment.audit set at = at + interval '1 us' where tenant = %(tenant)s and entry = %(e)s",
    "at, to no date": "update muniment.audit set at = 'infinity' where tenant = %(tenant)s and entry = %(e)s",
    "at, to no year of ours": (
        "update muniment.audit set at = '20000-01-01' where tenant = %(tenant)s and entry = %(e)s"
    ),
    "action": "update muniment.audit set action = 'asked' where tenant = %(tenant)s and entry = %(e)s",
    "object": "update muniment.audit set object = '' where tenant = %(tenant)s and entry = %(e)s",
    "commitment": "update muniment.audit set commitment = '' where tenant = %(tenant)s and entry = %(e)s",
    "head": "update muniment.audit_seal set head = '' where tenant = %(tenant)s and entry = %(e)s",
    "sealed_at": (
        "update muniment.audit_seal set sealed_at = sealed_at + interval '1 us' "
        "where tenant = %(tenant)s and entry = %(e)s"
    ),
    "sealed_at, to no date": (
        "update muniment.audit_seal set sealed_at = '-infinity' where tenant = %(tenant)s and entry = %(e)s"
    ),
    "number": "update muniment.audit_seal set number = 99 where tenant = %(tenant)s and entry = %(e)s",
}


@pytest.mark.parametrize("column", COLUMNS)
def test_no_column_can_be_changed_unseen(org: Org, db: Database, tenant: str, column: str) -> None:
    steward = org.steward("user:owner")
    steward.audit_head()

    as_owner(db, tenant, lambda hand: hand(COLUMNS[column], e=hand.sealed_as(7)))
    found = steward.verify_audit()

    assert 7 in [one.number for one in found.broken]


CHANGED = "its content is not what the entry committed to"
HALF = "half of its content is gone; erasure takes salt and content together"


@pytest.mark.parametrize(
    ("by_hand", "what"),
    [
        ("content = jsonb_set(content, '{citations}', '[\"c_1\"]')", CHANGED),
        ("salt = 'guess'", CHANGED),
        ("salt = null", HALF),
        ("content = null", HALF),
    ],
)
def test_changed_content_is_told_from_erased_content(
    org: Org, db: Database, tenant: str, by_hand: LiteralString, what: str
) -> None:
    steward = org.steward("user:owner")
    steward.audit_head()
    head: LiteralString = "update muniment.audit set "
    tail: LiteralString = " where tenant = %(tenant)s and entry = %(entry)s"

    as_owner(db, tenant, lambda hand: hand(head + by_hand + tail, entry=hand.sealed_as(4)))
    found = steward.verify_audit()

    assert [(one.number, one.what) for one in found.broken] == [(4, what)]
    assert found.erased == 0


GONE: dict[str, LiteralString] = {
    "a seal": "delete from muniment.audit_seal where tenant = %(tenant)s and number = 4",
    "an entry": (
        "delete from muniment.audit where tenant = %(tenant)s and entry = "
        "(select entry from muniment.audit_seal where tenant = %(tenant)s and number = 4)"
    ),
    "all seals": "delete from muniment.audit_seal where tenant = %(tenant)s",
    "a place among those that wait": "delete from muniment.audit_unsealed where tenant = %(tenant)s",
    "what waits": (
        "delete from muniment.audit where tenant = %(tenant)s and entry in "
        "(select entry from muniment.audit_unsealed where tenant = %(tenant)s)"
    ),
}


@pytest.mark.parametrize("gone", GONE)
def test_what_is_gone_from_one_table_alone_is_missed(org: Org, db: Database, tenant: str, gone: str) -> None:
    steward = org.steward("user:owner")
    steward.audit_head()
    org.reader("user:owner").search("nothing seals this")

    as_owner(db, tenant, lambda hand: hand(GONE[gone]))

    assert not steward.verify_audit().ok


def test_an_entry_put_there_by_hand_is_neither_sealed_nor_waiting(
    org: Org, db: Database, tenant: str
) -> None:
    forge: LiteralString = (
        "insert into muniment.audit (tenant, at, principal, action, object, commitment) "
        "values (%(tenant)s, '2026-01-01Z', 'user:ann', 'ask', 'record', '')"
    )

    as_owner(db, tenant, lambda hand: hand(forge))
    (broken,) = org.steward("user:owner").verify_audit().broken

    assert broken.what.startswith("it is neither sealed nor waiting")


TAKEN: tuple[LiteralString, ...] = (
    "delete from muniment.audit where tenant = %(other)s",
    "delete from muniment.audit_seal where tenant = %(other)s",
    "delete from muniment.audit_unsealed where tenant = %(other)s",
    "update muniment.audit set tenant = %(other)s where tenant = %(tenant)s",
    "update muniment.audit_seal set tenant = %(other)s where tenant = %(tenant)s",
    "update muniment.audit_unsealed set tenant = %(other)s where tenant = %(tenant)s",
)


HIDDEN: tuple[LiteralString, LiteralString] = (
    (
        "insert into muniment.audit (tenant, at, principal, action, object, commitment) "
        "values (%(tenant)s, '2026-01-01Z', 'user:mallory', 'ask', 'record', '')"
    ),
    (
        "insert into muniment.audit_seal (tenant, number, entry, head, sealed_at) "
        "select tenant, -3, max(entry), '', max(at) from muniment.audit "
        "where tenant = %(tenant)s group by tenant"
    ),
)


def test_an_entry_cannot_be_hidden_below_the_first_number(org: Org, db: Database, tenant: str) -> None:
    steward = org.steward("user:owner")
    steward.audit_head()

    as_owner(db, tenant, lambda hand: [hand(statement) for statement in HIDDEN])
    (broken,) = steward.verify_audit().broken

    assert (broken.number, broken.what) == (-3, "no entry is sealed under such a number")


def test_a_chain_is_no_other_organisations(org: Org, db: Database, tenant: str, url: str) -> None:
    org.steward("user:owner").audit_head()
    other = f"{tenant}-other"

    def take(hand: Hand) -> None:
        for statement in TAKEN:
            hand(statement, other=other)

    with open_org(url, other) as copy:
        copy.steward("user:owner").audit_head()
        as_owner(db, tenant, take)
        found = copy.steward("user:owner").verify_audit()

    assert [one.number for one in found.broken] == [1]


# ── erasure ──


def test_erased_entries_leave_the_chain_whole(org: Org, db: Database, tenant: str) -> None:
    steward = org.steward("user:owner")
    published = steward.audit_head()

    for number in range(3, 7):
        as_owner(db, tenant, lambda hand, number=number: erase(hand.sealed_as(number))(hand))  # type: ignore[misc]
    found = steward.verify_audit(published)

    assert found.ok
    assert found.erased == 4
    assert [one.number for one in steward.audit(limit=100) if one.erased] == [6, 5, 4, 3]


ROLES: list[dict[str, object]] = [{"role": "steward"}, {"role": "importer"}]
GUESSES = ROLES + [{"read": f"item:hr:case-{number}"} for number in range(500)]


def guessed(db: Database, tenant: str, org: Org) -> set[str]:
    """What whoever holds the database finds of two erased contents: each guess, under each salt there is."""
    with writing(db, tenant) as conn:
        for number, content in enumerate((GUESSES[0], GUESSES[9])):
            record(conn, tenant, act(number, content), org._work.salts())
        hand = Hand(conn, tenant)
        entries = hand("select max(entry) - 1, max(entry) from muniment.audit where tenant = %(tenant)s")
        committed = {
            bytes(one)
            for (one,) in hand(
                "select commitment from muniment.audit "
                "where tenant = %(tenant)s and entry = any (%(entries)s)",
                entries=list(entries[0]),
            )
        }
    for entry in entries[0]:
        as_owner(db, tenant, erase(entry))
    with writing(db, tenant) as conn:
        left = Hand(conn, tenant)(
            "select salt from muniment.audit where tenant = %(tenant)s and salt is not null"
        )
    salts = [bytes(salt) for (salt,) in left]
    assert len(committed) == 2
    assert salts
    return {str(guess) for guess in GUESSES if committed & {_unsalted(b"", guess), *_tries(salts, guess)}}


def _tries(salts: Sequence[bytes], guess: object) -> set[bytes]:
    return {commit(salt, guess) for salt in (b"", *salts)}


def _unsalted(_salt: bytes, content: object) -> bytes:
    return hashlib.sha256(str(content).encode()).digest()


def test_erased_content_cannot_be_guessed_from_its_commitment(org: Org, db: Database, tenant: str) -> None:
    assert guessed(db, tenant, org) == set()


def test_without_a_salt_erased_content_is_guessed(
    org: Org, db: Database, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: an unsalted chain."""
    plant(monkeypatch, audit, "commit", _unsalted)

    assert guessed(db, tenant, org) == {str(GUESSES[0]), str(GUESSES[9])}


def test_with_one_salt_for_all_erased_content_is_guessed(
    org: Org, db: Database, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a salt that other entries still have."""
    plant(monkeypatch, audit, "commit", lambda _, content: commit(b"", content))

    assert guessed(db, tenant, org) == {str(GUESSES[0]), str(GUESSES[9])}
