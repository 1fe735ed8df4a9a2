"""A document's own word on its readers narrows whoever was chosen for it, whatever way it came."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.app import Org
from tests.worlds import Clock, member, open_org, person, taken

OPEN = "# Lunch\n\nThe canteen closes at two.\n"
CLOSED = "---\naudience: group:board\n---\n# Merger\n\nThe canteen merger closes on Friday.\n"
READERS = ("user:ann", "user:bo")


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(
            org, [*(person(who) for who in READERS), person("user:owner"), member("group:board", "user:ann")]
        )
        yield org


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "handbook"
    made.mkdir()
    (made / "lunch.md").write_text(OPEN, encoding="utf-8")
    (made / "merger.md").write_text(CLOSED, encoding="utf-8")
    return made


def committed(folder: Path) -> Path:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@x.example"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-q", "-m", "All"]):
        command = ["git", "-C", str(folder), *words]
        subprocess.run(command, check=True, capture_output=True)  # git, with words of ours
    return folder


def found(org: Org, who: str) -> list[str]:
    return sorted(
        hit.item or "" for hit in org.reader(who).search("canteen closes") if ".md" in (hit.item or "")
    )


@pytest.mark.parametrize("kind", ["folder", "git"])
def test_a_connected_one_is_for_none_whom_its_header_leaves_out(org: Org, folder: Path, kind: str) -> None:
    org.connect(kind, "handbook", {"path": str(committed(folder))}, audience=[["*"]])

    org.pull("handbook")

    assert {who: found(org, who) for who in READERS} == {
        "user:ann": ["lunch.md", "merger.md"],
        "user:bo": ["lunch.md"],
    }


def test_one_handed_in_is_for_none_whom_its_header_leaves_out(org: Org, folder: Path) -> None:
    org.add(committed(folder), source="handbook", kind="git", audience=["*"])

    assert {who: found(org, who) for who in READERS} == {
        "user:ann": ["lunch.md", "merger.md"],
        "user:bo": ["lunch.md"],
    }


@pytest.mark.parametrize("kind", ["folder", "git"])
def test_a_header_lets_nobody_in_where_none_were_chosen(org: Org, folder: Path, kind: str) -> None:
    org.connect(kind, "handbook", {"path": str(committed(folder))})

    org.pull("handbook")

    assert [found(org, who) for who in READERS] == [[], []]
