"""muniment audit: what it prints, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.settings import Settings
from tests.doors.said import Cli
from tests.tampering import TAMPERS, as_owner


@pytest.fixture(scope="module")
def folder(places: dict[str, str]) -> Iterator[Path]:
    """A record of its own: what is done to its audit is nobody else's."""
    folder = Path(places["MUNIMENT_STATE_DIR"]).parent / "audited"
    with muniment.open(folder, settings=Settings.read(places)) as org:
        org.ingest(
            [{"source": "chat", "id": "1", "op": "upsert", "at": "2026-06-01T09:00:00Z", "body": "Tea."}]
        )
        for number in range(6):
            org.reader("user:root").search(f"tea {number}")
        yield folder


@pytest.fixture
def audited(muniment_: Cli, folder: Path) -> Cli:
    return lambda *arguments: muniment_("--org", str(folder), "audit", *arguments)


def test_entries_are_shown_newest_first(audited: Cli) -> None:
    searches = audited("show", "--action", "search", "--limit", "2")
    objects = audited("--object", "chat", "--json").lines

    head, *rows = searches.out.splitlines()
    assert searches.code == 0
    assert head.split() == ["NUMBER", "ENTRY", "AT", "WHO", "DID", "TO", "DETAIL"]
    assert len(rows) == 2
    assert "tea" not in searches.out
    assert [one["action"] for one in objects] == ["import"]
    assert objects[0]["detail"]["sources"] == ["chat"]


def test_no_entries_are_said_on_the_side(audited: Cli) -> None:
    done = audited("--by", "user:nobody")

    assert (done.code, done.out, done.err) == (0, "", "no entries\n")


@pytest.mark.parametrize("shape", [(), ("--json",)], ids=["text", "json"])
def test_a_kept_head_is_found_again(audited: Cli, tmp_path: Path, shape: tuple[str, ...]) -> None:
    kept = tmp_path / "heads"
    kept.write_text(audited("head", *shape).out + audited("head", *shape).out)

    done = audited("verify", "--head", str(kept))

    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith("whole: ")
    assert "compared with 2 published heads" in done.out


def test_a_head_is_one_line(audited: Cli) -> None:
    line = audited("head").out
    said = audited("head", "--json").json

    assert line.startswith(f"{said['number']}:{said['hash']} ")
    assert len(line.splitlines()) == 1


def test_a_head_from_elsewhere_is_not_in_the_chain(audited: Cli) -> None:
    done = audited("verify", "--head", f"1:{'0' * 64}", "--json")

    assert done.code == 1
    assert not done.json["ok"]
    assert done.json["broken"] == [
        {
            "number": 1,
            "entry": None,
            "what": "the published head is another: the chain was rewritten up to here",
        }
    ]
    assert done.error.startswith("muniment: the audit does not verify")


@pytest.mark.parametrize("wrong", [("seal",), ("verify", "--head", "gone.txt"), ("show", "--limit", "0")])
def test_what_was_put_wrongly_is_said(audited: Cli, wrong: tuple[str, ...]) -> None:
    done = audited(*wrong)

    assert done.code == 2
    assert done.out == ""
    assert done.error


def test_a_broken_audit_fails_and_says_where(
    audited: Cli, muniment_: Cli, folder: Path, places: dict[str, str]
) -> None:
    audited("head")
    with muniment.open(folder, settings=Settings.read(places)) as org:
        as_owner(org._work.database, org.tenant, TAMPERS["change"])

    done = audited("verify")
    doctor = muniment_("--org", str(folder), "doctor")

    assert done.code == 1
    assert done.out.startswith("number 5, entry ")
    assert "the entry or its place is not what was sealed" in done.out
    assert done.error == (
        "muniment: the audit does not verify, 1 thing is broken; compare it with a backup from before"
    )
    assert doctor.code == 1
    assert "broken   audit" in doctor.out
