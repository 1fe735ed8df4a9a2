"""What was taken back is not read, however far a standby is behind, and the checks of it can fail."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant, rule, run_state_machine_as_test
from typing_extensions import override

from muniment.app import Org
from muniment.store import replicas
from muniment.store.replicas import Replica
from tests.places import until
from tests.planted import plant
from tests.properties.test_revocation import PEOPLE, Revoking
from tests.replicas.counted import counted, found, found_there
from tests.standbys import Server
from tests.worlds import START, at, member, open_org, said, taken

Act = Callable[[Org], Any]


def ended(**fields: object) -> Act:
    """An event of the chat about its second message."""
    event = {"source": "chat", "id": "m2", "at": at(1), **fields}
    return lambda org: taken(org, [event])


def narrowed(container: str) -> dict[str, object]:
    """From now on a channel is for Bo alone."""
    whom = {"audience": [["user:bo"]], "live": True}
    return {"op": "audience", "source": "chat", "container": container, "at": at(1), **whom}


# What takes the second or the third message from Ann, and which is left.
REVOCATIONS: dict[str, tuple[Act, set[str]]] = {
    "a membership ends": (
        lambda org: taken(org, [member("group:x", hours=1, remove=["user:ann"])]),
        {"m1"},
    ),
    "everything is taken from them": (
        lambda org: org.steward("user:owner").remove_member("user:ann"),
        set(),
    ),
    "a message is deleted": (ended(op="delete"), {"m1", "m3"}),
    "a message is recalled": (ended(op="recall"), {"m1", "m3"}),
    "its words are redacted": (ended(op="redact", spans=[[0, 11]]), {"m1", "m3"}),
    "a message is narrowed": (
        lambda org: taken(org, [said("m2", "The zorblat of Bolt is 9.", 1, audience=[["user:bo"]])]),
        {"m1", "m3"},
    ),
    "a channel is narrowed": (lambda org: taken(org, [narrowed("C1")]), {"m1", "m2"}),
    "a message is erased": (lambda org: org.steward("user:owner").erase("chat:m2"), {"m1", "m3"}),
    "a word is erased": (
        lambda org: org.steward("user:owner").erase_subject("zorblat of Bolt"),
        {"m1", "m3"},
    ),
    "a source is reverted": (lambda org: org.steward("user:owner").revert("chat", START), set()),
}


@pytest.mark.parametrize("name", REVOCATIONS)
def test_what_is_revoked_is_not_read_while_the_standby_is_behind(
    org: Org, leader: Server, standby: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    plant(monkeypatch, replicas, "_HASTE", 0.0)
    revoke, left = REVOCATIONS[name]
    assert found_there(org) == {"m1", "m2", "m3"}
    standby.pause()
    before = counted(org)

    revoke(org)

    assert found(org) == left
    assert counted(org) == before._replace(passed=before.passed + 1)
    standby.resume()
    until(lambda: standby.follows(leader))
    assert found_there(org) == left


def test_a_grant_that_is_taken_back_is_not_read(org: Org, standby: Server) -> None:
    desk = org.steward("user:owner")
    desk.add_member("user:eve")
    desk.grant_read("user:eve", "chat:m2")
    assert found(org, "user:eve") == {"m1", "m2"}
    standby.pause()

    desk.revoke_read("user:eve", "chat:m2")

    assert found(org, "user:eve") == {"m1"}


def test_a_standby_that_is_believed_is_found(
    org: Org, standby: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found_there(org) == {"m1", "m2", "m3"}
    plant(monkeypatch, Replica, "_has_all", lambda *_: True)
    standby.pause()
    REVOCATIONS["a membership ends"][0](org)

    assert found(org) == {"m1", "m2", "m3"}  # what the tests above would see of that fault


# ── told anything in any order, with replay that stops and goes on ──


@dataclass
class Seen:
    """How often the machine read on the standby, and how often it was passed on, in all its runs."""

    reads: int = 0
    passed: int = 0
    servers: tuple[Server, ...] = field(default=())


class OnStandby(Revoking):
    """The same machine, read on a standby; after each step a reader of the primary must be told the same."""

    seen: Seen
    is_paused = False

    def __init__(self) -> None:
        super().__init__()
        self.hand_over()
        until(lambda: self.seen.servers[1].follows(self.seen.servers[0]))
        self.turn()

    @override
    def opened(self, tenant: str) -> Org:
        leader, standby = self.seen.servers
        self.plain = open_org(leader.url, tenant, self.clock)
        return open_org(leader.url, tenant, self.clock, [standby.url])

    @override
    def teardown(self) -> None:
        self.seen.servers[1].resume()
        self.seen.reads += counted(self.org).reads
        self.seen.passed += counted(self.org).passed
        self.plain.close()
        super().teardown()

    @rule()
    def turn(self) -> None:
        """Replay stops, or goes on."""
        standby = self.seen.servers[1]
        if self.is_paused:
            standby.resume()
        else:
            standby.pause()
        self.is_paused = not self.is_paused

    @invariant()
    def the_primary_tells_the_same(self) -> None:
        self.hand_over()
        there = self.org.reader(PEOPLE[0]).search("zebra", limit=200)
        assert there == self.plain.reader(PEOPLE[0]).search("zebra", limit=200)


def play(seen: Seen, examples: int, steps: int) -> None:
    machine = type("OnStandbyHere", (OnStandby,), {"seen": seen, "url": seen.servers[0].url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=(Phase.generate,),
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_everyone_reads_what_they_may_now_with_replay_that_stops(
    leader: Server, standby: Server, monkeypatch: pytest.MonkeyPatch, *, prove: bool
) -> None:
    """5,000 steps in `make prove`."""
    plant(monkeypatch, replicas, "_PATIENCE", 0.2)
    seen = Seen(servers=(leader, standby))

    play(seen, *((100, 50) if prove else (2, 10)))

    assert min(seen.reads, seen.passed) > 3  # else it proved nothing


def test_the_machine_finds_a_standby_that_is_believed(
    leader: Server, standby: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = type("Believing", (OnStandby,), {"seen": Seen(servers=(leader, standby)), "url": leader.url})()
    machine.everyone_reads_what_they_may_now()
    plant(monkeypatch, Replica, "_has_all", lambda *_: True)
    machine.say_member("user:ann", "group:a", 0, there=False, until=None)

    with pytest.raises(AssertionError):
        machine.everyone_reads_what_they_may_now()
    with pytest.raises(AssertionError):
        machine.the_primary_tells_the_same()
    machine.teardown()


# ── at the same time ──


def test_readers_beside_a_revoker_see_no_past(
    org: Org, standby: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standby is always a little behind here, so that reads wait for it or are passed on."""
    plant(monkeypatch, replicas, "_PATIENCE", 0.2)
    standby.told("alter system set recovery_min_apply_delay = '15ms'")
    standby.told("select pg_reload_conf()")
    # Even while Ann may read the message, odd from when she was told she may not until she is given it again.
    turns, over, wrong = [0], threading.Event(), list[set[str | None]]()

    def read() -> None:
        while not over.is_set():
            before = turns[0]
            items = found(org)
            if before % 2 and turns[0] == before and "m2" in items:
                wrong.append(items)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for hour in range(1, 9):
            taken(org, [member("group:x", hours=2 * hour, remove=["user:ann"])])
            turns[0] += 1
            found(org, "user:bo")
            turns[0] += 1
            taken(org, [member("group:x", "user:ann", hours=2 * hour + 1)])
    finally:
        over.set()
        for thread in threads:
            thread.join()
        standby.told("alter system reset recovery_min_apply_delay")
        standby.told("select pg_reload_conf()")

    assert wrong == []
    assert counted(org).reads > 3
