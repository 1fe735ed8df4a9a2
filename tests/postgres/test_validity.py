"""A membership may hold for a period only: each read judges it at its own now."""

from __future__ import annotations

from datetime import datetime

import pytest

from muniment.app import Org
from tests.worlds import Clock, at, member, open_org, said, taken


def hour(number: float) -> datetime:
    return datetime.fromisoformat(at(number))


def readers(org: Org, *people: str) -> list[str]:
    return [who for who in people if org.reader(who).search("zebra")]


ZEBRA = said("1", "The zebra memo", audience=["group:a"])


def test_a_membership_holds_from_its_first_instant_until_its_last(url: str, tenant: str) -> None:
    clock = Clock(hour(0))
    with open_org(url, tenant, clock) as org:
        taken(org, [ZEBRA, member("group:a", "user:ann", valid_from=at(10), valid_to=at(20))])

        held = []
        for number in (0, 9.99, 10, 19.99, 20, 30):
            clock.at = hour(number)
            held.append(bool(readers(org, "user:ann")))

        assert held == [False, False, True, True, False, False]


def test_a_group_in_a_group_is_in_it_for_its_period(url: str, tenant: str) -> None:
    clock = Clock(hour(5))
    with open_org(url, tenant, clock) as org:
        taken(
            org,
            [
                ZEBRA,
                member("group:a", "group:b", valid_to=at(10)),
                member("group:b", "user:ann"),
                member("group:b", "group:a"),  # a cycle, which adds nothing
            ],
        )
        assert readers(org, "user:ann") == ["user:ann"]
        desk = org.steward("user:owner")
        (access,) = desk.who_can("chat:1")
        assert access.why == ("group:a through group:b through user:ann",)

        clock.at = hour(10)

        assert readers(org, "user:ann") == []
        assert desk.who_can("chat:1") == []
        assert [one.principal for one in desk.who_can("chat:1", at=hour(9))] == ["user:ann"]


def test_the_latest_word_on_an_edge_replaces_its_period(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [ZEBRA, member("group:a", "user:ann", valid_to=at(10))])
        assert readers(org, "user:ann") == []

        taken(org, [member("group:a", "user:ann", hours=1)])
        assert readers(org, "user:ann") == ["user:ann"]

        taken(org, [member("group:a", hours=2, remove=["user:ann"])])
        assert readers(org, "user:ann") == []


def test_a_listing_holds_for_its_period_too(url: str, tenant: str) -> None:
    clock = Clock(hour(5))
    with open_org(url, tenant, clock) as org:
        listed = {"op": "member", "source": "dir", "group": "group:a", "at": at(0), "set": ["user:ann"]}
        taken(org, [ZEBRA, {**listed, "valid_to": at(10)}])
        assert readers(org, "user:ann") == ["user:ann"]

        clock.at = hour(11)

        assert readers(org, "user:ann") == []


def test_of_two_periods_said_at_once_what_lies_in_both_holds(url: str, tenant: str) -> None:
    clock = Clock(hour(5))
    with open_org(url, tenant, clock) as org:
        taken(
            org,
            [
                ZEBRA,
                member("group:a", "user:ann", valid_to=at(10)),
                member("group:a", "user:ann", source="hr", valid_from=at(8)),
            ],
        )
        held = []
        for number in (5, 8, 10):
            clock.at = hour(number)
            held.append(bool(readers(org, "user:ann")))

        assert held == [False, True, False]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"add": ["user:ann"], "valid_from": at(2), "valid_to": at(1)}, "is not after valid_from"),
        ({"add": ["user:ann"], "valid_from": at(2), "valid_to": at(2)}, "is not after valid_from"),
        ({"add": ["user:ann"], "valid_to": "next week"}, "valid_to"),
        ({"add": [], "remove": ["user:ann"], "valid_to": at(2)}, "a removal holds at once"),
    ],
)
def test_a_period_that_cannot_be_is_refused(
    url: str, tenant: str, fields: dict[str, object], reason: str
) -> None:
    with open_org(url, tenant) as org:
        receipt = org.ingest([{**member("group:a"), **fields}])

        assert receipt.quarantined == 1
        assert reason in str(receipt.items[0].reason)
