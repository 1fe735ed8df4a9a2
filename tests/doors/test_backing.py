"""Backing a record up and bringing it back, from a folder to a PostgreSQL of one's own and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from muniment import recovery
from muniment.domain.errors import Malformed
from muniment.recovery import Wanted
from muniment.settings import Settings
from muniment.store import embedded
from tests.doors.said import Cli
from tests.planted import plant

QUESTION = ("ask", "What discount do we offer Orrin & Vale?", "--as", "user:mara", "--json")


@pytest.fixture
def backup(muniment_: Cli, acme: Path, tmp_path: Path) -> Path:
    assert muniment_("backup", str(tmp_path / "backup"), "--org", str(acme)).code == 0
    return tmp_path / "backup"


@pytest.fixture
def place(places: dict[str, str], request: pytest.FixtureRequest) -> Path:
    """A folder that is not there, where an unprivileged server may enter."""
    return Path(places["MUNIMENT_STATE_DIR"]).parent / str(request.node.name)


@pytest.fixture
def own(acme: Path, places: dict[str, str]) -> Iterator[str]:
    """The URL of an empty database."""
    with embedded.attach(acme, state_dir=Path(places["MUNIMENT_STATE_DIR"])) as lease:
        with psycopg.connect(lease.dsn, user="postgres", autocommit=True) as conn:
            conn.execute("create database own owner muniment")
        with psycopg.connect(lease.dsn, user="postgres", dbname="own") as conn:
            conn.execute("create extension vector")
        yield f"postgresql:///own?host={conninfo_to_dict(lease.dsn)['host']}&user=muniment"


def test_a_record_moves_to_a_postgresql_of_ones_own_and_back(
    muniment_: Cli, acme: Path, backup: Path, own: str, place: Path, tmp_path: Path
) -> None:
    before = muniment_(*QUESTION, "--org", str(acme)).json

    there = muniment_("restore", str(backup), own, "--json")
    again = muniment_(
        "backup", str(tmp_path / "again"), "--org", own, "--key-file", str(tmp_path / "key"), "--json"
    )
    back = muniment_("restore", str(tmp_path / "again"), str(place), "--key-file", str(tmp_path / "key"))

    assert (there.code, there.json["erased"]) == (0, None)
    assert again.json["key"] == "apart"
    assert back.code == 0, back.err
    assert "rows, digests and audit are what they were" in back.out
    after = muniment_(*QUESTION, "--org", str(place)).json
    assert [one["id"] for one in after["citations"]] == [one["id"] for one in before["citations"]]
    assert muniment_("audit", "verify", "--head", there.json["head"], "--org", str(place)).code == 0


def test_a_backup_says_where_its_key_is(muniment_: Cli, acme: Path, tmp_path: Path) -> None:
    said = muniment_("backup", str(tmp_path / "backup"), "--org", str(acme))

    assert "its key is in it" in said.out


def test_a_folder_that_holds_anything_is_left_as_it_is(
    muniment_: Cli, acme: Path, backup: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    (tmp_path / "cut" / ".restoring").mkdir(parents=True)

    cut = muniment_("restore", str(backup), str(tmp_path / "cut"))
    taken = muniment_("restore", str(backup), str(tmp_path / "mine"))
    over = muniment_("restore", str(backup), str(acme))

    assert (cut.code, taken.code, over.code) == (2, 2, 2)
    assert "left by a restore that was cut short: remove it" in cut.error
    assert "is not empty" in taken.error
    assert [one.name for one in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_a_restore_that_fails_leaves_no_organisation_and_no_server(
    backup: Path, place: Path, places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = Path(places["MUNIMENT_STATE_DIR"])
    before = {one.name for one in state.iterdir()}

    def refuse(*_: object) -> None:
        raise Malformed("it is not what it was")

    with monkeypatch.context() as patch:
        plant(patch, recovery, "_require_alike", refuse)
        with pytest.raises(Malformed):
            recovery.restore(Wanted(backup, str(place)), Settings.read(places))

    assert list(place.iterdir()) == []
    assert {one.name for one in state.iterdir()} == before
    assert not embedded.is_org(place)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("restore", "nowhere", "new"), "does not exist"),
        (("restore", "{}", "new", "--key-file", "nowhere"), "does not exist"),
        (("restore", "{}", "new", "--erasures", "nowhere"), "does not exist"),
        (("restore", "{}", "new", "--org", "elsewhere"), "second argument"),
        (("backup", "new", "--as-of", "2026-01-01"), "at all times"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_meant_is_a_wrong_command(
    muniment_: Cli, backup: Path, arguments: tuple[str, ...], says: str
) -> None:
    said = muniment_(*(part.format(backup) for part in arguments))

    assert said.code == 2
    assert says in said.error
    assert not Path("new").exists()
