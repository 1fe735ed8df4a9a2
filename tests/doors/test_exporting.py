"""The commands that take the record elsewhere: what they write, what they say, and how they end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import muniment
from muniment.settings import Settings
from tests.doors.said import Cli

NUMBERS = count()
THEN = ("--as-of", "2026-11-30T09:00:00Z", "--known-at", "2030-01-01T00:00:00Z")


@pytest.fixture
def empty(places: dict[str, str]) -> Iterator[Path]:
    """A new organisation in a folder of its own, which stays open so that each command finds its server."""
    folder = Path(places["MUNIMENT_STATE_DIR"]).parent / f"new-{next(NUMBERS)}"
    with muniment.open(folder, settings=Settings.read(places)):
        yield folder


def answers(cli: Cli, *where: str) -> list[object]:
    found = [
        cli(*where, "ask", question, "--as", "user:mara", *THEN, "--json").json
        for question in ("What discount do we offer Orrin & Vale?", "What is the hotel limit per night?")
    ]
    for one in found:
        one.pop("trace")
    return found


def test_an_exported_company_is_brought_into_a_new_folder_and_answers_alike(
    cli: Cli, muniment_: Cli, empty: Path, tmp_path: Path
) -> None:
    exported = cli("export", str(tmp_path / "record"), "--record", "--with-key")
    assert (exported.code, "whoever has this folder" in exported.out) == (0, True)

    done = muniment_("import", str(tmp_path / "record"), "--org", str(empty))

    assert done.code == 0, done.err
    assert "stewards: user:root" in done.out
    assert answers(muniment_, "--org", str(empty)) == answers(cli)
    assert muniment_("audit", "verify", "--org", str(empty)).code == 0
    again = muniment_("import", str(tmp_path / "record"), "--org", str(empty))
    assert (again.code, again.out) == (2, "")
    assert "is not empty" in again.error


def test_a_record_without_its_key_says_what_to_do(
    cli: Cli, muniment_: Cli, empty: Path, tmp_path: Path
) -> None:
    exported = cli("export", str(tmp_path / "record"), "--record", "--json")
    assert exported.json["with_key"] is False
    assert exported.json["rows"] > 0

    done = muniment_("import", str(tmp_path / "record"), "--org", str(empty))

    assert done.code == 2
    assert "MUNIMENT_KEY" in done.error


def test_the_wiki_is_written_as_one_person_sees_it(cli: Cli, tmp_path: Path) -> None:
    done = cli("export", str(tmp_path / "wiki"), "--as", "user:mara", *THEN)

    assert done.code == 0
    assert "pages" in done.out
    assert "pages:" in done.err  # how it went
    pages = cli("pages", "--as", "user:mara", *THEN, "--json").lines
    assert len([one for one in (tmp_path / "wiki").glob("*/*.md") if one.name != "index.md"]) == len(pages)
    again = cli("export", str(tmp_path / "wiki"), "--as", "user:mara", *THEN, "--json")
    assert (again.json["written"], again.json["removed"]) == (0, 0)
    assert again.err == ""


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (("export",), 2, "DIR"),
        (("export", "{file}"), 2, "is no folder"),
        (("export", "{other}"), 2, "holds something else"),
        (("export", "{file}", "--record"), 2, "is no folder"),
        (("export", "{other}", "--record"), 2, "holds something else"),
        (("export", "{new}", "--with-key"), 2, "goes with --record"),
        (("export", "{new}", "--record", "--as-of", "2026-01-01"), 2, "--record is the whole record"),
        (("import", "{new}"), 2, "does not exist"),
        (("import", "{other}"), 2, "holds no exported record"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    cli: Cli, tmp_path: Path, command: tuple[str, ...], code: int, says: str
) -> None:
    (tmp_path / "file").write_text("a letter")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    named = {name: str(tmp_path / name) for name in ("file", "other", "new")}

    done = cli(*(part.format(**named) for part in command))

    assert (done.code, done.out) == (code, "")
    assert says in done.err.splitlines()[-1]
    assert not (tmp_path / "new").exists()


def test_every_line_of_claims_is_an_object_with_its_proof(cli: Cli, tmp_path: Path) -> None:
    cli("export", str(tmp_path), "--as", "user:mara", *THEN)

    claims = [
        json.loads(line) for line in (tmp_path / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert claims
    for one in claims:
        for citation in one["citations"]:
            assert citation["claim"] == one["id"]
            assert citation["level"] != "exact" or citation["quote"]
