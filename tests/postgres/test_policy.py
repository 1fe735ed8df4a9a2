"""Who may read what, as facts."""

from __future__ import annotations

import pytest
from psycopg import Connection

from muniment.domain.audience import Audience
from muniment.domain.errors import Refused, Usage
from muniment.gate import audiences, grants, policy, who
from muniment.gate.binding import writing
from muniment.store.pool import Database
from tests.people import ACCEPTED, container, day, every_clause, joins, leaves, listing, person, state

EVERYONE = Audience.of("*")
C1 = "container:slack:C1"


def can_read(conn: Connection, tenant: str, name: str, audience: Audience) -> bool:
    number = audiences.audience_ids(conn, tenant, [audience])[audience]
    return number in policy.permitted(conn, tenant, name, ACCEPTED).audiences


def readers(
    conn: Connection, tenant: str, audience: Audience, on: int | None = None
) -> dict[str, tuple[str, ...]]:
    found = who.who_can(conn, tenant, audience, None if on is None else day(on), ACCEPTED)
    return {access.principal: access.why for access in found}


# Who is meant


def test_a_principal_is_found_by_id_alias_or_email_in_any_case(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, person("user:ann", emails=("Ann@X.example",), aliases=("slack:U1",)))

        names = ("user:ann", "slack:U1", "ann@x.EXAMPLE")
        assert [policy.find_principal(conn, tenant, name) for name in names] == ["user:ann"] * 3


def test_an_alias_is_not_found_in_another_case(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, person("user:ann", aliases=("slack:U1",)))

        assert policy.find_principal(conn, tenant, "slack:u1") is None


def test_a_name_two_principals_claim_names_nobody(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann", emails=("a@x.example",)),
            person("user:bo", emails=("A@x.example",)),
        )

        assert policy.find_principal(conn, tenant, "a@x.example") is None
        assert policy.permitted(conn, tenant, "a@x.example", ACCEPTED).audiences == ()


def test_an_id_comes_before_an_alias_of_the_same_name(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, person("user:ann"), person("user:eve", aliases=("user:ann",)))

        assert policy.find_principal(conn, tenant, "user:ann") == "user:ann"


@pytest.mark.parametrize(
    "name", ["user:zed", "zed@x.example", "", "*", "group:a", C1, "user:\0", "user:\ud800"]
)
def test_whoever_is_unknown_or_is_no_principal_gets_nothing(db: Database, tenant: str, name: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann"),
            joins("group:a", "user:ann"),
            container("C1", Audience.of("group:a")),
        )
        audiences.audience_ids(conn, tenant, [EVERYONE, Audience.of("group:a"), Audience.of(C1)])

        permitted = policy.permitted(conn, tenant, name, ACCEPTED)
        assert (permitted.principal, permitted.subjects, permitted.audiences) == (name, frozenset(), ())


# What they may read


def test_everyone_means_full_members_only(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann"),
            person("user:gus", "guest"),
            person("user:ext", "external"),
        )
        state(conn, tenant, joins("group:a", "user:bo"))

        people = ("user:ann", "user:gus", "user:ext", "user:bo")
        assert [can_read(conn, tenant, name, EVERYONE) for name in people] == [True, False, False, False]


def test_a_guest_reads_through_groups_and_by_name(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, person("user:gus", "guest"), joins("group:a", "user:gus"))

        assert can_read(conn, tenant, "user:gus", Audience.of("group:a"))
        assert can_read(conn, tenant, "user:gus", Audience.of("user:gus", "group:z"))


def test_someone_deactivated_reads_nothing_at_all(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:a", "user:ann"),
            person("user:ann", "deactivated", aliases=("slack:U1",)),
        )
        named = Audience.of("user:ann", "group:a", "*")

        assert not can_read(conn, tenant, "user:ann", named)
        assert not can_read(conn, tenant, "slack:U1", named)
        assert policy.permitted(conn, tenant, "user:ann", ACCEPTED).subjects == frozenset()


def test_someone_nobody_described_reads_what_names_them(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        assert can_read(conn, tenant, "user:root", Audience.of("user:root"))
        assert not can_read(conn, tenant, "user:root", every_clause(("user:root",), ("group:a",)))


def test_every_clause_must_be_satisfied(db: Database, tenant: str) -> None:
    both = every_clause(("group:a", "group:x"), ("group:b",))
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:a", "user:ann", "user:bo"),
            joins("group:x", "user:ann"),
            joins("group:b", "user:bo"),
        )

        assert not can_read(conn, tenant, "user:ann", both)
        assert can_read(conn, tenant, "user:bo", both)


def test_groups_are_followed_through_groups_and_a_cycle_ends(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:a", "group:b"),
            joins("group:b", "group:c"),
            joins("group:c", "group:a", "user:ann"),
        )

        assert can_read(conn, tenant, "user:ann", Audience.of("group:a"))
        assert can_read(conn, tenant, "user:ann", Audience.of("group:b"))


def test_a_group_is_not_what_its_member_is(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:all", "group:sales", "user:boss"),
            joins("group:sales", "user:ann"),
        )

        assert not can_read(conn, tenant, "user:boss", Audience.of("group:sales"))


def test_a_container_is_read_by_whoever_satisfies_all_its_clauses(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann"),
            person("user:bo"),
            joins("group:a", "user:ann", "user:cy"),
        )
        state(conn, tenant, container("C1", every_clause(("group:a",), ("*",))))

        people = ("user:ann", "user:bo", "user:cy")
        assert [can_read(conn, tenant, name, Audience.of(C1)) for name in people] == [True, False, False]


def test_a_container_without_an_audience_admits_nobody(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, person("user:ann"), container("C1", None, live=True))

        assert not can_read(conn, tenant, "user:ann", Audience.of(C1))


def test_leaving_a_channel_holds_on_the_next_read(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:slack:C1", "user:ann"),
            container("C1", Audience.of("group:slack:C1")),
        )
        before = can_read(conn, tenant, "user:ann", Audience.of(C1))
        state(conn, tenant, leaves("group:slack:C1", "user:ann"))

        assert before
        assert not can_read(conn, tenant, "user:ann", Audience.of(C1))


def test_what_two_people_may_both_hear_is_what_each_may_read(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann", "user:bo"), joins("group:b", "user:ann"))
        numbers = audiences.audience_ids(conn, tenant, [Audience.of("group:a"), Audience.of("group:b")])

        ann, bo = (policy.permitted(conn, tenant, name, ACCEPTED) for name in ("user:ann", "user:bo"))
        both = ann & bo
        assert both.audiences == (numbers[Audience.of("group:a")],)


def test_audiences_come_in_order(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        for number in range(20, 0, -1):
            audiences.audience_ids(conn, tenant, [Audience.of("user:ann", f"group:{number}")])

        found = policy.permitted(conn, tenant, "user:ann", ACCEPTED).audiences
        assert found == tuple(sorted(found))
        assert len(found) == 20


def test_an_audience_that_is_not_there_is_refused(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn, pytest.raises(Refused):
        audiences.get_audience(conn, tenant, 1)


# Members and roles


def test_an_added_member_reads_what_everyone_may_and_a_removed_one_nothing(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann"))
        grants.add_member(conn, tenant, "user:ann", day(2))
        added = can_read(conn, tenant, "user:ann", EVERYONE)
        grants.remove_member(conn, tenant, "user:ann", day(3))

        assert added
        assert not can_read(conn, tenant, "user:ann", EVERYONE)
        assert not can_read(conn, tenant, "user:ann", Audience.of("group:a"))


def test_members_are_listed_with_their_standing_and_groups(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:b", "user:ann", "user:bo"),
            joins("group:a", "user:ann"),
            person("user:ann"),
        )

        assert grants.list_members(conn, tenant, ACCEPTED) == [
            grants.Member("user:ann", None, "member", ("group:a", "group:b")),
            grants.Member("user:bo", None, None, ("group:b",)),
        ]


def test_a_deactivated_steward_is_no_steward(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        grants.grant_role(conn, tenant, "user:sam", "steward", "user:root", day(1))
        before = policy.is_steward(conn, tenant, "user:sam")
        grants.remove_member(conn, tenant, "user:sam", day(2))

        assert before
        assert not policy.is_steward(conn, tenant, "user:sam")


def test_an_importer_is_no_steward(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        grants.grant_role(conn, tenant, "user:imp", "importer", "user:root", day(1))

        assert not policy.is_steward(conn, tenant, "user:imp")


@pytest.mark.parametrize("name", ["*", "group:", "ann", C1])
def test_nothing_is_given_to_a_name_that_is_nobodys(db: Database, tenant: str, name: str) -> None:
    with writing(db, tenant) as conn, pytest.raises(Usage):
        grants.grant_role(conn, tenant, name, "steward", "user:root", day(1))


# Why


def test_why_names_the_chain_of_groups(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            joins("group:slack:C042", "user:ann"),
            joins("group:all", "group:slack:C042"),
            person("user:bo"),
        )
        ann, bo = (policy.permitted(conn, tenant, name, ACCEPTED) for name in ("user:ann", "user:bo"))

        def why(audience: Audience) -> list[str]:
            return who.why(conn, tenant, audience, ann, ACCEPTED)

        assert why(Audience.of("group:slack:C042")) == ["group:slack:C042 through user:ann"]
        assert why(Audience.of("group:all")) == ["group:all through group:slack:C042 through user:ann"]
        assert why(Audience.of("group:all", "user:ann")) == ["user:ann"]
        assert why(every_clause(("group:all",), ("user:bo",))) == []
        assert who.why(conn, tenant, EVERYONE, bo, ACCEPTED) == ["* through user:bo"]


def test_why_names_a_container_and_each_of_its_clauses(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann"), joins("group:b", "user:ann", "user:bo"))
        state(conn, tenant, container("C1", every_clause(("group:a",), ("group:b",))))

        assert readers(conn, tenant, Audience.of(C1)) == {
            "user:ann": (f"{C1} through group:a through user:ann", f"{C1} through group:b through user:ann")
        }


def test_who_can_tells_everyone_and_leaves_out_the_deactivated(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            person("user:ann"),
            person("user:gus", "guest"),
            person("user:old", "deactivated"),
        )
        state(conn, tenant, listing("group:a", "user:gus", "user:old", "user:bo"))

        assert set(readers(conn, tenant, Audience.of("*", "group:a"))) == {"user:ann", "user:gus", "user:bo"}


def test_who_can_looks_back_through_memberships_standings_containers_and_grants(
    db: Database, tenant: str
) -> None:
    with writing(db, tenant) as conn:
        state(conn, tenant, joins("group:a", "user:ann", on=2), leaves("group:a", "user:ann", on=6))
        state(conn, tenant, person("user:cy", "member", on=2), person("user:cy", "deactivated", on=5))
        state(
            conn,
            tenant,
            container("C1", Audience.of("user:cy"), on=1),
            container("C1", Audience.of("group:a"), on=4),
        )
        grants.grant_read(conn, tenant, C1, "user:eve", "user:sam", day(3))
        grants.revoke_read(conn, tenant, C1, "user:eve", "user:sam", day(5))

        seen = {on: set(readers(conn, tenant, Audience.of(C1), on)) for on in (0, 1, 3, 4, 5, 6)}
        assert seen == {
            0: set(),
            1: {"user:cy"},
            3: {"user:cy", "user:eve"},
            4: {"user:ann", "user:eve"},
            5: {"user:ann"},
            6: set(),
        }
        assert readers(conn, tenant, Audience.of(C1)) == {}


def test_a_listing_is_looked_back_through_as_well(db: Database, tenant: str) -> None:
    with writing(db, tenant) as conn:
        state(
            conn,
            tenant,
            listing("group:a", "user:ann", "group:b", on=1),
            joins("group:b", "user:bo", on=1),
        )
        state(conn, tenant, listing("group:a", "user:cy", on=3))

        assert set(readers(conn, tenant, Audience.of("group:a"), 2)) == {"user:ann", "user:bo"}
        assert set(readers(conn, tenant, Audience.of("group:a"))) == {"user:cy"}
