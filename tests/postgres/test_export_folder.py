"""The folder an export goes to: what is left alone, and what is left when an export stops."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Malformed, Unavailable, Usage
from muniment.export import tree as trees
from muniment.view import base, looking
from tests.exported import files
from tests.planted import plant
from tests.worlds import Clock, at, open_org, person, said, taken

STATE = ".muniment-export.json"


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(
            org,
            [
                person("user:ann"),
                person("user:cy"),
                said("m1", "The renewal date of Acme is 2027-03-01.", author="user:ann", account="Acme"),
                said("m2", "The owner of Globex is Bo Chan.", account="Globex"),
                said("d1", "每晚住宿上限是 800 元。", kind="document", title="差旅政策"),
            ],
        )
        yield org


def a_file(folder: Path, _: Path) -> None:
    folder.write_text("a letter")


def something_else(folder: Path, _: Path) -> None:
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")


def a_foreign_index(folder: Path, _: Path) -> None:
    folder.mkdir()
    (folder / STATE).write_text(
        json.dumps(
            {
                "format": "muniment-wiki",
                "version": 1,
                "request": {
                    "reader": "user:ann",
                    "agent": None,
                    "hearers": [],
                    "as_of": None,
                    "known_at": None,
                },
                "files": [],
            }
        )
    )
    (folder / "index.md").write_text("mine")


def a_linked_folder(folder: Path, elsewhere: Path) -> None:
    folder.mkdir()
    (folder / STATE).write_text(
        (elsewhere / STATE).read_text() if (elsewhere / STATE).exists() else a_state()
    )
    (folder / "account").symlink_to(elsewhere, target_is_directory=True)


def a_state(*listed: str, version: int = 1) -> str:
    request: dict[str, object] = {"reader": "user:ann", "agent": None, "hearers": []}
    request |= {"as_of": None, "known_at": None}
    return json.dumps({"format": "muniment-wiki", "version": version, "request": request, "files": listed})


def a_state_of_another_place(folder: Path, _: Path) -> None:
    folder.mkdir()
    (folder / STATE).write_text(a_state("../elsewhere/victim.md"))


def a_later_version(folder: Path, _: Path) -> None:
    folder.mkdir()
    (folder / STATE).write_text(a_state(version=2))


def a_half_state(folder: Path, _: Path) -> None:
    folder.mkdir()
    (folder / STATE).write_text('{"format": "muni')


@pytest.mark.parametrize(
    ("made", "error", "says"),
    [
        (a_file, Usage, "is no folder"),
        (something_else, Usage, "holds something else"),
        (a_foreign_index, Usage, "is none of ours"),
        (a_linked_folder, Usage, "is a link"),
        (a_state_of_another_place, Malformed, "is not what an export of this version leaves"),
        (a_later_version, Malformed, "is not what an export of this version leaves"),
        (a_half_state, Malformed, "is not what an export of this version leaves"),
    ],
)
def test_a_folder_that_is_no_export_of_this_reader_is_left_as_it_is(
    org: Org, tmp_path: Path, made: object, error: type[Exception], says: str
) -> None:
    folder, elsewhere = tmp_path / "wiki", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "victim.md").write_text("spare me")
    assert callable(made)
    made(folder, elsewhere)
    before = files(tmp_path)

    with pytest.raises(error, match=says):
        org.reader("user:ann").export(folder)

    assert files(tmp_path) == before


def test_the_export_of_another_reader_is_left_as_it_is(org: Org, tmp_path: Path) -> None:
    org.reader("user:cy").export(tmp_path)
    before = files(tmp_path)

    with pytest.raises(Usage, match="another reader"):
        org.reader("user:ann").export(tmp_path)

    assert files(tmp_path) == before


def test_what_a_killed_export_left_is_no_obstacle(org: Org, tmp_path: Path) -> None:
    folder = tmp_path / "wiki"
    (folder / ".muniment-export.partial" / "account").mkdir(parents=True)
    (folder / ".muniment-export.partial" / "account" / "acme.md").write_text("half a pa")

    org.reader("user:ann").export(folder)

    assert "account/acme.md" not in files(folder)
    assert not (folder / ".muniment-export.partial").exists()


def test_an_export_that_fails_leaves_no_new_folder(
    org: Org, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, looking, "write_wiki", _stop)

    with pytest.raises(Stopped):
        org.reader("user:ann").export(tmp_path / "new" / "wiki")

    assert not (tmp_path / "new" / "wiki").exists()


def test_two_exports_into_one_folder_do_not_meet(org: Org, tmp_path: Path) -> None:
    with trees.staged(tmp_path), pytest.raises(Unavailable, match="going on"):
        org.reader("user:ann").export(tmp_path)


class Stopped(BaseException):
    """The process ended here."""


def test_an_export_that_stops_leaves_the_old_one_and_the_next_one_is_whole(
    org: Org, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, whole = tmp_path / "wiki", tmp_path / "whole"
    org.reader("user:ann").export(folder)
    before = files(folder)
    taken(org, [{"op": "delete", "source": "chat", "id": "d1", "at": at(70)}])
    taken(org, [said("m5", "The rate limit of Acme is 600.", 71, account="Acme")])
    org.reader("user:ann").export(whole)
    # While files are made: nothing has changed.
    with monkeypatch.context() as patch:
        plant(patch, looking, "write_wiki", _stop)
        with pytest.raises(Stopped):
            org.reader("user:ann").export(folder)
    assert files(folder) == before
    # At any rename of the last step: the next export finishes, whatever it brings itself.
    renames = 0
    while _is_stopped(org, folder, renames, monkeypatch):
        taken(org, [{"op": "delete", "source": "chat", "id": "m6", "at": at(73 + 2 * renames)}])
        org.reader("user:ann").export(folder)
        renames += 1

        assert files(folder) == files(whole)
    assert renames >= 5


def _stop(*_: object) -> None:
    raise Stopped


def _after(calls: int, real: object) -> object:
    left = [calls]

    def once(*arguments: object, **named: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped
        assert callable(real)
        return real(*arguments, **named)

    return once


def _is_stopped(org: Org, folder: Path, renames: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether an export that brings a page more ended before it had renamed so many files and one."""
    taken(org, [said("m6", "The owner of Umbrella is Dee.", 72 + 2 * renames, account="Umbrella")])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", _after(renames, Path.replace))
        try:
            org.reader("user:ann").export(folder)
        except Stopped:
            return True
    return False


def test_an_export_is_in_the_audit_before_the_folder_holds_it(
    org: Org, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        plant(patch, base, "record_read", _stop)
        with pytest.raises(Stopped):
            org.reader("user:ann").export(tmp_path / "wiki")
    assert not (tmp_path / "wiki").exists()

    org.reader("user:ann").export(tmp_path / "wiki")

    (act,) = org.steward("user:owner").audit(action="export")
    assert act.principal == "user:ann"
    cited = re.findall(rb"`(c_[0-9a-f]{32})`", b"".join(files(tmp_path / "wiki").values()))
    for id_ in cited:
        assert org.steward("user:owner").audit(object=id_.decode(), action="export")
