"""Questions of one's own, measured over one's own record: what is found, what is missed, and for whom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.doors.said import Cli

THEN = ("--as-of", "2026-11-30T09:00:00Z", "--known-at", "2030-01-01T00:00:00Z")
MARA = ("--as", "user:mara", *THEN)
HOTEL = "What is the hotel limit per night?"
DISCOUNT = "What discount do we offer Orrin & Vale?"


def asked(folder: Path, *lines: dict[str, object] | str) -> str:
    file = folder / "questions.jsonl"
    said = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    file.write_text("\n".join(said), encoding="utf-8")
    return str(file)


def first_hit(cli: Cli, question: str) -> str:
    found = cli("search", question, *MARA, "--json").lines[0]
    return f"{found['source']}:{found['item']}"


def measured(figures: list[dict[str, object]]) -> dict[object, object]:
    return {one["measure"]: one["value"] for one in figures}


def test_evidence_that_comes_first_is_found_at_every_depth(cli: Cli, tmp_path: Path) -> None:
    file = asked(tmp_path, {"question": HOTEL, "gold": [first_hit(cli, HOTEL)]})

    found = cli("eval", file, *MARA, "--json").json

    assert measured(found["figures"]) == {"recall@1": 1, "recall@5": 1, "recall@10": 1, "hit@10": 1}
    assert found["missed"] == []


def test_what_is_not_found_is_named_with_its_line_and_what_came_instead(cli: Cli, tmp_path: Path) -> None:
    first = first_hit(cli, HOTEL)
    file = asked(tmp_path, {"question": HOTEL, "gold": [first, "policies:nowhere.md"]})

    found = cli("eval", file, *MARA, "--json").json

    assert measured(found["figures"])["recall@10"] == 0.5
    (miss,) = found["missed"]
    assert (miss["line"], miss["missing"], miss["found"][0]) == (1, ["policies:nowhere.md"], first)


def test_a_question_without_evidence_counts_in_no_figure(cli: Cli, tmp_path: Path) -> None:
    gold = first_hit(cli, HOTEL)
    file = asked(tmp_path, {"question": HOTEL, "gold": [gold]}, {"question": "Who won?", "gold": []})

    found = cli("eval", file, *MARA, "--json").json

    assert (found["questions"], found["with_evidence"]) == (2, 1)
    assert {one["n"] for one in found["figures"]} == {1}


def test_kinds_are_measured_apart(cli: Cli, tmp_path: Path) -> None:
    gold = first_hit(cli, HOTEL)
    file = asked(
        tmp_path,
        {"question": HOTEL, "gold": [gold], "kind": "travel"},
        {"question": HOTEL, "gold": ["policies:nowhere.md"], "kind": "lost"},
    )

    found = cli("eval", file, *MARA, "--json").json["kinds"]

    assert {kind: measured(ones)["hit@10"] for kind, ones in found.items()} == {"lost": 0, "travel": 1}


def test_packs_are_measured_where_a_budget_is_given(cli: Cli, tmp_path: Path) -> None:
    file = asked(tmp_path, {"question": HOTEL, "gold": [first_hit(cli, HOTEL)]})

    found = cli("eval", file, *MARA, "--budget", "500", "--json").json

    assert measured(found["figures"])["recall in pack"] == 1
    assert 0 < found["tokens"] <= 500


def test_a_recall_below_what_is_asked_for_fails(cli: Cli, tmp_path: Path) -> None:
    file = asked(tmp_path, {"question": HOTEL, "gold": ["policies:nowhere.md"]})

    said = cli("eval", file, *MARA, "--at-least", "0.5")

    assert said.code == 1
    assert "recall@10 0.000 is below 0.500" in said.err
    assert f"line 1: {HOTEL}" in said.out


@pytest.mark.parametrize("shape", [(), ("--json",)], ids=["text", "json"])
def test_evidence_that_is_not_for_a_stranger_is_evidence_that_was_never_there(
    cli: Cli, tmp_path: Path, shape: tuple[str, ...]
) -> None:
    def said(gold: str, *who: str) -> str:
        file = asked(tmp_path, {"question": DISCOUNT, "gold": [gold]})
        told = cli("eval", file, "--budget", "800", *who, *shape)
        assert told.code == 0
        return _without_time(told.out.replace(gold, "GOLD"))

    secret = first_hit(cli, DISCOUNT)

    for stranger in ("user:noor", "user:felix", "user:never-seen"):
        who = ("--as", stranger, *THEN)
        assert said(secret, *who) == said("crm:never-there", *who)


def _without_time(out: str) -> str:
    if out.startswith("{"):
        return json.dumps({key: value for key, value in json.loads(out).items() if key != "ms"})
    return out.partition("\n")[2]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("not json", "line 2 is no JSON"),
        ('{"question": "Who?"}', "line 2 is no question"),
        ('{"question": " ", "gold": []}', "line 2 is no question"),
        ('{"question": "Who?", "gold": ["alone"]}', "line 2: gold is a list of items as source:item"),
    ],
)
def test_a_line_that_is_no_question_is_named(cli: Cli, tmp_path: Path, line: str, why: str) -> None:
    file = asked(tmp_path, {"question": HOTEL, "gold": []}, line)

    said = cli("eval", file, *MARA)

    assert said.code == 2
    assert why in said.error


def test_a_file_that_is_not_there_or_asks_nothing_is_wrong_usage(cli: Cli, tmp_path: Path) -> None:
    absent = cli("eval", str(tmp_path / "absent.jsonl"), *MARA)
    empty = cli("eval", asked(tmp_path, ""), *MARA)

    assert (absent.code, empty.code) == (2, 2)
    assert "does not exist" in absent.error
    assert "there is no question" in empty.error


def test_half_a_character_in_a_question_is_searched_for_as_a_mark(cli: Cli, tmp_path: Path) -> None:
    file = asked(tmp_path, '{"question": "hotel \\ud83d limit \\u0000", "gold": []}')

    assert cli("eval", file, *MARA).code == 0
