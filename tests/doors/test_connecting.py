"""connect, pull and status as a person meets them on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.settings import Settings
from tests.doors.said import Cli
from tests.sources.feeds import TOKEN, Feed, served
from tests.worlds import at


@pytest.fixture(scope="module")
def ships(places: dict[str, str]) -> Iterator[Path]:
    folder = Path(places["MUNIMENT_STATE_DIR"]).parent / "ships"
    with muniment.open(folder, settings=Settings.read(places)):
        yield folder


@pytest.fixture
def cli(muniment_: Cli, ships: Path) -> Cli:
    return lambda *arguments: muniment_("--org", str(ships), *arguments)


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Feed]:
    monkeypatch.setenv("FEED_TOKEN", TOKEN)
    with served() as feed:
        plain = {"op": "upsert", "kind": "message", "at": at(0)}
        feed.say(
            {**plain, "id": "m1", "version": "1", "body": "Berth 1 is free.", "audience": [["*"]]},
            {**plain, "id": "m2", "version": "1", "body": "Berth 2 is free.", "container": "quay"},
            {**plain, "id": "m3", "version": "1", "body": "Berth 3 is free."},
        )
        yield feed


def settings(feed: Feed) -> tuple[str, ...]:
    return "--set", f"url={feed.url}", "--set", "token=env:FEED_TOKEN", "--set", f"ids={feed.url}/ids"


def test_the_kinds_of_live_sources_say_what_they_ask_to_be_told(cli: Cli) -> None:
    told, listed = cli("connect"), cli("connect", "--json").lines

    assert "jsonl" in told.out
    assert "--set url=" in told.out
    by_name = {one["kind"]: one for one in listed}
    assert [one["name"] for one in by_name["events"]["settings"] if one["secret"]] == ["secret"]


def test_a_dry_run_says_what_would_be_read_and_for_whom_and_writes_nothing(cli: Cli, feed: Feed) -> None:
    said = cli("connect", "jsonl", "--source", "dry", *settings(feed), "--dry-run")
    plan = cli("connect", "jsonl", "--source", "dry", *settings(feed), "--dry-run", "--json").json

    assert said.code == 0
    assert "cannot know what was removed" in said.out
    assert plan["sample"] == {"message": 3}
    assert plan["audiences"] == {"*": 1, "whoever is in quay": 1, "user:root": 1}
    assert "dry" not in cli("status").out
    assert TOKEN not in said.out + json.dumps(plan)


def test_a_dry_run_with_a_wrong_credential_fails_and_says_why(
    cli: Cli, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEED_TOKEN", "wrong")

    said = cli("connect", "jsonl", "--source", "dry", *settings(feed), "--dry-run")

    assert said.code == 1
    assert "does not let us in: status 401" in said.out


def test_connected_pulled_paused_resumed_and_removed(cli: Cli, feed: Feed) -> None:
    assert cli("connect", "jsonl", "--source", "quay", *settings(feed), "--audience", "*").code == 0

    first = cli("pull", "quay")
    second = cli("pull", "--sweep", "--json").lines
    status = {one["source"]: one for one in cli("status", "--json").json["sources"]}["quay"]

    assert (first.code, "3 accepted" in first.out) == (0, True)
    assert [(one["state"], one["accepted"], one["swept"]) for one in second] == [("current", 0, True)]
    assert (status["state"], status["connected"], status["seen"]) == ("current", "jsonl", 3)
    assert cli("ask", "Which berth is free?").code == 0

    cli("connect", "--pause", "quay")
    assert "paused" in cli("pull", "quay").out
    cli("connect", "--resume", "quay")
    assert "current" in cli("pull", "quay").out
    assert cli("connect", "--remove", "quay").code == 0
    assert cli("pull", "quay").code == 3


def test_a_source_that_cannot_be_read_ends_the_command_with_failure(cli: Cli, feed: Feed) -> None:
    cli("connect", "jsonl", "--source", "away", *settings(feed))
    feed.faults = [(500, {})]

    said = cli("pull", "away")
    cli("connect", "--remove", "away")

    assert said.code == 1
    assert re.search(r"away: behind.*\n.*status 500; tried again at \d{4}", said.out)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("connect", "jsonl"), "setting 'url' is missing"),
        (("connect", "nothing"), "connector 'nothing' is unknown: use"),
        (("connect", "jsonl", "--set", "url"), "--set is said as NAME=VALUE"),
        (("connect", "jsonl", "--set", "url=a.example"), "is no address"),
        (("connect", "events", "--set", "secret=hunter2"), "say env:NAME or file:PATH"),
        (("connect", "jsonl", "--pause", "x"), "one thing at a time"),
        (("connect", "jsonl", "--set", "url=https://a.example", "--every", "often"), "--every: 'often'"),
        (
            ("authorise", "x.json", "--at", "https://a.example", "--client", "us", "--secret", "hunter2"),
            "env:NAME",
        ),
    ],
)
def test_what_is_put_wrongly_is_said_in_one_line(cli: Cli, arguments: tuple[str, ...], says: str) -> None:
    said = cli(*arguments)

    assert said.code == 2
    assert says in said.error
    assert "hunter2" not in said.error


@pytest.mark.parametrize("act", ["--pause", "--resume", "--remove"])
def test_a_source_that_is_not_connected_is_not_found(cli: Cli, act: str) -> None:
    assert cli("connect", act, "nowhere").code == 3
