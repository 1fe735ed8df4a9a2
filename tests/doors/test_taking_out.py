"""The commands that take something out: what they ask, what they say, and how they end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import muniment
from muniment.app import Org
from muniment.settings import Settings
from tests.doors.said import Cli
from tests.worlds import at, person, said

NUMBERS = count()


@pytest.fixture(scope="module")
def small(places: dict[str, str]) -> Iterator[Org]:
    """A record that stays open, so that each command finds its server running."""
    folder = Path(places["MUNIMENT_STATE_DIR"]).parent / "small"
    with muniment.open(folder, settings=Settings.read(places)) as opened:
        yield opened


@pytest.fixture
def org(places: dict[str, str], muniment_: Cli, small: Org) -> Cli:
    """The command line over a record of a few items, two of which are this test's own."""
    number = next(NUMBERS)
    small.ingest(
        [
            person("user:zed", name="Zedekiah Quux"),
            said(f"a{number}", "The zorblat budget is 500 euros.", author="user:zed"),
            said(f"b{number}", "The lift is stuck.", 1),
            {"op": "audience", "source": "chat", "container": "hall", "at": at(0), "audience": [["*"]]},
        ]
    )
    folder = Path(places["MUNIMENT_STATE_DIR"]).parent / "small"
    return lambda *arguments: muniment_("--org", str(folder), *arguments)


def first(org: Cli, words: str) -> str:
    hit = org("search", words, "--json").lines[0]
    return f"{hit['source']}:{hit['item']}"


def test_an_item_is_erased_when_one_says_yes(org: Cli) -> None:
    target = first(org, "zorblat")

    dry = org("erase", target, "--dry-run", "--json").json
    done = org("erase", target, "--yes", "--json").json
    again = org("erase", target, "--yes")

    assert (dry["dry_run"], dry["items"], dry["files"]) == (True, 1, "not scrubbed")
    assert (done["dry_run"], done["items"], done["events"]) == (False, 1, 1)
    assert "log begun anew" in done["files"]
    assert again.code == 0
    assert target not in {
        f"{hit['source']}:{hit['item']}" for hit in org("search", "zorblat", "--json").lines
    }


def test_a_script_is_taken_at_its_word(org: Cli) -> None:
    target = first(org, "zorblat")

    erased = org("erase", target)
    reverted = org("revert", "--source", "chat", "--since", "2026-01-01")
    gone = org("search", "lift", "--json").out
    brought_back = org("revert", "--source", "chat", "--undo")

    assert (erased.code, reverted.code, brought_back.code) == (0, 0, 0)
    assert gone == ""
    assert target not in org("search", "zorblat", "--json").out
    assert org("search", "lift", "--json").out


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("erase",), 2),
        (("erase", "chat:m1", "--subject", "x"), 2),
        (("erase", "m1", "--yes"), 2),
        (("erase", "--subject", "a", "--yes"), 2),
        (("erase", "--replay", "nowhere.jsonl", "--yes"), 2),
        (("erase", "chat:nothing", "--yes"), 3),
        (("erase", "user:nobody-here", "--yes"), 3),
        (("hold", "add", "chat:hall"), 2),
        (("hold", "add"), 2),
        (("hold", "keep", "chat:hall"), 2),
        (("hold", "add", "chat:nothing", "--reason", "x"), 3),
        (("revert", "--source", "chat"), 2),
        (("revert", "--source", "chat", "--since", "tomorrow"), 2),
        (("revert", "--source", "nowhere", "--since", "2026-01-01", "--yes"), 3),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else str(part),
)
def test_what_cannot_be_done_is_one_line(org: Cli, command: tuple[str, ...], code: int) -> None:
    done = org(*command)

    assert (done.code, done.out) == (code, "")
    assert done.error.startswith("muniment: ")


def test_a_hold_is_set_seen_in_the_way_and_released(org: Cli) -> None:
    target = first(org, "lift")

    assert org("hold", "add", target, "--reason", "case 12/26").out == f"{target} is held\n"
    held = org("erase", target, "--yes")
    listed = org("hold", "--json").lines[-1]
    released = org("hold", "remove", target)

    assert (held.code, held.out) == (1, "")
    assert "legal hold" in held.error
    assert (listed["target"], listed["reason"], listed["released_at"]) == (
        f"item:{target}",
        "case 12/26",
        None,
    )
    assert released.out == f"{target} is no longer held\n"
    assert org("erase", target, "--dry-run").code == 0


def test_a_source_is_reverted_and_brought_back(org: Cli) -> None:
    when = ("--source", "chat", "--since", "2026-01-01", "--json")

    dry = org("revert", *when, "--dry-run").json
    done = org("revert", *when, "--yes").json
    gone = org("search", "lift", "--json").out
    org("revert", "--source", "chat", "--undo", "--yes")

    assert dry["events"] == done["events"] > 0
    assert gone == ""
    assert org("search", "lift", "--json").out


def test_a_list_of_erasures_is_said_again(org: Cli, tmp_path: Path) -> None:
    org("erase", "--subject", "quagga", "--yes")
    listed = org("erase", "--list")
    file = tmp_path / "erasures.jsonl"
    file.write_text(listed.out)

    again = org("erase", "--replay", str(file), "--yes", "--json").json

    assert "quagga" not in listed.out
    assert {json.loads(line)["kind"] for line in listed.out.splitlines()} >= {"key", "words"}
    assert again["items"] == 0
    file.write_text("quagga\n")
    refused = org("erase", "--replay", str(file), "--yes")
    assert (refused.code, "quagga" in refused.err) == (1, False)


LOOKS = (
    *(
        ("ask", "What is the budget?"),
        ("context", "Prepare the budget"),
        ("search", "budget", "--unit", "claim"),
    ),
    *(("search", "budget"), ("pages",), ("page", "budget"), ("timeline", "budget"), ("conflicts",)),
    *(("members",), ("status",), ("quarantine",), ("hold",), ("erase", "--list"), ("doctor",)),
)


def test_no_command_has_a_word_of_what_was_erased(org: Cli) -> None:
    assert any("zorblat" in org(*command).out for command in LOOKS)
    for _ in range(3):
        for hit in org("search", "zorblat", "--json").lines:
            org("erase", f"{hit['source']}:{hit['item']}", "--yes")
    org("erase", "user:zed", "--yes")

    for shape in ((), ("--json",), ("--known-at", "2030-01-01")):
        said = [org(*command, *shape) for command in LOOKS]
        assert not [one for one in said if "zorblat" in (one.out + one.err).casefold()]
        assert not [one for one in said if "zedekiah" in (one.out + one.err).casefold()]


def test_files_can_be_scrubbed_by_themselves(org: Cli) -> None:
    assert "written anew" in org("erase", "--scrub").out
