"""Records that cannot be brought in, and what a record brings with it: keys, numbers, names, erasures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import muniment
from muniment.app import Org
from muniment.domain.errors import Malformed, Refused, Usage
from muniment.export import record as records
from muniment.export import restore as restoring
from muniment.export.manifest import read_manifest, sealed
from muniment.gate.binding import writing
from muniment.settings import Settings
from tests.planted import plant
from tests.worlds import KEY, Clock, open_org, person, said, taken

MANIFEST = "muniment-record.json"
FULL = "select count(*) from muniment.event where tenant = %(tenant)s"


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:ann"), *(said(f"m{number}", _words(number)) for number in range(12))])
        taken(org, [said("secret", "The zorblat of Acme is 7.", author="user:ann")])
        org.steward("user:owner").erase("chat:secret")
        org.ingest([{"op": "upsert", "source": "chat", "id": "broken"}])
        yield org


def _words(number: int) -> str:
    return f"The rate limit of Acme-{number} is {number}."


@pytest.fixture
def record(org: Org, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    plant(monkeypatch, records, "_ROWS", 5)  # so that even small files have blocks
    org.steward("user:owner").export(tmp_path / "record")
    return tmp_path / "record"


def file_of(record: Path, table: str) -> Path:
    (file,) = record.glob(f"{table}-*.jsonl")
    return file


def no_manifest(record: Path) -> None:
    (record / MANIFEST).unlink()


def half_a_manifest(record: Path) -> None:
    text = (record / MANIFEST).read_bytes()
    (record / MANIFEST).write_bytes(text[: len(text) // 2])


def another_format(record: Path) -> None:
    _change(record, format="diary")


def a_later_version(record: Path) -> None:
    _change(record, version=2)


def another_moment(record: Path) -> None:
    _change(record, exported_at="2020-01-01T00:00:00Z")


def a_foreign_file(record: Path) -> None:
    manifest = json.loads((record / MANIFEST).read_bytes())
    manifest["tables"][0]["file"] = "../../letters.jsonl"
    (record / MANIFEST).write_text(json.dumps(manifest))


def no_tables(record: Path) -> None:
    _change(record, tables="none")


def _change(record: Path, **values: object) -> None:
    manifest = json.loads((record / MANIFEST).read_bytes())
    (record / MANIFEST).write_text(json.dumps({**manifest, **values}))


def a_missing_file(record: Path) -> None:
    file_of(record, "payload").unlink()


def a_cut_file(record: Path) -> None:
    text = file_of(record, "payload").read_bytes().split(b"\n")
    file_of(record, "payload").write_bytes(b"\n".join(text[:7]) + b"\n" + text[7][:9])


def an_altered_line(record: Path) -> None:
    text = file_of(record, "payload").read_bytes()
    file_of(record, "payload").write_bytes(text.replace(b"Acme-3 is 3.", b"Acme-3 is 4."))


def a_line_more(record: Path) -> None:
    with file_of(record, "payload").open("ab") as file:
        file.write(b"{}\n")


def two_lines_changed_about(record: Path) -> None:
    first, second, *rest = file_of(record, "payload").read_bytes().split(b"\n")
    file_of(record, "payload").write_bytes(b"\n".join([second, first, *rest]))


BAD = (
    (no_manifest, Usage, "holds no exported record"),
    (half_a_manifest, Malformed, "muniment-record.json.* is cut off or was altered"),
    (another_format, Malformed, "is no muniment-record"),
    (a_later_version, Malformed, "has version 2, and this muniment reads 1"),
    (another_moment, Malformed, "was altered after it was made"),
    (a_foreign_file, Malformed, "was altered"),
    (no_tables, Malformed, "was altered"),
    (a_missing_file, Malformed, "payload-.* is missing"),
    (a_cut_file, Malformed, "payload-.* is cut off after line 7"),
    (an_altered_line, Malformed, "payload-.* was altered between line 6 and 10"),
    (a_line_more, Malformed, "payload-.* goes on after line"),
    (two_lines_changed_about, Malformed, "payload-.* was altered between line 1 and 5"),
)


@pytest.mark.parametrize(("spoil", "error", "says"), BAD, ids=[spoil.__name__ for spoil, _, _ in BAD])
def test_a_record_that_is_not_whole_is_refused_and_nothing_of_it_stays(
    url: str, tenant: str, record: Path, spoil: Callable[[Path], None], error: type[Exception], says: str
) -> None:
    spoil(record)

    with open_org(url, f"{tenant}-new") as new:
        with pytest.raises(error, match=says):
            new.restore(record)

        assert _events(new) == 0
        assert new.reader("user:owner").pages() == []
        assert new.steward("user:owner").verify_audit().ok


def _events(org: Org) -> int:
    with writing(org._work.database, org.tenant) as conn:
        row = conn.execute(FULL.encode(), {"tenant": org.tenant}).fetchone()
    return 0 if row is None else int(row[0])


def test_a_folder_that_is_not_there_is_a_wrong_command(url: str, tenant: str, tmp_path: Path) -> None:
    with open_org(url, tenant) as new, pytest.raises(Usage, match="does not exist"):
        new.restore(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "used",
    [
        lambda org: org.ingest([said("m1", "Something.")]),
        lambda org: org.reader("user:owner").search("something"),
        lambda org: org.steward("user:owner").add_member("user:bo"),
        lambda org: org.ingest([{"op": "nonsense"}]),
    ],
    ids=["an event", "a question", "a member", "a refused line"],
)
def test_an_organisation_that_was_used_is_not_overwritten(
    url: str, tenant: str, record: Path, used: Callable[[Org], object]
) -> None:
    with open_org(url, f"{tenant}-new") as new:
        used(new)
        before = _events(new)

        with pytest.raises(Usage, match="is not empty"):
            new.restore(record)
        assert _events(new) == before


def test_a_record_is_not_brought_in_twice(url: str, tenant: str, record: Path) -> None:
    with open_org(url, f"{tenant}-new") as new:
        new.restore(record)

        with pytest.raises(Usage, match="is not empty"):
            new.restore(record)


class Stopped(BaseException):
    """The process ended here."""


@pytest.mark.parametrize("step", ["_insert", "_count_past", "rebuild_in"])
def test_an_import_that_stops_leaves_nothing_and_can_be_done_again(
    url: str, tenant: str, record: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    with open_org(url, f"{tenant}-new") as new:
        with monkeypatch.context() as patch:
            plant(patch, restoring, step, stop)
            with pytest.raises(Stopped):
                new.restore(record)

        assert _events(new) == 0
        assert new.restore(record).stewards == ("user:owner",)


def test_an_export_that_stops_leaves_the_record_that_was_there(
    org: Org, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {file.name: file.read_bytes() for file in record.iterdir()}
    taken(org, [said("new", "The rate limit of Acme is 9.")])

    def stop(*_: object) -> None:
        raise Stopped

    for module, step in ((records, "_blocks"), (records, "counted"), (os, "fsync")):
        with monkeypatch.context() as patch:
            patch.setattr(module, step, stop)
            with pytest.raises(Stopped):
                org.steward("user:owner").export(record)
        held = {file.name: file.read_bytes() for file in record.iterdir()}
        assert {name: held[name] for name in before} == before

    org.steward("user:owner").export(record)
    named = {one["file"] for one in json.loads((record / MANIFEST).read_bytes())["tables"]}
    assert {file.name for file in record.iterdir()} == named | {MANIFEST}


def test_an_export_of_the_same_record_names_the_same_files(org: Org, record: Path, tmp_path: Path) -> None:
    org.steward("user:owner").export(tmp_path / "again")

    def names(folder: Path) -> set[str]:
        return {file.name for file in folder.iterdir() if not file.name.startswith("audit")}

    assert names(tmp_path / "again") == names(record)


def test_a_folder_with_something_else_is_left_as_it_is(org: Org, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(Usage, match="holds something else"):
        org.steward("user:owner").export(tmp_path)

    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_nobody_but_its_owner_may_look_into_a_record(record: Path) -> None:
    assert record.stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in record.iterdir())


def test_who_is_no_steward_exports_nothing(org: Org, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        org.steward("user:ann")
    desk = org.steward("user:owner")
    desk.grant_role("user:ann", "steward")
    ann = org.steward("user:ann")
    desk.revoke_role("user:ann", "steward")

    with pytest.raises(Refused):
        ann.export(tmp_path / "record")

    assert not (tmp_path / "record").exists()


def test_exporting_and_bringing_in_are_in_the_audit(url: str, tenant: str, org: Org, record: Path) -> None:
    (act,) = org.steward("user:owner").audit(action="export")
    assert (act.principal, act.object) == ("user:owner", "record")

    with open_org(url, f"{tenant}-new") as new:
        new.restore(record)
        (act,) = new.steward("user:owner").audit(action="restore")
        assert act.principal == "user:owner"
        assert len(new.steward("user:owner").audit(action="init")) == 1
        new.sync()
        assert new.steward("user:owner").verify_audit().ok


def test_numbers_go_on_after_those_that_were_brought_in(url: str, tenant: str, record: Path) -> None:
    with open_org(url, f"{tenant}-new") as new:
        new.restore(record)
        refused = new.steward("user:owner").quarantined()
        new.ingest([{"op": "upsert", "source": "chat", "id": "broken too"}])
        taken(new, [said("m9999", "Something else.", audience=[["user:ann", "group:x"]])])

        assert len(new.steward("user:owner").quarantined()) == len(refused) + 1


def test_what_was_erased_is_not_in_a_record_and_does_not_come_back(
    url: str, tenant: str, record: Path
) -> None:
    assert all(b"zorblat" not in file.read_bytes() for file in record.iterdir())

    with open_org(url, f"{tenant}-new") as new:
        new.restore(record)
        receipt = new.ingest([said("secret", "The zorblat of Acme is 7.", author="user:ann")])

        assert receipt.accepted == 0
        assert new.reader("user:owner").search("zorblat") == []


def test_another_key_is_refused_and_says_what_to_do(url: str, tenant: str, record: Path) -> None:
    settings = Settings(login="owner", key=b"another key", embedder="off")

    with (
        muniment.open(url, f"{tenant}-new", settings=settings) as new,
        pytest.raises(Usage, match="set MUNIMENT_KEY to that of the organisation it came from"),
    ):
        new.restore(record)


def test_a_record_with_its_key_needs_no_other(url: str, tenant: str, org: Org, tmp_path: Path) -> None:
    org.steward("user:owner").export(tmp_path / "record", with_key=True)
    settings = Settings(login="owner", embedder="off")
    asked = [one.id for one in org.reader("user:owner").ask("What is the rate limit of Acme-7?").citations]

    with muniment.open(url, f"{tenant}-new", settings=settings) as new:
        new.restore(tmp_path / "record")
        found = [
            one.id for one in new.reader("user:owner").ask("What is the rate limit of Acme-7?").citations
        ]
        assert found == asked
    with muniment.open(url, f"{tenant}-new", settings=settings) as again:
        assert again._work.key == KEY

    other = Settings(login="owner", key=b"another key", embedder="off")
    with (
        muniment.open(url, f"{tenant}-other", settings=other) as new,
        pytest.raises(Usage, match="unset it"),
    ):
        new.restore(tmp_path / "record")


def test_a_row_that_no_table_takes_is_said_with_its_file(
    url: str, tenant: str, org: Org, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sealed with the key, and wrong all the same."""
    real = records._blocks

    def wrong(lines: Iterator[str]) -> Iterator[tuple[int, bytes]]:
        return real(line.replace('"kind": "item"', '"kind": "ghost"') for line in lines)

    with monkeypatch.context() as patch:
        patch.setattr(records, "_blocks", wrong)
        org.steward("user:owner").export(tmp_path / "record")

    with open_org(url, f"{tenant}-new") as new:
        with pytest.raises(Malformed, match=r"suppression-.* holds a row that cannot be"):
            new.restore(tmp_path / "record")
        assert _events(new) == 0


def test_a_seal_holds_the_whole_manifest(record: Path) -> None:
    manifest = read_manifest(record)

    assert sealed(manifest, KEY) == manifest
    assert sealed(manifest, b"another").seal != manifest.seal
