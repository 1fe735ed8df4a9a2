"""What statements and grants make of a container, and how audiences get their numbers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime

from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.gate import audiences, directory, grants, policy
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.people import (
    ACCEPTED,
    container,
    day,
    every_clause,
    joins,
    state,
)

C1 = "container:slack:C1"


def container_state(conn: Connection, tenant: str, ref: str = C1) -> tuple[bool, datetime | None]:
    found = directory.covers(conn, tenant, [ref])[ref]
    return found.live, found.verified_through


# Containers


def test_a_container_keeps_its_audience_when_only_its_verification_moves_on(
    db: Database, tenant: str
) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            container("C1", Audience.of("user:ann")),
            container("C1", None, on=2, through=2),
        )

        assert C1 in policy.permitted(conn, tenant, "user:ann", ACCEPTED).subjects
        assert container_state(conn, tenant) == (False, day(2))


def test_the_latest_audience_of_a_container_holds_whatever_came_last(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            container("C1", Audience.of("user:bo"), on=3),
            container("C1", Audience.of("user:ann"), on=2),
        )

        assert C1 in policy.permitted(conn, tenant, "user:bo", ACCEPTED).subjects
        assert policy.permitted(conn, tenant, "user:ann", ACCEPTED).subjects <= {"user:ann"}


def test_two_audiences_at_one_key_must_both_be_satisfied(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann", "user:bo"), joins("group:b", "user:bo"))
        state(
            conn,
            tenant,
            container("C1", Audience.of("group:a")),
            container("C1", Audience.of("group:b"), live=True),
        )

        assert C1 not in policy.permitted(conn, tenant, "user:ann", ACCEPTED).subjects
        assert C1 in policy.permitted(conn, tenant, "user:bo", ACCEPTED).subjects
        assert container_state(conn, tenant) == (False, None)


def test_a_container_whose_audience_nobody_stated_is_neither_live_nor_verified(
    db: Database, tenant: str
) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, container("C1", None, live=True, through=9))

        assert container_state(conn, tenant) == (False, None)


def test_a_container_nobody_spoke_of_has_no_state(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        assert directory.covers(conn, tenant, ["container:slack:C9"]) == {}


def test_stating_what_already_holds_changes_no_container(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        first = directory.state_containers(conn, tenant, [container("C1", Audience.of("user:ann"))], ACCEPTED)
        again = directory.state_containers(conn, tenant, [container("C1", Audience.of("user:ann"))], ACCEPTED)
        wider = container("C1", Audience.of("user:ann", "user:bo"), on=2)
        later = directory.state_containers(conn, tenant, [wider], ACCEPTED)

    assert (first, again, later) == ({C1}, set(), {C1})


def test_narrowing_a_container_rewrites_no_other_member(db: Database, tenant: str) -> None:
    people = [f"user:{number}" for number in range(300)]
    with writing(db, tenant) as conn:
        state(conn, tenant, container("C1", Audience.of(*people)))
        before = conn.execute("select member, xmin::text from muniment.container_clause").fetchall()

    with writing(db, tenant) as conn:
        state(conn, tenant, container("C1", Audience.of(*people[1:]), on=2))
        after = conn.execute("select member, xmin::text from muniment.container_clause").fetchall()

    assert {member for member, _ in set(before) - set(after)} == {"user:0"}
    assert set(after) < set(before)


# Grants


def test_a_grant_on_a_container_admits_whatever_its_clauses_say(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, container("C1", every_clause(("group:a",), ("group:b",))))
        granted = grants.grant_read(conn, tenant, C1, "user:eve", "user:sam", day(2))

        assert granted
        assert C1 in policy.permitted(conn, tenant, "user:eve", ACCEPTED).subjects


def test_a_grant_outlives_a_change_of_the_containers_audience(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, container("C1", Audience.of("group:a")))
        grants.grant_read(conn, tenant, C1, "user:eve", "user:sam", day(2))
        state(conn, tenant, container("C1", every_clause(("group:b",), ("user:bo",)), on=3))

        assert C1 in policy.permitted(conn, tenant, "user:eve", ACCEPTED).subjects


def test_a_revoked_grant_admits_nobody(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, container("C1", Audience.of("group:a")))
        grants.grant_read(conn, tenant, C1, "user:eve", "user:sam", day(2))
        revoked = grants.revoke_read(conn, tenant, C1, "user:eve", "user:sam", day(3))

        assert revoked
        assert C1 not in policy.permitted(conn, tenant, "user:eve", ACCEPTED).subjects


def test_a_grant_on_a_container_without_an_audience_waits_for_one(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        grants.grant_read(conn, tenant, C1, "user:eve", "user:sam", day(2))
        before = policy.permitted(conn, tenant, "user:eve", ACCEPTED)
        state(conn, tenant, container("C1", Audience.of("group:a")))

        assert before.subjects == frozenset()
        assert C1 in policy.permitted(conn, tenant, "user:eve", ACCEPTED).subjects


def test_open_grants_on_an_item_are_named_and_closed_ones_are_not(db: Database, tenant: str) -> None:
    item = grants.item_ref("slack", "C1/1")
    with writing(db, tenant) as conn:
        for principal in ("user:ann", "user:bo"):
            grants.grant_read(conn, tenant, item, principal, "user:sam", day(1))
        grants.revoke_read(conn, tenant, item, "user:bo", "user:sam", day(2))

        wanted = [item, "item:x:y"]
        assert grants.item_grants(conn, tenant, wanted, None) == {item: frozenset({"user:ann"})}
        assert grants.item_grants(conn, tenant, wanted, day(1)) == {item: frozenset({"user:ann", "user:bo"})}
        assert grants.item_grants(conn, tenant, wanted, day(0)) == {}


def test_granting_twice_is_granting_once(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        first = grants.grant_role(conn, tenant, "user:sam", "steward", "user:root", day(1))
        again = grants.grant_role(conn, tenant, "user:sam", "steward", "user:root", day(2))
        revoked = grants.revoke_role(conn, tenant, "user:sam", "steward", "user:root", day(3))

        assert (first, again, revoked) == (True, False, True)
        assert not policy.is_steward(conn, tenant, "user:sam")


def test_a_role_can_be_given_again_at_the_instant_it_was_first_given(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        grants.grant_role(conn, tenant, "user:sam", "steward", "user:root", day(1))
        grants.revoke_role(conn, tenant, "user:sam", "steward", "user:root", day(1))
        grants.grant_role(conn, tenant, "user:sam", "steward", "user:root", day(1))

        assert policy.is_steward(conn, tenant, "user:sam")


# Audiences


def test_equal_audiences_share_a_number_however_they_are_written(db: Database, tenant: str) -> None:
    one, same = every_clause(("user:ann", "group:a"), ("*",)), every_clause(("*",), ("group:a", "user:ann"))
    with writing(db, tenant) as conn:
        first = audiences.audience_ids(conn, tenant, [one])
        again = audiences.audience_ids(conn, tenant, [same, Audience.of("user:bo")])

        assert first[one] == again[one]
        assert audiences.get_audience(conn, tenant, first[one]) == one
        assert len(set(again.values())) == 2


def test_two_transactions_that_make_one_audience_at_a_time_agree_on_its_number(
    db: Database, tenant: str
) -> None:
    shared = Audience.of("group:a")

    def make() -> dict[Audience, int]:
        with writing(db, tenant) as conn:
            return audiences.audience_ids(conn, tenant, [shared])

    with ThreadPoolExecutor(1) as aside, writing(db, tenant) as conn:
        first = audiences.audience_ids(conn, tenant, [shared])
        second = aside.submit(make)
        waited = not wait([second], timeout=0.3).done

    assert waited
    assert second.result() == first


def test_an_audience_of_one_tenant_is_not_anothers(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        audiences.audience_ids(conn, tenant, [Audience.of("user:ann")])

        assert policy.permitted(conn, tenant, "user:ann", ACCEPTED).audiences
        assert policy.permitted(conn, f"{tenant}-other", "user:ann", ACCEPTED).audiences == ()
