"""What statements about people, groups and containers add up to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait

import psycopg
import pytest
from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.domain.events import PrincipalEvent
from muniment.gate import directory, grants, policy
from muniment.gate.binding import writing
from muniment.gate.versions import sortable
from muniment.store.pool import Database
from tests.people import (
    ACCEPTED,
    container,
    day,
    joins,
    leaves,
    listing,
    person,
    state,
)

C1 = "container:slack:C1"


def groups_of(conn: Connection, tenant: str, principal: str) -> set[str]:
    return {
        name
        for name in policy.permitted(conn, tenant, principal, ACCEPTED).subjects
        if name.startswith("group:")
    }


def standing_of(conn: Connection, tenant: str, principal: str) -> str | None:
    return next(
        one.standing for one in grants.list_members(conn, tenant, ACCEPTED) if one.principal == principal
    )


# Versions


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (None, "0"),
        ("", "0"),
        ("9", "10"),
        ("1.09", "1.1"),
        ("1717405200.000100", "1717405200.0002"),
        ("0", "0.5"),
        ("99", "a"),
        ("a10", "a9"),
        ("v1", "v2"),
    ],
)
def test_decimal_versions_compare_as_numbers_and_others_bytewise(older: str | None, newer: str) -> None:
    assert sortable(older) < sortable(newer)


def test_versions_equal_as_numbers_are_one_version() -> None:
    assert sortable("1") == sortable("01.0") == sortable("1.00")


# Principals


def test_each_field_comes_from_the_latest_statement_that_has_it(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann", None, on=5, emails=("new@x.example",)),
            person("user:ann", "guest", on=3),
        )
        state(conn, tenant, person("user:ann", "member", on=2, emails=("old@x.example",)))

        assert standing_of(conn, tenant, "user:ann") == "guest"
        assert policy.find_principal(conn, tenant, "new@x.example") == "user:ann"
        assert policy.find_principal(conn, tenant, "old@x.example") is None


def test_an_empty_list_of_emails_clears_them(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann", on=2, emails=()),
            person("user:ann", on=1, emails=("ann@x.example",)),
        )

        assert policy.find_principal(conn, tenant, "ann@x.example") is None


@pytest.mark.parametrize("source", ["dir", "other"])
def test_where_two_standings_tie_the_narrower_holds(db: Database, tenant: str, source: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann", "deactivated"),
            person("user:ann", "member", source=source),
        )
        state(conn, tenant, person("user:bo", "member"), person("user:bo", "guest", source=source))

        assert standing_of(conn, tenant, "user:ann") == "deactivated"
        assert standing_of(conn, tenant, "user:bo") == "guest"


@pytest.mark.parametrize("source", ["dir", "other"])
def test_where_two_lists_of_emails_tie_only_the_shared_ones_hold(
    db: Database, tenant: str, source: str
) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, person("user:ann", emails=("a@x.example", "b@x.example")))
        state(conn, tenant, person("user:ann", emails=("b@x.example", "c@x.example"), source=source))

        assert policy.find_principal(conn, tenant, "b@x.example") == "user:ann"
        assert policy.find_principal(conn, tenant, "a@x.example") is None
        assert policy.find_principal(conn, tenant, "c@x.example") is None


def test_a_principal_that_is_no_principal_is_refused_by_the_database(db: Database, tenant: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation), writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            PrincipalEvent("dir", "group:a", day(1), None, None, None, None, "member", {}),
        )


# Membership


def test_a_later_removal_arriving_first_still_holds(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, leaves("group:a", "user:ann", on=2), joins("group:a", "user:ann", on=1))

        assert groups_of(conn, tenant, "user:ann") == set()


@pytest.mark.parametrize("removal_first", [True, False])
def test_removal_wins_a_tie(db: Database, tenant: str, *, removal_first: bool) -> None:
    said = [joins("group:a", "user:ann", on=1), leaves("group:a", "user:ann", on=1)]
    with writing(db, tenant) as conn:
        state(conn, tenant, *(reversed(said) if removal_first else said))

        assert groups_of(conn, tenant, "user:ann") == set()


def test_at_one_time_the_higher_version_holds(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:a", "user:ann", version="10"),
            leaves("group:a", "user:ann", on=1, version="9"),
        )

        assert groups_of(conn, tenant, "user:ann") == {"group:a"}


def test_a_listing_puts_everyone_else_out(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann", "user:bo"), listing("group:a", "user:bo", on=2))

        assert groups_of(conn, tenant, "user:ann") == set()
        assert groups_of(conn, tenant, "user:bo") == {"group:a"}


def test_an_empty_listing_empties_a_group(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann"), listing("group:a", on=2))

        assert groups_of(conn, tenant, "user:ann") == set()


def test_an_addition_older_than_a_listing_arrives_too_late(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, listing("group:a", "user:bo", on=5), joins("group:a", "user:ann", on=4))

        assert groups_of(conn, tenant, "user:ann") == set()


def test_an_addition_newer_than_a_listing_holds_though_it_came_first(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann", on=6), listing("group:a", "user:bo", on=5))

        assert groups_of(conn, tenant, "user:ann") == {"group:a"}


def test_an_older_listing_arriving_late_changes_nothing(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, listing("group:a", "user:bo", on=5), listing("group:a", "user:ann", on=4))

        assert groups_of(conn, tenant, "user:ann") == set()
        assert groups_of(conn, tenant, "user:bo") == {"group:a"}


def test_a_removal_older_than_a_listing_does_not_touch_whom_it_lists(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, listing("group:a", "user:ann", on=5), leaves("group:a", "user:ann", on=4))

        assert groups_of(conn, tenant, "user:ann") == {"group:a"}


def test_absence_from_a_listing_wins_a_tie_with_an_addition(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            listing("group:a", "user:bo", on=5),
            joins("group:a", "user:ann", "user:bo", on=5),
        )

        assert groups_of(conn, tenant, "user:ann") == set()
        assert groups_of(conn, tenant, "user:bo") == {"group:a"}


def test_of_two_transactions_that_meet_neither_misses_what_the_other_said(db: Database, tenant: str) -> None:
    def leave() -> None:
        with writing(db, tenant) as conn:
            state(conn, tenant, leaves("group:a", "user:ann", on=2))

    with ThreadPoolExecutor(1) as aside, writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann", on=1))
        second = aside.submit(leave)
        waited = not wait([second], timeout=0.3).done
    second.result()

    with writing(db, tenant) as conn:
        assert waited
        assert groups_of(conn, tenant, "user:ann") == set()


def test_nobody_becomes_a_member_of_a_person(db: Database, tenant: str) -> None:
    """A principal that could be joined like a group would hand its rights to whoever joins it."""
    with pytest.raises(psycopg.errors.CheckViolation), writing(db, tenant) as conn:
        state(conn, tenant, joins("user:ann", "user:eve"))


def test_taking_one_person_off_a_channel_deletes_one_row(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, listing("group:slack:C1", *(f"user:{number}" for number in range(500))))
        before = conn.execute("select member, grp, xmin::text from muniment.member_now").fetchall()

    with writing(db, tenant) as conn:
        state(conn, tenant, leaves("group:slack:C1", "user:7"))
        after = conn.execute("select member, grp, xmin::text from muniment.member_now").fetchall()

    gone = set(before) - set(after)
    assert {member for member, _, _ in gone} == {"user:7"}
    assert set(after) < set(before)


# All of it


def test_what_is_settled_can_be_made_again_from_the_statements(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann", emails=("ann@x.example",)),
            joins("group:a", "user:ann", "group:b"),
        )
        state(
            conn,
            tenant,
            listing("group:b", "user:bo"),
            container("C1", Audience.of("group:a"), live=True),
        )
        grants.grant_read(conn, tenant, C1, "user:eve", "user:sam", day(2))
        people = ("ann@x.example", "user:ann", "user:bo", "user:eve")
        before = [policy.permitted(conn, tenant, name, ACCEPTED) for name in people]

        directory.rebuild(conn, tenant)

        assert [policy.permitted(conn, tenant, name, ACCEPTED) for name in people] == before
        assert all(one.subjects for one in before)
