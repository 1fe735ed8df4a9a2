"""Who could read an item at an earlier time: by its own history as much as by who was who."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from muniment.app import Org
from tests.worlds import START, Clock, Event, at, open_org, person, said, taken

HALL: Event = {"op": "audience", "source": "chat", "container": "hall", "at": at(0), "live": True}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), {**HALL, "audience": [["user:ann"]]}])
        yield opened


def could(org: Org, hours: float | None) -> set[str]:
    then = None if hours is None else START + timedelta(hours=hours)
    return {one.principal for one in org.steward("user:owner").who_can("chat:m1", at=then)}


def test_an_audience_that_was_narrowed_was_wide_before(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", 1, audience=[["user:ann", "user:bo"]])])
    taken(org, [said("m1", "The reserve is four million.", 5, audience=[["user:ann"]])])

    assert could(org, None) == {"user:ann"}
    assert could(org, 4) == {"user:ann", "user:bo"}
    assert could(org, 0) == set()


def test_a_deleted_item_was_readable_until_then(org: Org) -> None:
    taken(org, [said("m1", "The reserve is three million.", 1, audience=[["user:bo"]])])
    taken(org, [{"op": "delete", "source": "chat", "id": "m1", "at": at(5)}])

    assert could(org, None) == set()
    assert could(org, 4) == {"user:bo"}


def test_an_item_of_a_container_was_for_its_author_alone_until_that_was_verified(org: Org) -> None:
    quiet: Event = {**HALL, "at": at(3), "live": False, "verified_through": at(3)}
    taken(org, [said("m1", "We sell.", 5, audience=None, container="hall", author="user:bo"), quiet])
    taken(org, [{**quiet, "at": at(8), "verified_through": at(6)}])

    assert could(org, 6) == {"user:bo"}
    assert could(org, 9) == {"user:ann"}


def test_a_grant_on_an_item_counts_while_it_was_open(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "The reserve is three million.", 1, audience=[["user:ann"]])])
    clock.at = START + timedelta(hours=10)
    org.steward("user:owner").grant_read("user:bo", "chat:m1")
    clock.forward(hours=10)
    org.steward("user:owner").revoke_read("user:bo", "chat:m1")

    assert could(org, 9) == {"user:ann"}
    assert could(org, 15) == {"user:ann", "user:bo"}
    assert could(org, 21) == {"user:ann"}
