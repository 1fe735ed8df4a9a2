"""To a stranger, every reading command says of what is there what it says of what is not, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import muniment
from muniment.domain.investigating import Start
from muniment.settings import Settings
from muniment.surfaces.cli.program import PROGRAM
from tests.doors.said import Cli, Said

# Commands that show content, or who may read it. A new one goes on one of these lists, or the build fails.
READS = set(
    "ask context search task pages page timeline locate expand explain history conflicts remember report "
    "handoff commitments landmines checkpoint resume incident topology unused duplicates recurring "
    "export eval".split()
)
FOR_STEWARDS = set(
    "review upkeep stale members grant revoke who-can disclosure sources widened quarantine status rebuild "
    "erase hold revert audit import entities aliases distil models connect pull backup".split()
)
SHOW_NO_CONTENT = set("init add sync authorise doctor worker serve demo token mcp restore completion".split())

SECRET, NOWHERE = "Orrin & Vale", "Zephyrine Mutual"  # sales know the one; nobody ever wrote the other
STRANGERS = ("user:diego", "user:noor", "user:karl", "user:felix", "user:never-seen")
THEN = ("--as-of", "2026-11-30T09:00:00Z", "--known-at", "2030-01-01T00:00:00Z")
SHAPES = ((), ("--json",))
NO_ENGINEERS = tuple(one for one in STRANGERS if one != "user:diego")


def test_every_command_is_on_a_list() -> None:
    assert set(PROGRAM.commands) == READS | FOR_STEWARDS | SHOW_NO_CONTENT


def told_apart(secret: Said, nowhere: Said, *names: str) -> tuple[Said, Said]:
    """Both without what was asked for, which the asker knows, and the trace, which is the question's own."""
    return _bare(secret, names), _bare(nowhere, names)


def _bare(said: Said, names: tuple[str, ...]) -> Said:
    out, err = said.out, said.err
    for name in names:
        out, err = out.replace(name, "X"), err.replace(name, "X")
    lines = [_without_trace(line) for line in out.splitlines()]
    return Said(said.code, "\n".join(lines), err)


def _without_trace(line: str) -> str:
    if not line.startswith("{"):
        return line
    return json.dumps({key: value for key, value in json.loads(line).items() if key != "trace"})


@pytest.mark.parametrize("shape", SHAPES, ids=["text", "json"])
@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize(
    "command",
    [
        ("ask", "What discount do we offer {}?"),
        ("ask", "What discount do we offer?", "--entity", "{}"),
        ("context", "Prepare a call with {}"),
        ("context", "Prepare a call", "--entity", "{}"),
        ("search", "{}"),
        ("search", "{}", "--unit", "passage"),
        ("search", "{}", "--unit", "claim"),
        ("search", "{}", "--unit", "page"),
        ("search", "discount", "--entity", "{}"),
        ("page", "{}"),
        ("page", "{}", "--since", "2026-06-02"),
        ("timeline", "{}"),
        ("topology", "{}"),
        ("topology", "{}", "ledger-db"),
        ("locate", "{}"),
        ("locate", "discount", "--within", "{}"),
        ("expand", "{}"),
        ("expand", "{}", "--edge", "about_of", "--hops", "2"),
        ("handoff", "{}"),
        ("handoff", "{}", "--ics"),
        ("handoff", "{}", "--sign"),
        ("commitments", "{}"),
        ("landmines", "{}"),
        ("resume", "{}"),
    ],
    ids=" ".join,
)
def test_a_name_that_is_not_for_a_stranger_is_one_that_nobody_wrote(
    cli: Cli, command: tuple[str, ...], stranger: str, shape: tuple[str, ...]
) -> None:
    def said(name: str) -> Said:
        return cli(*(part.format(name) for part in command), "--as", stranger, *THEN, *shape)

    secret, nowhere = told_apart(said(SECRET), said(NOWHERE), SECRET, NOWHERE)

    assert secret == nowhere


@pytest.mark.parametrize("stranger", STRANGERS)
def test_an_id_that_is_not_for_a_stranger_is_one_that_was_never_given(cli: Cli, stranger: str) -> None:
    known = cli("ask", f"What discount do we offer {SECRET}?", "--as", "user:mara", *THEN, "--json").json
    (citation, *_) = known["citations"]
    head, _, rest = citation["id"].partition("_")
    made_up = f"{head}_{'0' * 32}{rest[32:]}"

    secret = cli("explain", citation["id"], "--as", stranger, *THEN)
    nowhere = cli("explain", made_up, "--as", stranger, *THEN)

    assert secret.code == 3
    assert told_apart(secret, nowhere, citation["id"], made_up)[0] == _bare(nowhere, (made_up,))


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("command", [("report", "{}", "wrong"), ("remember", "So", "--evidence", "{}")])
def test_what_is_not_for_a_stranger_can_be_neither_reported_nor_given_as_evidence(
    cli: Cli, stranger: str, command: tuple[str, ...]
) -> None:
    known = cli("ask", f"What discount do we offer {SECRET}?", "--as", "user:mara", *THEN, "--json").json
    (citation, *_) = known["citations"]
    head, _, rest = citation["id"].partition("_")
    made_up = f"{head}_{'0' * 32}{rest[32:]}"

    secret = cli(*(part.format(citation["id"]) for part in command), "--as", stranger)
    nowhere = cli(*(part.format(made_up) for part in command), "--as", stranger)

    assert secret.code == 3
    assert _bare(secret, (citation["id"],)) == _bare(nowhere, (made_up,))


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_claim_that_is_not_for_a_stranger_has_no_history(cli: Cli, stranger: str) -> None:
    found = cli(
        "search", "discount Alsterkontor", "--unit", "claim", "--as", "user:mara", *THEN, "--json"
    ).lines
    claims = [hit["citation"]["claim"] for hit in found if hit["source"] == "slack"]
    assert claims
    stranger_reads = {"user:diego"} & {stranger}  # Diego is in that channel: his are claims of nobody's
    claim = "f" * 32 if stranger_reads else claims[0]

    secret = cli("history", claim, "--as", stranger, *THEN)
    nowhere = cli("history", "0" * 32, "--as", stranger, *THEN)

    assert _bare(secret, (claim,)) == _bare(nowhere, ("0" * 32,))


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_node_that_is_not_for_a_stranger_is_one_that_was_never_there(cli: Cli, stranger: str) -> None:
    found = cli("locate", SECRET, "--as", "user:mara", *THEN, "--json").lines
    assert {node["kind"] for node in found} >= {"entity", "item", "passage"}
    kept = [node["id"] for node in found if "slack" not in node["title"] or stranger != "user:diego"]

    for node in kept:
        made_up = f"{node.partition('_')[0]}_{'0' * 32}"
        secret = cli("expand", node, "--as", stranger, *THEN)
        nowhere = cli("expand", made_up, "--as", stranger, *THEN)

        assert secret.code == 3
        assert _bare(secret, (node,)) == _bare(nowhere, (made_up,))


INCIDENT_VERBS = [
    ("show", "{}"),
    ("resume", "{}"),
    ("briefing", "{}"),
    ("observe", "{}", "the queue grows"),
    ("look", "{}", "loki", "up", "--url", "http://127.0.0.1:9/"),
    ("look", "{}", "log", "x", "--file", "pyproject.toml"),
    ("gather", "{}", "ledger"),
    ("hypothesis", "{}", "the queue is stuck"),
    ("checkpoint", "{}", "find out"),
    ("verdict", "{}", "h_00000000000000000000000000000000", "ignored"),
    ("close", "{}", "it went away"),
    ("propose", "{}", "restart it", "--reason", "it comes back often"),
]


@pytest.fixture(scope="session")
def incident(acme: Path, places: dict[str, str]) -> str:
    """An incident that only its opener may read."""
    with muniment.open(acme, settings=Settings.read(places)) as org:
        return org.reader("user:oskar").incidents.open(Start(title="A private matter")).incident


@pytest.mark.parametrize("shape", SHAPES, ids=["text", "json"])
@pytest.mark.parametrize("verb", INCIDENT_VERBS, ids=lambda verb: verb[0])
def test_an_incident_that_is_not_for_a_stranger_is_one_that_was_never_opened(
    cli: Cli, incident: str, verb: tuple[str, ...], shape: tuple[str, ...]
) -> None:
    for stranger in ("user:diego", "user:never-seen"):
        made_up = "inc-0000000000000000"
        secret = cli("incident", *(part.format(incident) for part in verb), "--as", stranger, *shape)
        nowhere = cli("incident", *(part.format(made_up) for part in verb), "--as", stranger, *shape)

        assert secret.code == 3
        assert _bare(secret, (incident,)) == _bare(nowhere, (made_up,))


@pytest.mark.parametrize("stranger", NO_ENGINEERS)
def test_a_stranger_opens_nothing_from_an_alert_that_is_not_for_them(cli: Cli, stranger: str) -> None:
    real, none = "alerts:a-3101", "alerts:a-0000"
    secret = cli("incident", "open", "--alert", real, "--as", stranger)
    nowhere = cli("incident", "open", "--alert", none, "--as", stranger)

    assert secret.code == 3
    assert _bare(secret, (real,)) == _bare(nowhere, (none,))


@pytest.mark.parametrize("command", ["pages", "conflicts", "incident", "unused", "duplicates", "recurring"])
@pytest.mark.parametrize("stranger", ["user:felix", "user:never-seen"])
def test_someone_without_any_rights_lists_nothing(cli: Cli, command: str, stranger: str) -> None:
    done = cli(command, "--as", stranger, *THEN, "--json")

    assert done.code == 0
    assert done.out == ""


@pytest.mark.parametrize("stranger", ["user:felix", "user:never-seen"])
def test_someone_without_any_rights_exports_an_empty_wiki(cli: Cli, stranger: str, tmp_path: Path) -> None:
    done = cli("export", str(tmp_path), "--as", stranger, *THEN, "--json")

    assert (done.json["pages"], done.json["claims"]) == (0, 0)
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {".muniment-export.json", "AGENTS.md", "claims.jsonl", "index.md"}
    assert (tmp_path / "claims.jsonl").read_bytes() == b""


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize(
    "command",
    [
        ("who-can", "{}"),
        ("grant", "user:bo", "read", "{}"),
        ("revoke", "user:bo", "read", "{}"),
    ],
    ids=lambda command: command[0],
)
def test_a_container_is_not_told_to_anybody_but_stewards(
    cli: Cli, command: tuple[str, ...], stranger: str
) -> None:
    real, none = "slack:C08BRIDGE", "slack:C99NOWHERE"

    secret = cli(*(part.format(real) for part in command), "--as", stranger)
    nowhere = cli(*(part.format(none) for part in command), "--as", stranger)

    assert secret.code == 3
    assert _bare(secret, (real,)) == _bare(nowhere, (none,))


@pytest.mark.parametrize(
    "command",
    [
        ("review",),
        ("stale",),
        ("members",),
        ("status",),
        ("quarantine",),
        ("rebuild",),
        ("members", "add", "user:eve"),
        ("audit",),
        ("audit", "head"),
        ("audit", "verify"),
        ("sources",),
        ("sources", "set", "slack", "--trust", "member"),
        ("sources", "apply"),
        ("erase", "slack:m1", "--yes"),
        ("erase", "--list"),
        ("hold",),
        ("revert", "--source", "slack", "--undo", "--yes"),
        ("widened",),
        ("export", "nowhere", "--record"),
        ("import", "nowhere"),
        ("models",),
        ("models", "cost", "--by-run"),
    ],
)
def test_a_stewards_desk_is_refused_to_anybody_else(cli: Cli, command: tuple[str, ...]) -> None:
    done = cli(*command, "--as", "user:diego")

    assert done.code == 3
    assert done.out == ""


def test_the_company_has_the_secret(cli: Cli, acme: Path) -> None:
    assert acme.is_dir()
    assert "18 %" in cli("ask", f"What discount do we offer {SECRET}?", "--as", "user:mara", *THEN).out
