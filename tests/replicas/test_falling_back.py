"""Where a standby is behind, away, or none of ours, the primary is read, and somebody is told why."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from muniment.app import Org
from muniment.context.freshness import freshness
from muniment.context.search import deepening
from muniment.domain.errors import Unavailable
from muniment.domain.replicas import ReplicaStatus
from muniment.store import replicas
from muniment.store.replicas import Lost, connected
from muniment.surfaces.cli import desk
from muniment.surfaces.http.metrics import Counted as Figures
from muniment.view import asking
from tests.places import until
from tests.planted import plant
from tests.replicas.counted import Counted, counted, found, found_there
from tests.standbys import Server, following
from tests.worlds import Clock, open_org, said, taken

EVERYTHING = {"m1", "m2", "m3"}


@pytest.fixture
def mortal(leader: Server, base: Path, tenant: str) -> Iterator[Server]:
    """A standby of one test's own."""
    with following(leader, base / tenant) as server:
        yield server


@pytest.fixture
def there(org: Org, leader: Server, mortal: Server, clock: Clock) -> Iterator[Org]:
    """The record of `org`, read on that one, which is left alone only for a moment after a fault."""
    with open_org(leader.url, org.tenant, clock, [mortal.url]) as there:
        until(lambda: mortal.follows(leader))
        yield there


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Have something happen in the middle of the next search."""
    waiting = [act]

    def interrupted(*args: Any) -> Any:
        if waiting:
            waiting.pop()()
        return deepening(*args)

    plant(monkeypatch, asking, "deepening", interrupted)
    plant(monkeypatch, replicas, "_PATIENCE", 10.0)


def standing(org: Org) -> ReplicaStatus:
    (one,) = org.status().replicas
    return one


def test_a_standby_that_goes_away_in_the_middle_of_a_read_costs_no_reply(
    there: Org, mortal: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: mortal.stop(signal.SIGQUIT))

    assert found(there) == EVERYTHING
    assert counted(there) == Counted(reads=0, lost=1, passed=0)
    assert len(there.steward("user:owner").audit(action="search")) == 1


def test_it_is_left_alone_and_read_again_once_it_is_back(
    there: Org, leader: Server, mortal: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, replicas, "_SHORTEST_REST", 0.5)
    assert found(there) == EVERYTHING
    mortal.stop(signal.SIGQUIT)

    assert [found(there), found(there)] == [EVERYTHING, EVERYTHING]
    assert standing(there).state == "away"
    mortal.start()
    until(lambda: mortal.follows(leader))
    until(lambda: found(there) == EVERYTHING and counted(there).reads > 1)
    until(lambda: standing(there).state == "current")


def test_a_read_that_the_standby_ends_for_the_sake_of_replay_is_made_again(
    there: Org, leader: Server, mortal: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mortal.told("alter system set max_standby_streaming_delay = 0")
    mortal.told("select pg_reload_conf()")

    def locked() -> None:
        taken(there, [said("m1", "The zorblat of Acme is 8.", 1)])
        # What a migration does, of a table that the read has looked at: replay has to have it alone.
        leader.told("do $$ begin lock table muniment.principal in access exclusive mode; end $$")
        until(lambda: mortal.follows(leader))

    meanwhile(monkeypatch, locked)

    assert found(there) == EVERYTHING
    assert counted(there) == Counted(reads=0, lost=1, passed=0)
    assert "is 8" in there.reader("user:ann").search("Acme")[0].text


@pytest.mark.usefixtures("patient")
def test_an_answer_is_drafted_again_on_the_primary(
    there: Org, mortal: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(reader: Any) -> Any:
        mortal.stop(signal.SIGQUIT)
        return freshness(reader)

    plant(monkeypatch, asking, "freshness", late)

    assert "7" in there.reader("user:ann").ask("What is the zorblat of Acme?").text
    assert counted(there).lost == 1


def test_what_is_wrong_with_a_read_itself_is_not_taken_for_a_loss(
    there: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise Unavailable("something else is away")

    meanwhile(monkeypatch, refuse)

    with pytest.raises(Unavailable, match="something else") as caught:
        found(there)
    assert not isinstance(caught.value, Lost)
    assert counted(there).lost == 0


def test_a_standby_that_is_behind_is_waited_for_once(
    there: Org, mortal: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    plant(monkeypatch, replicas, "_HASTE", 60.0)
    plant(monkeypatch, replicas, "_awaited", _noting(waited))
    mortal.pause()
    taken(there, [said("m4", "The zorblat of Dorn is 13.")])

    assert [found(there), found(there)] == [{*EVERYTHING, "m4"}] * 2
    assert counted(there) == Counted(reads=0, lost=0, passed=2)
    assert len(waited) == 1


def _noting(waited: list[float]) -> Callable[..., Any]:
    right = replicas._awaited

    def noted(*args: Any) -> Any:
        waited.append(0.0)
        return right(*args)

    return noted


def test_half_a_record_is_flushed_for_a_standby_that_waits_for_it(
    there: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server flushes whole pages in the background, and what ends in the next a fifth of a second on."""
    plant(monkeypatch, replicas, "_PATIENCE", 0.15)

    for _ in range(30):
        found(there)

    assert counted(there).passed <= 3


def test_where_commits_do_not_wait_for_the_disk_what_is_written_counts(leader: Server) -> None:
    with psycopg.connect(leader.dsn, autocommit=True) as conn:
        conn.execute("set synchronous_commit = off")
        conn.execute("create temp table passing (n integer)")
        reached = conn.execute(replicas._SQL["reached"]).fetchone()
        later = conn.execute("select %s::pg_lsn > pg_current_wal_flush_lsn()", (reached[2],)).fetchone()  # type: ignore[index]

    assert later == (True,)


def test_a_standby_of_another_database_is_not_read(leader: Server, url: str, org: Org) -> None:
    with open_org(leader.url, org.tenant, replicas=[url]) as astray:
        assert found(astray) == EVERYTHING
        assert "another database" in str(standing(astray).why)
        assert counted(astray).reads == 0


def test_the_primary_is_no_replica_of_itself(leader: Server, org: Org) -> None:
    with open_org(leader.url, org.tenant, replicas=[leader.url]) as astray:
        assert found(astray) == EVERYTHING
        assert "follows nobody" in str(standing(astray).why)
        assert counted(astray).reads == 0


def test_a_standby_whose_stream_we_may_not_see_is_not_read(
    there: Org, leader: Server, mortal: Server
) -> None:
    leader.told("revoke pg_read_all_stats from muniment")
    try:
        until(lambda: mortal.follows(leader))

        assert found(there) == EVERYTHING
        assert "grant pg_read_all_stats" in str(standing(there).why)
        assert counted(there).reads == 0
    finally:
        leader.told("grant pg_read_all_stats to muniment with inherit true")


def test_a_standby_that_nobody_feeds_is_not_read(there: Org, mortal: Server) -> None:
    mortal.follow(None)

    assert found(there) == EVERYTHING
    assert "not being fed" in str(standing(there).why)
    assert counted(there).reads == 0


def test_without_the_primary_nothing_is_read(leader: Server, standby: Server, org: Org) -> None:
    """Nobody could say what was revoked, and no read could be noted."""
    own_pool = f"{leader.url}&application_name=alone"
    with open_org(own_pool, org.tenant, replicas=[standby.url]) as alone:
        assert found_there(alone) == EVERYTHING
        before = counted(alone)
        alone._work.database.close()

        with pytest.raises(Unavailable):
            found(alone)
        assert counted(alone) == before


# ── what is told of it ──


@pytest.mark.usefixtures("patient")
def test_status_doctor_and_figures_tell_how_a_replica_stands(there: Org, mortal: Server) -> None:
    found(there)
    status = there.status()
    lines = [line.text for line in desk.standing(status)]
    (good,) = [one for one in there.doctor() if one.name == "replica 1"]

    assert status.replicas[0].state == "current"
    assert [line for line in lines if line.startswith("replica: database 'muniment'") and "read" in line]
    assert good.state == "good"
    figures = Figures().text(status)
    assert 'muniment_replicas{state="current"} 1' in figures
    assert 'muniment_replica_behind_bytes{replica="1"} 0' in figures
    assert 'muniment_replica_reads_total{replica="1",end="made"}' in figures
    assert mortal.dsn.split("host=")[1].split()[0] not in figures


def test_how_far_it_is_behind_is_told(there: Org, leader: Server, mortal: Server) -> None:
    taken(there, [said("m5", "The zorblat of Erb is 15.")])
    until(lambda: mortal.follows(leader))
    mortal.pause()
    taken(there, [said("m4", "The zorblat of Dorn is 13.")])

    one = standing(there)
    (lacking,) = [check for check in there.doctor() if check.name == "replica 1"]

    assert one.state == "behind"
    assert (one.behind_bytes or 0) > 1000
    assert (one.behind_s or 0) > 0
    assert lacking.state == "lacking"
    assert "bytes" in lacking.what


def test_without_replicas_nothing_is_told_of_any(plain: Org) -> None:
    assert plain.status().replicas == ()
    assert not [one for one in plain.doctor() if "replica" in one.name]
    assert plain._work.spread is connected(plain._work.database, (), plain._held) is None
