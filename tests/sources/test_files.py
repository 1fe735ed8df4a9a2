"""Exports handed in by hand: each is read by its kind, and what no kind knows is read as before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.errors import Usage
from muniment.domain.values import Receipt
from muniment.entrance import Word
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.files import Gathering, gather
from muniment.sources.parsed import Parsed, Unread
from tests.worlds import Clock, at, open_org


def ticks(path: Path, handed: Handed) -> Iterator[Parsed]:
    """A line is `who: words`; anything else is unread. A folder is one export."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            who, colon, words = line.partition(": ")
            if not colon:
                yield Unread(f"{file.name}, line {number}", line, "names nobody who says it")
                continue
            event: dict[str, object] = {"op": "upsert", "kind": "message", "source": handed.source}
            event |= {"id": f"{file.stem}/{number}", "at": at(number), "author_name": who, "body": words}
            shout = handed.options.get("shout")
            yield event if shout is None else {**event, "body": f"{words} {shout}"}


def is_ticks(path: Path) -> bool:
    return path.suffix == ".tick" or (path / "all.tick").is_file()


TICKS = FileKind("ticks", "tick", "Lines of a ticker", ticks, is_ticks, ("shout",))


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        yield org


def add(
    org: Org,
    path: Path,
    source: str | None = None,
    kind: str | None = None,
    audience: list[str] | None = None,
    options: dict[str, str] | None = None,
) -> Receipt:
    """As `org.add` does, where the ticker is the one kind of export there is."""
    said = Gathering.read(source, kind, "user:owner", audience, None, options)
    return org._entrance.take(gather(path, replace(said, kinds=(TICKS,))), Word.own("user:owner"))


def found(org: Org, words: str, who: str = "user:owner") -> set[str]:
    return {hit.source or "" for hit in org.reader(who).search(words)}


def test_each_file_of_a_folder_is_read_by_its_kind_and_the_rest_as_documents(
    org: Org, tmp_path: Path
) -> None:
    (tmp_path / "a.tick").write_text("Ann: The mast is steel.\n")
    (tmp_path / "b.md").write_text("The keel is lead.\n")

    receipt = add(org, tmp_path)

    assert receipt.accepted == 2
    assert found(org, "mast steel") == {"tick"}
    assert found(org, "keel lead") == {"files"}


def test_a_folder_that_a_kind_recognises_is_one_export(org: Org, tmp_path: Path) -> None:
    (tmp_path / "all.tick").write_text("Ann: The mast is steel.\n")
    (tmp_path / "other.log").write_text("Bo: The keel is lead.\n")

    add(org, tmp_path)

    assert found(org, "keel lead") == {"tick"}


def test_a_kind_that_is_named_reads_files_it_would_not_recognise(org: Org, tmp_path: Path) -> None:
    file = tmp_path / "notes.log"
    file.write_text("Ann: The mast is steel.\n")

    add(org, file, kind="ticks", source="ships", options={"shout": "really"})

    assert found(org, "really") == {"ships"}


def test_what_a_kind_cannot_read_is_in_quarantine_and_says_where_it_stood(org: Org, tmp_path: Path) -> None:
    file = tmp_path / "a.tick"
    file.write_text("no colon here\nAnn: The mast is steel.\n")

    receipt = add(org, file)

    (refused,) = org.steward("user:owner").quarantined()
    assert (receipt.accepted, receipt.quarantined) == (1, 1)
    assert refused.reason == "names nobody who says it"
    assert refused.origin == f"{file}: a.tick, line 1"


def test_what_names_no_audience_is_its_importers_unless_one_is_given(org: Org, tmp_path: Path) -> None:
    (tmp_path / "a.tick").write_text("Ann: The mast is steel.\n")
    (tmp_path / "b.tick").write_text("Ann: The keel is lead.\n")
    org.steward("user:owner").add_member("user:bo")

    private = add(org, tmp_path / "a.tick")
    add(org, tmp_path / "b.tick", audience=["user:bo"])

    assert "only user:owner can read these 1" in private.notes[0]
    assert found(org, "mast steel", "user:bo") == set()
    assert found(org, "keel lead", "user:bo") == {"tick"}


@pytest.mark.parametrize("options", [{"whisper": "1"}, {"shout": "1", "x": "2"}])
def test_an_option_that_the_kind_does_not_have_is_refused(
    org: Org, tmp_path: Path, options: dict[str, str]
) -> None:
    (tmp_path / "a.tick").write_text("Ann: The mast is steel.\n")

    with pytest.raises(Usage, match="use shout"):
        add(org, tmp_path, kind="ticks", options=options)
