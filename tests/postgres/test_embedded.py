"""The embedded server as processes meet it: sharing, dying and starting again."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.domain.errors import Unavailable
from muniment.store import binaries as programs
from muniment.store import embedded
from muniment.store.pool import Database
from tests.places import IMPORTS, ROOT, Place, Visitor, a_place, me, nobody, until

SYSTEM = "/usr/sbin:/sbin:/usr/bin:/bin"
UNSHARE = shutil.which("unshare", path=SYSTEM)
# What a new server's account is, asked for by three processes at once where it has to be added first.
# All of it happens over a copy of /etc that only these processes see.
FIRST_USE = """
sed -i /^muniment:/d "$1/passwd" "$1/group" "$1/shadow" "$1/gshadow"
mount --bind "$1" /etc
shift
for each in 1 2 3; do "$@" & done
wait
"""
ASKS = "from muniment.store.accounts import server_account; print(server_account())"


@pytest.fixture
def place() -> Iterator[Place]:
    """A place of this process's own account: root's where the tests run as root."""
    yield from a_place(me())


@pytest.fixture(params=["own account", "unprivileged account"])
def anyones(request: pytest.FixtureRequest) -> Iterator[Place]:
    """As root, the same fact is tried as root and as somebody without privileges."""
    if request.param == "own account":
        yield from a_place(me())
    elif ROOT:
        yield from a_place(nobody())
    else:
        pytest.skip("this account is unprivileged itself")


def modes(top: Path) -> dict[Path, tuple[int, int, int]]:
    """Owner and permission bits of everything above a folder and of PostgreSQL's programs."""
    wheel = programs.find(None).folder
    paths = [*top.absolute().parents, *wheel.parents, *wheel.iterdir()]
    return {path: (path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in paths}


# ── one server, shared ──


def test_an_organisation_opens_below_a_private_folder(anyones: Place) -> None:
    with Visitor(anyones) as visitor:
        dsn = visitor.said()

        assert dsn.startswith("host=/")
        assert stat.S_IMODE(anyones.folder.parent.stat().st_mode) == 0o700
        visitor.leave()

    assert not anyones.is_running()


def test_nothing_outside_the_organisation_changes_owner_or_permissions(anyones: Place) -> None:
    before = modes(anyones.folder)

    with Visitor(anyones) as visitor:
        visitor.said()
        visitor.leave()

    assert modes(anyones.folder) == before


def test_the_servers_folders_are_private_to_its_account(anyones: Place) -> None:
    with Visitor(anyones) as visitor:
        visitor.said()
        server = Path(f"/proc/{anyones.postmaster()}").stat().st_uid

        for folder in (anyones.home / "pgdata", anyones.home / "socket"):
            found = folder.stat()
            assert (stat.S_IMODE(found.st_mode), found.st_uid) == (0o700, server)
        assert server != 0
        visitor.leave()


def test_processes_share_one_server_and_the_last_to_leave_stops_it(anyones: Place) -> None:
    with Visitor(anyones) as first, Visitor(anyones) as second:
        assert first.said() == second.said() != ""
        server = anyones.postmaster()

        first.leave()

        assert anyones.postmaster() == server
        with Visitor(anyones) as third:
            third.said()
            assert anyones.postmaster() == server
            third.leave()
        second.leave()

    assert not anyones.is_running()


def test_a_killed_holder_leaves_the_server_to_the_next_who_stops_it(anyones: Place) -> None:
    with Visitor(anyones) as visitor:
        visitor.said()
        server = anyones.postmaster()
        visitor.kill()

    with Visitor(anyones) as visitor:
        visitor.said()
        assert anyones.postmaster() == server
        visitor.leave()

    assert not anyones.is_running()


def test_two_shares_of_one_process_are_two(place: Place) -> None:
    first, second = place.lease(), place.lease()

    first.release()
    first.release()

    with psycopg.connect(second.dsn) as conn:
        assert conn.execute("select 1").fetchone() == (1,)
    second.release()
    assert not place.is_running()


def test_a_forked_child_has_a_share_of_its_own(place: Place) -> None:
    with Visitor(place, last="fork") as visitor:
        visitor.said()
        assert visitor.said() == "released"

        assert place.is_running()
        visitor.leave()

    until(place.is_stopped)


def test_an_interrupt_at_the_terminal_does_not_reach_the_server(place: Place) -> None:
    with Visitor(place) as starter:
        starter.said()
        server = place.postmaster()
        with place.lease():
            os.killpg(starter.process.pid, signal.SIGINT)
            starter.process.wait(timeout=30)

            assert place.postmaster() == server


# ── dying and starting again ──


def test_a_killed_server_recovers_what_was_committed(place: Place) -> None:
    with place.lease() as lease:
        with psycopg.connect(lease.dsn) as conn:
            conn.execute("create schema kept create table said (what text)")
            conn.execute("insert into kept.said values ('committed')")
        place.kill_server()

        with place.lease() as again, psycopg.connect(again.dsn) as conn:
            assert conn.execute("select what from kept.said").fetchone() == ("committed",)


def test_a_pool_survives_a_server_that_was_killed_and_started_again(place: Place) -> None:
    with place.lease() as lease, Database.connect(lease.dsn) as database:
        with database.transaction() as conn:
            conn.execute("select 1")
        place.kill_server()

        with place.lease(), database.transaction("muniment_reader") as conn:
            assert conn.execute("select current_user").fetchone() == ("muniment_reader",)


def ask_a_dying_server(place: Place, dsn: str) -> None:
    with Database.connect(dsn) as database, database.transaction() as conn:
        os.kill(place.postmaster(), signal.SIGKILL)
        conn.execute("select pg_sleep(30)")


def test_a_lost_server_is_unavailable_not_an_empty_answer(place: Place) -> None:
    with place.lease() as lease, pytest.raises(Unavailable, match="lost database 'muniment'"):
        ask_a_dying_server(place, lease.dsn)


def test_a_pid_file_naming_another_living_process_is_no_obstacle(place: Place) -> None:
    place.lease().release()
    pid_file = place.home / "pgdata" / "postmaster.pid"
    pid_file.write_text(
        f"{os.getpid()}\n{place.home}/pgdata\n1700000000\n5432\n{place.home}/socket\n\n  1  1\nready\n"
    )
    if ROOT:
        shutil.chown(pid_file, (place.home / "pgdata").stat().st_uid)

    with place.lease() as lease, psycopg.connect(lease.dsn) as conn:
        assert conn.execute("select 1").fetchone() == (1,)


def test_a_creation_that_was_killed_is_made_anew(place: Place) -> None:
    with Visitor(place) as visitor:
        until((place.folder / ".muniment" / "creating.json").exists)
        visitor.kill()
    assert not embedded.is_org(place.folder)

    with place.lease() as lease, psycopg.connect(lease.dsn) as conn:
        assert conn.execute("select 1").fetchone() == (1,)


def test_a_stopped_server_is_started_by_the_next(place: Place) -> None:
    with place.lease():
        embedded.stop(place.folder)
        assert not place.is_running()

        with place.lease() as lease, psycopg.connect(lease.dsn) as conn:
            assert conn.execute("select 1").fetchone() == (1,)


def test_a_server_that_recovers_from_a_killed_backend_is_stopped_once_it_has(place: Place) -> None:
    """PostgreSQL 18 that is told before waits for ever, so that it would be struck down after a minute."""
    with place.lease() as lease:
        log = lease._home.log
        with psycopg.connect(lease.dsn) as conn:
            os.kill(conn.info.backend_pid, signal.SIGKILL)
            until(lambda: "reinitializing" in log.read_text())
        embedded.stop(place.folder)

        assert "received fast shutdown request" in log.read_text()
        assert "received immediate shutdown request" not in log.read_text()
        with place.lease() as again, psycopg.connect(again.dsn) as conn:
            assert conn.execute("select 1").fetchone() == (1,)


# ── the account it runs under ──


def own_etc(etc: Path) -> list[str]:
    """A command that runs another where `etc` is /etc, for it and its children alone."""
    shutil.copytree("/etc", etc, symlinks=True)
    return [str(UNSHARE), "--mount", "/bin/sh", "-c", FIRST_USE, "sh", str(etc)]


def can_unshare() -> bool:
    """Whether this is root, and may see file systems of its own: some containers forbid that."""
    if not (ROOT and UNSHARE and shutil.which("useradd", path=SYSTEM)):
        return False
    return subprocess.run([UNSHARE, "--mount", "/bin/true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_unshare(), reason="not root, or no mounts of one's own here")
def test_processes_that_come_first_together_add_one_account(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: shutil.rmtree(tmp_path / "etc"))  # it holds the copy of a secret file
    command = [*own_etc(tmp_path / "etc"), sys.executable, "-c", ASKS]
    environment = {"PATH": SYSTEM, "PYTHONPATH": IMPORTS, "PYTHONDONTWRITEBYTECODE": "1"}

    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)

    accounts = (tmp_path / "etc" / "passwd").read_text().splitlines()
    lines = [account for account in accounts if account.startswith("muniment:")]
    assert len(set(done.stdout.splitlines())) == len(lines) == 1, done
    assert "name='muniment'" in done.stdout
    assert f"uid={lines[0].split(':')[2]}," in done.stdout
