"""Memories looked after on the command line: shown, done as shown, undone."""

from __future__ import annotations

from pathlib import Path

from tests.doors.said import Cli


def test_memories_are_retired_by_a_policy_and_restored(cli: Cli, tmp_path: Path) -> None:
    (policy := tmp_path / "forget.yaml").write_text("forget:\n  never-hit: 1d\n")
    listed = cli("upkeep", "--json").lines
    shown = cli("upkeep", "retire", "--policy", str(policy), "--json").json

    told = cli("upkeep", "retire", "--policy", str(policy))
    done = cli("upkeep", "retire", "--policy", str(policy), "--seen", shown["seen"], "--json").json
    late = cli("upkeep", "retire", "--policy", str(policy), "--seen", shown["seen"])
    back = cli("upkeep", "restore", done["batch"])

    assert shown["memories"]
    assert f"--seen {shown['seen']}" in told.out
    assert done["batch"].startswith("u_")
    assert late.code == 2
    assert (back.code, back.out.splitlines()[-1]) == (0, f"restored {len(shown['memories'])} memories")
    assert cli("upkeep", "--json").lines == listed


def test_what_cannot_be_done_to_memories_is_said(cli: Cli) -> None:
    for wrong in (("retire",), ("retire", "x", "--finding", "stale"), ("eat",), ("restore",), ("merge", "x"),
                  ("retire", "--finding", "rumour"), ("retire", "--finding", "stale", "--older", "soon"),
                  ("retire", "--policy", "no-such-file")):  # fmt: skip
        assert cli("upkeep", *wrong).code == 2, wrong
    assert cli("upkeep", "retire", "h_0").code == 3
