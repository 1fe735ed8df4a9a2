"""The command line answers the same bytes whether or not there is more in the record than one may read.

A sample of `tests/properties/test_two_worlds.py`, as text and as JSON, exit codes and errors included.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.doors.said import Cli, Said
from tests.exported import files
from tests.properties.test_two_worlds import worlds
from tests.worlds import KEY, open_org

PAIRS = 2  # `make prove` runs 40; this many keep CI within its time
THEN = ("--as", "user:ann", "--as-of", "2026-11-30T09:00:00Z", "--known-at", "2030-01-01T00:00:00Z")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("ask", "What is the renewal date of Acme?"),
    ("ask", "Who owns Umbrella?", "--entity", "umbrella"),
    ("ask", "What did the board decide about Initech?"),
    ("context", "Prepare the call with Globex", "--budget", "300"),
    ("search", "rate limit", "--limit", "20"),
    ("search", "discount", "--unit", "claim"),
    ("pages",),
    ("page", "acme"),
    ("page", "acct-1"),
    ("page", "acme", "--since", "2026-06-02"),
    ("search", "renewal date", "--unit", "page"),
    ("timeline", "globex"),
    ("conflicts",),
    ("locate", "pricing policy"),
    ("locate", "discount", "--within", "globex", "--limit", "3"),
    ("expand", "chat:m0", "--hops", "3"),
    ("expand", "globex"),
    ("expand", "chat:h0"),
    ("page", "user:bo"),
    ("page", "bo chan"),
    ("page", "zeta holding"),
    ("search", "date", "--entity", "acme"),
    ("explain", "c_" + "0" * 32),
    ("history", "f" * 32),
)
# A trace's id is made of the question and the clock, and names nothing of the record.
_TRACE = re.compile(r'"trace": ?"[0-9a-f]{32}"')


def bare(said: Said) -> Said:
    return Said(said.code, _TRACE.sub('"trace"', said.out), said.err)


def test_no_exported_file_tells_that_there_is_more(
    muniment_: Cli, monkeypatch: pytest.MonkeyPatch, url: str, tenant: str, seed: int, tmp_path: Path
) -> None:
    monkeypatch.setenv("MUNIMENT_KEY", KEY.decode())
    trees = []
    for world, events in enumerate(worlds(seed)):
        name, folder = f"{tenant}-{world}", tmp_path / str(world)
        with open_org(url, name) as org:
            org.ingest(events)
        done = muniment_("--org", url, "--tenant", name, "export", str(folder), *THEN, "--json")
        trees.append((done.out.replace(str(folder), ""), done.err, files(folder)))

    assert trees[0] == trees[1], f"MUNIMENT_SEED={seed}"
    assert len(trees[0][2]) > 4


@pytest.mark.parametrize("shape", [(), ("--json",)], ids=["text", "json"])
def test_no_command_tells_that_there_is_more(
    muniment_: Cli,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    tenant: str,
    seed: int,
    shape: tuple[str, ...],
    *,
    prove: bool,
) -> None:
    monkeypatch.setenv("MUNIMENT_KEY", KEY.decode())
    for number in range(40 if prove else PAIRS):
        both = []
        for world, events in enumerate(worlds(seed + number)):
            name = f"{tenant}-{number}-{world}"
            with open_org(url, name) as org:
                org.ingest(events)
            both.append(
                [
                    bare(muniment_("--org", url, "--tenant", name, *command, *THEN, *shape))
                    for command in COMMANDS
                ]
            )

        for command, one, other in zip(COMMANDS, *both, strict=True):
            assert one == other, f"MUNIMENT_SEED={seed + number} {' '.join(command)}"
        assert {one.code for one in both[0]} >= {0, 3}
