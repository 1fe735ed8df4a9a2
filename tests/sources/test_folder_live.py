"""A folder as a live source: what a pull tells, and what a sweep may let go."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Malformed, Unavailable
from muniment.events.parse import Rejection, parse_event
from muniment.sources.connector import Configured, Cursor
from muniment.sources.folder.exclude import Excluded
from muniment.sources.folder.live import FOLDER, Folder, folder
from muniment.sources.parsed import Event, Unread
from muniment.sources.registry import connector_kind
from tests.worlds import NOW, Clock


def connected(root: Path, clock: Clock | None = None, **settings: str) -> Folder:
    said = {"path": str(root), **settings}
    return folder(Configured("handbook", said, lambda _: "", clock or Clock(), "user:ann"))


def written(root: Path, name: str, text: str, hours: int = 0) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    at = (NOW - timedelta(days=9) + timedelta(hours=hours)).timestamp()
    os.utime(path, (at, at))
    return path


def pulled(source: Folder, cursor: Cursor | None = None) -> tuple[list[Event], list[Unread], Cursor]:
    pages = list(source.pull(cursor))
    parsed = [one for page in pages for one in page.parsed]
    events = [one for one in parsed if not isinstance(one, Unread)]
    assert not [found for one in events if isinstance(found := parse_event(one), Rejection)]
    return events, [one for one in parsed if isinstance(one, Unread)], pages[-1].cursor


def test_the_folder_is_a_kind_of_source() -> None:
    assert connector_kind("folder") is FOLDER


def test_a_pull_tells_what_is_new_and_then_nothing(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "# A\n\nOne.\n")
    written(tmp_path, "sub/b.txt", "Two.\n")
    source = connected(tmp_path)

    first, _, cursor = pulled(source)
    second, _, _ = pulled(source, cursor)

    assert [one["id"] for one in first] == ["a.md", "sub/b.txt"]
    assert second == []


def test_a_pull_tells_what_changed_and_not_what_was_only_touched(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "One.\n")
    written(tmp_path, "b.md", "Two.\n")
    source = connected(tmp_path)
    _, _, cursor = pulled(source)

    written(tmp_path, "a.md", "One, changed.\n", hours=1)
    written(tmp_path, "b.md", "Two.\n", hours=1)
    events, _, _ = pulled(source, cursor)

    assert [(one["id"], one["body"]) for one in events] == [("a.md", "One, changed.\n")]


def test_an_older_copy_put_back_is_a_change_of_now(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "New.\n", hours=5)
    source = connected(tmp_path)
    _, _, cursor = pulled(source)

    written(tmp_path, "a.md", "As it was before.\n", hours=1)
    events, _, _ = pulled(source, cursor)

    assert [one["at"] for one in events] == [NOW.strftime("%Y-%m-%dT%H:%M:%SZ")]


def test_a_cursor_holds_no_content_and_goes_on_after_each_page(tmp_path: Path) -> None:
    for number in range(120):
        written(tmp_path, f"{number:03}.md", f"Canary {number}.\n")
    source = connected(tmp_path)

    pages = list(source.pull(None))
    rest, _, _ = pulled(source, pages[0].cursor)

    assert len(pages) == 3
    assert [page.through for page in pages] == [None, None, NOW]
    assert len(rest) == 120 - len(pages[0].parsed)
    assert "Canary" not in str(pages[-1].cursor)


def test_a_sweep_lists_documents_by_the_ids_they_were_told_under(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "---\nid: POL-7\n---\nOne.\n")
    written(tmp_path, "sub/b.txt", "Two.\n")
    source = connected(tmp_path)
    events, _, _ = pulled(source)

    listing = next(source.sweep())

    assert listing.ids == {one["id"] for one in events} == {"POL-7", "sub/b.txt"}
    assert listing.complete
    assert listing.prefix == ""


def test_a_sweep_that_could_not_read_a_name_lets_nothing_go(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "---\naudience: [\nid: POL-7\n---\nOne.\n")

    listing = next(connected(tmp_path).sweep())

    assert not listing.complete


def test_an_empty_folder_lets_nothing_go(tmp_path: Path) -> None:
    assert not next(connected(tmp_path).sweep()).complete


def test_a_folder_that_is_not_there_is_no_empty_folder(tmp_path: Path) -> None:
    source = connected(tmp_path / "gone")

    with pytest.raises(Unavailable, match="not there"):
        next(source.sweep())
    with pytest.raises(Unavailable, match="not there"):
        next(source.pull(None))


def test_nobody_named_leaves_it_to_the_importer_and_a_header_narrows(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "---\naudience: [group:hr]\n---\nOne.\n")
    written(tmp_path, "b.md", "Two.\n")

    alone, _, _ = pulled(connected(tmp_path))
    named, _, _ = pulled(connected(tmp_path, audience="group:staff, user:bo & group:all"))

    assert ["audience" in one for one in alone] == [False, False]
    assert named[0]["audience"] == [["group:all"], ["group:hr"], ["group:staff", "user:bo"]]
    assert named[1]["audience"] == [["group:all"], ["group:staff", "user:bo"]]


def test_a_header_that_names_no_audience_that_can_be_read_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "---\naudience: [[]]\n---\nOne.\n")

    events, unread, _ = pulled(connected(tmp_path, audience="*"))

    assert events == []
    assert "front matter" in unread[0].reason


def test_an_audience_that_is_none_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="audience"):
        connected(tmp_path, audience="staff")


def test_what_is_excluded_is_neither_told_nor_listed(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "One.\n")
    written(tmp_path, "drafts/b.md", "Two.\n")
    source = connected(tmp_path, exclude="drafts/")

    events, _, _ = pulled(source)

    assert [one["id"] for one in events] == ["a.md"]
    assert next(source.sweep()).ids == {"a.md"}


@pytest.mark.parametrize(
    ("said", "out", "kept"),
    [
        ("*.tmp", ["a.tmp", "x/a.tmp"], ["a.tmpx"]),
        ("drafts/", ["drafts/a.md", "x/drafts/a.md"], ["drafts", "mydrafts/a.md"]),
        ("/top.md", ["top.md"], ["x/top.md"]),
        ("x/*.md", ["x/a.md"], ["x/y/a.md", "z/x/a.md"]),
        ("x/**/a.md", ["x/a.md", "x/y/z/a.md"], ["a.md"]),
        ("*.md, !keep.md", ["a.md"], ["keep.md", "x/keep.md"]),
        ("# said", [], ["# said"]),
    ],
)
def test_files_are_left_out_in_the_words_of_a_gitignore(said: str, out: list[str], kept: list[str]) -> None:
    excluded = Excluded.read(said)

    assert all(excluded.holds(one) for one in out)
    assert not any(excluded.holds(one) for one in kept)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_pattern_leaves_out_or_does_not(said: str, path: str) -> None:
    assert Excluded.read(said).holds(path) in (True, False)
