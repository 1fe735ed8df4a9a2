"""A backup is one moment of one organisation, and comes back as it was or not at all."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import muniment
from muniment import recovery
from muniment.app import Org
from muniment.domain.errors import Malformed, NotAnOrg, Refused, Usage
from muniment.domain.exports import Recovered
from muniment.export import backup as backups
from muniment.export.backup import DUMP, MANIFEST, read_backup
from muniment.gate.binding import looking
from muniment.recovery import Wanted, restore
from muniment.settings import Settings
from muniment.store import binaries as programs
from muniment.store import dumps
from tests.planted import plant
from tests.spoilt import BAD
from tests.worlds import KEY, Clock, open_org, person, said, taken

SETTINGS = Settings(login="owner", key=KEY, embedder="off")
QUESTION = "What is the rate limit of Acme-7?"
_numbers = count()


@pytest.fixture(scope="module")
def kept(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Org, Path]]:
    """An organisation that is not changed any more, and its backup."""
    folder = tmp_path_factory.mktemp("kept") / "backup"
    with open_org(url, "kept") as org:
        fill(org)
        org.steward("user:owner").backup(folder)
        yield org, folder


def fill(org: Org) -> None:
    taken(org, [person("user:ann"), *(said(f"m{number}", _words(number)) for number in range(12))])
    taken(org, [said("secret", "The zorblat of Acme is 7.", author="user:ann")])


def _words(number: int) -> str:
    return f"The rate limit of Acme-{number} is {number}."


@pytest.fixture
def backup(kept: tuple[Org, Path], tmp_path: Path) -> Path:
    """A copy that may be spoilt."""
    shutil.copytree(kept[1], tmp_path / "backup")
    return tmp_path / "backup"


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    """An organisation that may be changed."""
    with open_org(url, tenant, clock) as org:
        fill(org)
        yield org


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """An empty database of the ordinary user's, as somebody with a PostgreSQL of their own would give it."""
    name = f"empty_{next(_numbers)}"
    with psycopg.connect(server, user="postgres", autocommit=True) as conn:
        conn.execute(f"create database {name} owner muniment strategy file_copy".encode())
        with psycopg.connect(server, user="postgres", dbname=name) as inside:
            inside.execute("create extension vector")  # which takes a superuser, as on most servers
        yield f"postgresql:///{name}?host={conninfo_to_dict(server)['host']}&user=muniment"
        conn.execute(f"drop database {name} with (force)".encode())


@pytest.fixture
def empty(server: str) -> Iterator[str]:
    with new_database(server) as place:
        yield place


@pytest.fixture(scope="module")
def nothing(server: str) -> Iterator[str]:
    """An empty database that stays empty."""
    with new_database(server) as place:
        yield place


@pytest.fixture(scope="module")
def restored(server: str, kept: tuple[Org, Path]) -> Iterator[tuple[str, Recovered]]:
    """Where the backup was brought back, and what was said of it."""
    with new_database(server) as place:
        yield place, into(kept[1], place)


def into(backup: Path, place: str, **how: object) -> Recovered:
    return restore(replace(Wanted(backup, place), **how), SETTINGS)  # type: ignore[arg-type]


def is_empty(place: str) -> bool:
    with psycopg.connect(place) as conn:
        return conn.execute(recovery.STORE["what_is_there"]).fetchone() is None


def answered(org: Org) -> list[str]:
    return [one.id for one in org.reader("user:ann").ask(QUESTION).citations]


# ── it comes back ──


def test_what_comes_back_has_the_schema_of_a_new_database(
    server: str, restored: tuple[str, Recovered]
) -> None:
    """Roles, rights, forced row security and all: nothing of the gate stays behind."""
    assert _schema(restored[0]) == _schema(server)


def test_what_comes_back_answers_alike_and_goes_on(
    kept: tuple[Org, Path], restored: tuple[str, Recovered]
) -> None:
    place, done = restored

    with open_org(place, "kept") as org:
        assert done.erased is None
        assert answered(org) == answered(kept[0]) != []
        assert org.steward("user:owner").verify_audit(done.head).ok
        assert [act.action for act in org.steward("user:owner").audit(action="restore")] == ["restore"]
        taken(org, [said("m99", "The rate limit of Acme-99 is 99.", audience=[["user:ann", "group:x"]])])
        assert org.reader("user:ann").search("Acme-99")[0].item == "m99"


def _schema(place: str) -> list[str]:
    as_superuser = psycopg.conninfo.make_conninfo(place, user="postgres")
    command = [programs.find(None)["pg_dump"], "--schema-only", "--schema=muniment", as_superuser]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [line for line in lines if not line.startswith(("\\restrict", "\\unrestrict"))]


def test_a_backup_holds_one_organisation_and_no_credentials(
    url: str, org: Org, tenant: str, tmp_path: Path
) -> None:
    made = org.tokens.create("user:ann").token
    with open_org(url, f"{tenant}-other") as other:
        taken(other, [said("m1", "The quibber of Beta is 9.")])

        org.steward("user:owner").backup(tmp_path / "backup")

    script = [programs.find(None)["pg_restore"], "--file=-", str(tmp_path / "backup" / DUMP)]
    text = subprocess.run(script, check=True, capture_output=True).stdout.decode()
    assert "zorblat" in text
    assert "quibber" not in text
    assert f"{tenant}-other" not in text
    assert _rows_of(text, "token") == []
    assert KEY.hex() not in text
    assert made not in text


def _rows_of(script: str, table: str) -> list[str]:
    _, found, rest = script.partition(f"COPY muniment.{table} (")
    return rest.partition("\\.\n")[0].splitlines()[1:] if found else []


def test_a_backup_is_of_one_moment_whatever_is_written_meanwhile(
    org: Org, tmp_path: Path, empty: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = dumps.write_dump

    def meanwhile(*what: object, **how: object) -> None:
        taken(org, [said("late", "The frimp of Acme is 8.")])
        real(*what, **how)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        plant(patch, backups, "write_dump", meanwhile)
        org.steward("user:owner").backup(tmp_path / "backup")

    into(tmp_path / "backup", empty)
    with open_org(empty, tenant) as restored:
        assert restored.reader("user:owner").search("frimp") == []


def test_what_was_erased_later_is_erased_again_where_the_list_is_given(
    org: Org, tmp_path: Path, empty: str, tenant: str
) -> None:
    desk, backup = org.steward("user:owner"), tmp_path / "backup"
    desk.backup(backup)
    desk.erase("chat:secret")
    listed = [one.model_dump() for one in desk.erasures()]

    done = into(backup, empty, erasures=listed)

    assert done.erased == 1
    with open_org(empty, tenant) as restored:
        assert restored.reader("user:owner").search("zorblat") == []
        again = restored.ingest([said("secret", "The zorblat of Acme is 7.", author="user:ann")])
        assert again.accepted == 0
        assert restored.steward("user:owner").verify_audit(done.head).ok


def test_a_list_of_another_record_brings_nothing_back(backup: Path, nothing: str) -> None:
    with pytest.raises(Malformed, match="another key"):
        into(backup, nothing, erasures=[{"kind": "key", "digest": "00"}])

    assert is_empty(nothing)


def test_erasures_are_a_stewards_to_order(kept: tuple[Org, Path], nothing: str) -> None:
    listed = [one.model_dump() for one in kept[0].steward("user:owner").erasures()]

    with pytest.raises(Refused):
        into(kept[1], nothing, erasures=listed, by="user:ann")

    assert is_empty(nothing)


# ── or not at all ──


@pytest.mark.parametrize(("spoil", "error", "says"), BAD, ids=[spoil.__name__ for spoil, _, _ in BAD])
def test_a_backup_that_is_not_what_it_was_is_refused_and_nothing_of_it_stays(
    backup: Path, nothing: str, spoil: Callable[[Path], None], error: type[Exception], says: str
) -> None:
    spoil(backup)

    with pytest.raises(error, match=says):
        into(backup, nothing)

    assert is_empty(nothing)


def test_a_database_that_holds_anything_is_left_as_it_is(backup: Path, empty: str) -> None:
    with psycopg.connect(empty) as conn:
        conn.execute("create schema mine")
        conn.execute("create table mine.letter (words text)")

    with pytest.raises(NotAnOrg, match=r"holds 'mine\.letter'"):
        into(backup, empty)

    with psycopg.connect(empty) as conn:
        assert conn.execute("select count(*) from mine.letter").fetchone() == (0,)


def test_an_organisation_is_not_restored_over(url: str, kept: tuple[Org, Path]) -> None:
    with pytest.raises(NotAnOrg, match="not empty"):
        into(kept[1], url)

    assert answered(kept[0]) != []


def test_the_key_is_known_for_the_right_one(backup: Path, nothing: str) -> None:
    with pytest.raises(Usage, match="another key"):
        restore(Wanted(backup, nothing, b"another key"), Settings(login="owner", embedder="off"))
    with pytest.raises(Usage, match="does not hold its key"):
        restore(Wanted(backup, nothing), Settings(login="owner", embedder="off"))

    assert is_empty(nothing)


def test_a_folder_takes_no_organisation_of_another_name(backup: Path, tmp_path: Path) -> None:
    with pytest.raises(Usage, match="a folder holds one organisation"):
        into(backup, str(tmp_path / "new"))

    assert not (tmp_path / "new").exists()


# ── making one ──


def test_the_key_a_record_was_made_with_is_within_or_apart(url: str, tenant: str, tmp_path: Path) -> None:
    keyless = Settings(login="owner", embedder="off")
    with muniment.open(url, f"{tenant}-keyless", settings=keyless) as org:
        desk, key = org.steward("user:owner"), org._work.key

        within = desk.backup(tmp_path / "within")
        apart = desk.backup(tmp_path / "apart", key_file=tmp_path / "key")

    assert (within.key, apart.key) == ("within", "apart")
    assert read_backup(tmp_path / "within").key == key
    assert read_backup(tmp_path / "apart").key is None
    assert bytes.fromhex((tmp_path / "key").read_text()) == key
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_nobody_but_its_owner_may_look_into_a_backup(backup: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0
    assert {file.name for file in backup.iterdir()} == {DUMP, MANIFEST}
    assert all(file.stat().st_mode & 0o077 == 0 for file in backup.iterdir())


def test_who_is_no_steward_backs_nothing_up(org: Org, tmp_path: Path) -> None:
    desk = org.steward("user:owner")
    desk.grant_role("user:ann", "steward")
    ann = org.steward("user:ann")
    desk.revoke_role("user:ann", "steward")

    with pytest.raises(Refused):
        ann.backup(tmp_path / "backup")

    assert not (tmp_path / "backup").exists()


def test_a_folder_with_anything_in_it_takes_no_backup(kept: tuple[Org, Path]) -> None:
    org, folder = kept
    before = (folder / MANIFEST).read_bytes()

    with pytest.raises(Usage, match="is not empty"):
        org.steward("user:owner").backup(folder)

    assert (folder / MANIFEST).read_bytes() == before


def test_a_backup_that_was_cut_short_is_none(
    kept: tuple[Org, Path], tmp_path: Path, nothing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        plant(patch, backups, "_publish", stop)
        with pytest.raises(KeyboardInterrupt):
            kept[0].steward("user:owner").backup(tmp_path / "backup")

    with pytest.raises(Usage, match="holds no finished backup"):
        into(tmp_path / "backup", nothing)


def test_counts_without_an_order_tell_rows_apart(org: Org) -> None:
    """The digest that restoring goes by sees one changed word."""
    with looking(org._work.database, org.tenant) as conn:
        before = {one.table: one for one in backups.counted(conn, org.tenant)}
    taken(org, [said("m0", "The rate limit of Acme-0 is 1.", 1)])

    with looking(org._work.database, org.tenant) as conn:
        after = {one.table: one for one in backups.counted(conn, org.tenant)}

    assert after["item"].rows == before["item"].rows
    assert after["item"].sha256 != before["item"].sha256
    assert after["source"] == before["source"]
