"""`locate` and `expand` as a person and a script meet them."""

from __future__ import annotations

import pytest

from tests.doors.said import Cli

NODE = set("id kind title text edges neighbours paths truncated".split())
THEN = ("--as", "user:mara", "--as-of", "2026-11-30T09:00:00Z", "--known-at", "2030-01-01T00:00:00Z")


def test_locating_lists_nodes_and_how_to_go_on(cli: Cli) -> None:
    found = cli("locate", "travel policy", *THEN, "--json")
    read = cli("locate", "travel policy", "--limit", "3", *THEN)

    assert {frozenset(node) for node in found.lines} == {frozenset(NODE)}
    assert read.code == 0
    assert f"expand {found.lines[0]['id']}" in read.out
    assert "more matched" in read.out


def test_what_nobody_wrote_is_an_empty_list(cli: Cli) -> None:
    found, told = cli("locate", "zephyrine", *THEN, "--json"), cli("locate", "zephyrine", *THEN)

    assert (found.code, found.out) == (0, "")
    assert told.error == "nothing that you may read is called so, or says so"


def test_expanding_draws_a_tree_of_what_was_reached(cli: Cli) -> None:
    editions = cli("locate", "travel policy 2025", *THEN, "--json").lines
    old = next(one for one in editions if "travel-policy-2025" in one["text"])

    read = cli("expand", old["id"], "--edge", "superseded_by", "--edge", "amended_by", "--hops", "2", *THEN)
    found = cli("expand", old["id"], "--edge", "superseded_by", *THEN, "--json").json

    assert read.code == 0
    assert "└─ superseded_by Travel policy\n" in read.out
    assert "   └─ amended_by Travel policy 2026, amendment 1: rail\n" in read.out
    assert set(found) == NODE
    assert set(found["neighbours"][0]) == {"edge", "node", "title"}
    assert found["paths"][0][:2] == [old["id"], "superseded_by"]


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        (("expand", "policies:none"), 3, "no node 'policies:none' for this reader"),
        (("locate", "hotel", "--within", "nobody"), 3, "no node 'nobody' for this reader"),
        (("expand", "acme", "--edge", "likes"), 2, "edge 'likes' is unknown: use superseded_by"),
        (("expand", "acme", "--hops", "11"), 2, "hops 11 is out of range: give 1 to 10"),
        (("locate", "hotel", "--limit", "0"), 2, "limit 0 is out of range: give 1 to 200"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_a_code(
    cli: Cli, command: tuple[str, ...], code: int, words: str
) -> None:
    done = cli(*command, *THEN)

    assert done.code == code
    assert words in done.error
    assert done.out == ""
