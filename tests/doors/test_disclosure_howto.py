"""The how-to on disclosure does what it says, word for word."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import muniment
from muniment.settings import Settings
from tests.doors.said import Cli

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "disclosure.md"
_FILE = re.compile(r"^`(?P<name>[\w.]+)`:\n\n```\w+\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_CONSOLE = re.compile(r"^```console\n(?P<lines>.*?)^```$", re.DOTALL | re.MULTILINE)


def shown() -> Iterator[tuple[list[str], list[str]]]:
    """Each command of the page, with the lines under it."""
    for block in _CONSOLE.finditer(PAGE.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block["lines"], flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield shlex.split(command), lines


def test_the_page_is_true(muniment_: Cli, monkeypatch: pytest.MonkeyPatch, places: dict[str, str]) -> None:
    base = Path(places["MUNIMENT_STATE_DIR"]).parent / "howto"
    base.mkdir(mode=0o711)
    monkeypatch.chdir(base)
    for file in _FILE.finditer(PAGE.read_text(encoding="utf-8")):
        (base / file["name"]).write_text(file["text"], encoding="utf-8")
    ran = 0
    with ExitStack() as stack:
        for command, lines in shown():
            if command[0] == "cd":
                monkeypatch.chdir(command[1])
                # It stays open, so that each command after the first finds its server running.
                stack.enter_context(muniment.open(Path.cwd(), settings=Settings.read(places)))
                continue
            done = muniment_(*command[1:])
            ran += 1

            assert done.code == 0, (command, done.err)
            assert [line for line in lines if line not in done.out.splitlines()] == [], (command, done.out)
        assert ran == 6
        no_door_gives_a_byte_of_the_value(muniment_)


def no_door_gives_a_byte_of_the_value(muniment_: Cli) -> None:
    for command in (
        ("ask", "What is Acme's revenue for Q2 2026?"),
        ("context", "Prepare the review of Acme"),
        ("search", "acme revenue"),
        ("search", "acme revenue", "--unit", "claim"),
        ("page", "acme"),
        ("timeline", "acme"),
        ("conflicts",),
    ):
        for shape in ((), ("--json",)):
            done = muniment_(*command, "--as", "user:sal", *shape)

            assert done.code == 0
            for exact in (
                "1734967",
                "1,734,967",
                "1,211,311",
                "1211311",
                "user:fin",
                "ledger",
                "-08",
                "-09T",
            ):
                assert exact not in re.sub(
                    r"[0-9a-f]{32}|as.of\S* \S+|\"(?:as_of|known_at)\": \"[^\"]*\"", "", done.out
                )
    assert muniment_("disclosure").out.count("group:sales") >= 2
    assert muniment_("disclosure", "set", "../ledger.jsonl").code == 1
    assert muniment_("disclosure", "check", "../nowhere.yaml").code == 2
    assert "line " in muniment_("disclosure", "check", "../ledger.jsonl").err
    assert muniment_("disclosure", "--as", "user:sal").code == 3
