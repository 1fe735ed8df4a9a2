"""A container nobody vouched for in time is closed, is told to stewards, and opens by itself."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from muniment.app import Org, SourceChange
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

MEMO = "The zebra memo is in the vault."


def channel(hours: float, **fields: object) -> Event:
    plain = {"op": "audience", "source": "chat", "container": "C1", "at": at(hours), "audience": ["user:ann"]}
    return {**plain, **fields}


def can_read(org: Org, who: str) -> bool:
    return bool(org.reader(who).search("zebra memo"))


@pytest.fixture
def clock() -> Clock:
    return Clock(at_hour(1))


def at_hour(hours: float) -> datetime:
    return datetime.fromisoformat(at(hours))


def fill(org: Org, **fields: object) -> None:
    taken(
        org,
        [
            channel(0, verified_through=at(0), **fields),
            said("1", MEMO, audience=None, container="C1", author="user:eve"),
        ],
    )
    org.steward("user:owner").set_source("chat", SourceChange(verify_within=timedelta(hours=24)))


def test_it_is_open_to_the_end_of_the_limit_and_closed_after_it(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        fill(org)
        clock.at = at_hour(24)
        assert can_read(org, "user:ann")

        clock.forward(seconds=1)

        assert not can_read(org, "user:ann")
        assert not can_read(org, "user:eve")
        assert org.steward("user:owner").who_can("chat:C1") == []


def test_it_opens_by_itself_when_its_audience_is_verified_again(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        fill(org)
        clock.at = at_hour(48)
        assert not can_read(org, "user:ann")

        taken(org, [channel(47, audience=None, verified_through=at(47))])

        assert can_read(org, "user:ann")


def test_a_closed_container_is_as_one_that_is_not_there(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org, open_org(url, f"{tenant}-empty", clock) as empty:
        fill(org)
        taken(org, [person("user:ann")])
        taken(empty, [person("user:ann")])
        clock.at = at_hour(48)

        for verb in ("ask", "context", "search"):
            one, other = (getattr(each.reader("user:ann"), verb)("zebra memo") for each in (org, empty))
            assert str(one) == str(other)


def test_a_live_container_needs_no_verification(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        fill(org, live=True)
        clock.at = at_hour(1000)

        assert can_read(org, "user:ann")


def test_whom_a_steward_let_in_stays_in(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        fill(org)
        taken(org, [member("group:audit", "user:bo")])
        desk = org.steward("user:owner")
        desk.grant_read("group:audit", "chat:C1")
        clock.at = at_hour(48)

        assert can_read(org, "user:bo")
        assert not can_read(org, "user:ann")
        assert [one.principal for one in desk.who_can("chat:C1")] == ["user:bo"]
        desk.revoke_read("group:audit", "chat:C1")
        assert not can_read(org, "user:bo")


def test_stewards_are_told_which_are_closed(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        fill(org)
        assert org.status().closed == ()
        clock.at = at_hour(48)

        (closed,) = org.status().closed
        (check,) = [one for one in org.doctor() if one.name == "verification"]

        assert (closed.container, closed.verified_through) == ("chat:C1", at_hour(0))
        assert check.state == "lacking"
        assert "chat:C1" in check.what


def test_a_limit_lifted_opens_and_who_could_read_stays_as_it_was(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        fill(org)
        desk = org.steward("user:owner")
        clock.at = at_hour(48)
        desk.set_source("chat", SourceChange(verify_within="off"))

        assert can_read(org, "user:ann")
        then = {hours: desk.who_can("chat:1", at=at_hour(hours)) for hours in (0.5, 12, 30, 48)}
        assert [bool(found) for found in then.values()] == [True, True, False, True]


def test_one_never_verified_is_closed_and_a_rebuild_changes_nothing(
    url: str, tenant: str, clock: Clock
) -> None:
    with open_org(url, tenant, clock) as org:
        taken(org, [channel(0), channel(0, container="C2", live=True)])
        org.steward("user:owner").set_source("chat", SourceChange(verify_within=timedelta(hours=24)))

        assert [one.container for one in org.status().closed] == ["chat:C1"]
        with writing(org._work.database, tenant) as conn:
            before = fingerprint(conn, tenant)
        rebuild(org._work)
        with writing(org._work.database, tenant) as conn:
            assert fingerprint(conn, tenant) == before
