"""A standby becomes the primary: the record goes on, and nothing of another history is read beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Unavailable
from muniment.jobs import fresh
from tests.places import until
from tests.planted import plant
from tests.replicas.counted import counted, found, found_there
from tests.standbys import Server, following
from tests.worlds import Clock, member, open_org, said, taken

EVERYTHING = {"m1", "m2", "m3"}


@pytest.fixture
def heir(org: Org, leader: Server, base: Path) -> Iterator[Server]:
    """A standby that has the whole record."""
    with following(leader, base / f"{org.tenant}-heir") as server:
        until(lambda: server.follows(leader))
        yield server


@pytest.fixture
def other(org: Org, leader: Server, base: Path) -> Iterator[Server]:
    with following(leader, base / f"{org.tenant}-other") as server:
        until(lambda: server.follows(leader))
        yield server


def test_a_promoted_standby_goes_on_with_the_record(org: Org, heir: Server, clock: Clock) -> None:
    before = org.reader("user:ann").page("acme")
    head = org.steward("user:owner").audit_head()
    until(lambda: found(org) == EVERYTHING)
    receipt = taken(org, [said("m4", "The zorblat of Dorn is 13.")])
    heir.promote()

    with open_org(heir.url, org.tenant, clock) as after:
        assert after.reader("user:ann", at_least_as_fresh=receipt.token).page("acme") == before
        assert after.steward("user:owner").verify_audit(head).broken == ()
        taken(after, [member("group:x", hours=1, remove=["user:ann"]), said("m5", "The zorblat is 15.")])
        assert found(after) == {"m1", "m4", "m5"}
    assert found(org) == {*EVERYTHING, "m4"}


def test_one_that_follows_the_old_primary_is_read_once_it_follows_the_new(
    org: Org, leader: Server, heir: Server, other: Server
) -> None:
    heir.promote()

    with open_org(heir.url, org.tenant, replicas=[other.url]) as after:
        taken(after, [member("group:x", hours=1, remove=["user:ann"])])
        assert found(after) == {"m1"}
        assert "fed history 1, and the primary is in 2" in str(after.status().replicas[0].why)
        assert counted(after).reads == 0
    other.follow(heir)
    with open_org(heir.url, org.tenant, replicas=[other.url]) as after:
        assert found_there(after) == {"m1"}
    with open_org(leader.url, org.tenant, replicas=[other.url]) as past:
        assert found(past) == EVERYTHING
        assert "fed history 2, and the primary is in 1" in str(past.status().replicas[0].why)


def test_one_that_was_promoted_is_no_replica_any_more(org: Org, leader: Server, heir: Server) -> None:
    with open_org(leader.url, org.tenant, replicas=[heir.url]) as there:
        assert found_there(there) == EVERYTHING
        reads = counted(there).reads
        heir.promote()
        taken(org, [member("group:x", hours=1, remove=["user:ann"])])

        assert found(there) == {"m1"}
        assert "follows nobody" in str(there.status().replicas[0].why)
        assert counted(there).reads == reads


def test_what_the_promoted_one_never_had_is_not_taken_for_there(
    org: Org, leader: Server, heir: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, fresh, "PATIENCE", 0.05)
    heir.follow(None)
    event = said("m4", "The zorblat of Dorn is 13.")
    receipt = taken(org, [event])
    heir.promote()

    with open_org(heir.url, org.tenant, clock) as after:
        with pytest.raises(Unavailable, match="not here yet"):
            after.reader("user:ann", at_least_as_fresh=receipt.token)
        assert found(after) == EVERYTHING
        again = taken(after, [event])
        assert again.accepted == 1
        assert found(after) == {*EVERYTHING, "m4"}
    assert leader.told("select pg_is_in_recovery()") is False
