"""What the command line does with bad input: one clear line, the right code, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors.said import Cli

GOOD = {"source": "s", "op": "upsert", "at": "2026-01-01T00:00:00Z", "kind": "note", "audience": [["*"]]}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder for what is handed in."""
    return tmp_path


def lines(*events: object) -> str:
    return "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in events)


def test_broken_lines_are_kept_and_the_others_accepted(cli: Cli, files: Path) -> None:
    events = files / "broken.jsonl"
    good = [{**GOOD, "id": f"broken-{number}", "body": "a good line"} for number in (1, 2)]
    events.write_text(lines(good[0], "{broken", {**good[0], "id": "n", "at": "3 June"}, good[1]))

    done = cli("add", str(events))
    kept = cli("quarantine", "--json").lines

    assert done.code == 5
    assert "2 accepted, 2 in quarantine" in done.out
    assert "line 2: not JSON" in done.out
    assert "line 3" in done.out
    assert {one["line"] for one in kept if one["origin"] == str(events)} == {2, 3}


def test_a_receipt_has_every_key(cli: Cli, files: Path) -> None:
    events = files / "receipt.jsonl"
    events.write_text(lines({**GOOD, "id": "receipt-1", "body": "a line"}, "[]"))

    done = cli("add", str(events), "--json")

    assert done.code == 5
    assert done.json.keys() >= {"accepted", "duplicate", "quarantined", "items", "token"}
    assert [item["state"] for item in done.json["items"]] == ["accepted", "quarantined"]
    assert all(item.keys() == {"source", "id", "state", "reason", "line"} for item in done.json["items"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.md", b""),
        ("binary.md", bytes(range(256)) * 20),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00"),
        ("mislabelled.html", b"%PDF-1.7\x00\x01"),
        ("blank.txt", b"\xff\xfe"),
    ],
)
def test_a_file_that_is_no_document_is_refused_with_its_name(
    cli: Cli, files: Path, name: str, content: bytes
) -> None:
    (files / name).write_bytes(content)
    (files / "good.md").write_text("# Good\n\nThis one is fine.\n")

    done = cli("add", str(files), "--audience", "*", "--source", f"folder-{name}")

    assert done.code == 5
    assert "1 accepted, 1 in quarantine" in done.out
    assert name in done.out


def test_a_huge_file_is_refused_with_its_size(cli: Cli, files: Path) -> None:
    with (files / "huge.txt").open("wb") as file:
        file.truncate(70 * 1024 * 1024)

    done = cli("add", str(files / "huge.txt"))

    assert done.code == 5
    assert str(70 * 1024 * 1024) in done.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_file_that_may_not_be_read_is_refused(cli: Cli, files: Path) -> None:
    (files / "secret.md").write_text("# Secret\n")
    (files / "secret.md").chmod(0)

    done = cli("add", str(files))

    assert done.code == 5
    assert "secret.md" in done.out


def test_nothing_is_added_where_one_of_the_paths_does_not_exist(cli: Cli, files: Path) -> None:
    (files / "real.md").write_text("# Real\n\nA real one.\n")

    done = cli("add", str(files / "real.md"), str(files / "nowhere"), "--source", "half")

    assert done.code == 2
    assert "nowhere" in done.error
    assert "half" not in cli("status", "--json").out


def test_who_can_read_is_said_where_no_audience_was_given(cli: Cli, files: Path) -> None:
    (files / "mine.md").write_text("# Mine\n\nOnly for me.\n")

    done = cli("add", str(files / "mine.md"), "--as", "user:mara", "--source", "mine")
    filled = cli("add", str(files / "mine.md"), "--audience", "user:mara,user:jonas", "--source", "ours")

    assert "no audience was given: only user:mara can read these" in done.out
    assert "no audience" not in filled.out


@pytest.mark.parametrize(
    "wrong", [("--audience", "ann"), ("--kind", "picture"), ("--as", "ann"), ("--audience", "")]
)
def test_an_option_that_means_nothing_is_usage(cli: Cli, files: Path, wrong: tuple[str, str]) -> None:
    (files / "fine.md").write_text("# Fine\n\nA fine one.\n")

    done = cli("add", str(files / "fine.md"), *wrong)

    assert done.code == 2
    assert done.error


def test_nul_and_lone_surrogates_are_taken_out_and_noted(cli: Cli, files: Path) -> None:
    events = files / "odd.jsonl"
    events.write_text(lines({**GOOD, "id": "odd-1", "body": "the kestrel \x00 and \ud800 limit"}))

    done = cli("add", str(events))

    assert done.code == 0
    assert "note: line 1: NUL" in done.out


@pytest.mark.parametrize(
    "question", ["", "   ", "\udcff\udcfe", "a" * 20_000, "'; drop table x; --", "[[[", "\x1b[31m"]
)
def test_an_odd_question_is_answered_and_not_obeyed(cli: Cli, question: str) -> None:
    done = cli("ask", question, "--as", "user:jonas")

    assert done.code in (3, 4)
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize(
    "option",
    [
        ("--as", ""),
        ("--as", " "),
        ("--agent", ""),
        ("--hearers", ""),
        ("--hearers", "user:lena,"),
        ("--hearers", "user:lena,,user:mara"),
        ("--org", ""),
        ("--as-of", ""),
        ("--known-at", ""),
    ],
)
def test_an_empty_name_is_usage_and_never_the_default(cli: Cli, option: tuple[str, str]) -> None:
    before, after = cli(*option, "pages"), cli("pages", *option)

    assert (before.code, after.code) == (2, 2)
    assert option[0] in after.error
    assert (before.out, after.out) == ("", "")


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (("review", "frobnicate"), 2, "'frobnicate' is unknown"),
        (("review", "frobnicate", "c_1"), 2, "'frobnicate' is unknown"),
        (("quarantine", "replay", "987654"), 3, "no entry 987654"),
        (("audit", "--limit", "0"), 2, "limit 0"),
        (("audit", "--limit", "9" * 20), 2, "limit 9999"),
        (("audit", "--since", "2026-02-30"), 2, "'2026-02-30'"),
        (("ask", "x", "--as-of", "2026-13-01"), 2, "'2026-13-01'"),
        (("who-can", "slack:x", "--at", "2026-13-01"), 2, "'2026-13-01'"),
        (("audit", "verify", "--head", "7:abc"), 2, "'7:abc'"),
        (("grant", "agent:x", "steward"), 2, "'agent:x'"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_an_error_names_what_was_wrong(cli: Cli, command: tuple[str, ...], code: int, says: str) -> None:
    done = cli(*command)

    assert (done.code, done.out) == (code, "")
    assert says in done.error


@pytest.mark.parametrize("line", ["7:abc", '{"op":"upsert"}', "{broken", "[]", "7"])
def test_a_file_of_heads_that_is_none_is_named_with_its_line(cli: Cli, files: Path, line: str) -> None:
    (files / "heads.txt").write_text(f"\n{line}\n")

    done = cli("audit", "verify", "--head", str(files / "heads.txt"))

    assert done.code == 2
    assert "heads.txt" in done.error
    assert "line 2" in done.error


def test_what_a_terminal_would_obey_is_not_printed(cli: Cli, files: Path) -> None:
    events = files / "escape.jsonl"
    body = "The quokka limit is \x1b[31mEUR 77\x1b[0m\u202e per night."
    events.write_text(lines({**GOOD, "id": "escape-1", "body": body}))
    cli("add", str(events))

    shown = cli("search", "quokka limit")
    whole = cli("search", "quokka limit", "--json")

    assert "EUR 77" in shown.out
    assert "\x1b" not in shown.out + whole.out
    assert "\u202e" not in shown.out + whole.out
    assert "\x1b[31m" in whole.lines[0]["text"]


def test_a_folder_that_is_no_organisation_is_said_so(muniment_: Cli, files: Path) -> None:
    (files / "letter.txt").write_text("dear")

    for command in (
        ("--org", str(files), "pages"),
        ("--org", str(files / "nowhere"), "pages"),
        ("init", str(files)),
    ):
        done = muniment_(*command)

        assert done.code == 2
        assert str(files) in done.error
    assert not (files / "nowhere").exists()


def test_an_organisation_is_found_from_a_folder_below_it(
    muniment_: Cli, acme: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (acme / "below").mkdir(exist_ok=True)
    monkeypatch.chdir(acme / "below")
    found = muniment_("pages", "--as", "user:jonas")
    monkeypatch.chdir(files)
    lost = muniment_("pages")

    assert found.code == 0
    assert found.out
    assert lost.code == 2
    assert "muniment init" in lost.error


def test_init_changes_nothing_where_an_organisation_is(muniment_: Cli, acme: Path) -> None:
    done = muniment_("init", str(acme), "--json")

    assert done.code == 0
    assert done.json["made"] is False


def test_a_database_that_cannot_be_reached_fails_without_its_password(muniment_: Cli) -> None:
    done = muniment_("--org", "postgresql://ann:hunter2@127.0.0.1:1/acme", "pages")

    assert done.code == 1
    assert "127.0.0.1" in done.error
    assert "hunter2" not in done.err


def test_a_url_that_cannot_be_read_fails_without_its_password(muniment_: Cli) -> None:
    done = muniment_("--org", "postgresql://ann:hunter2@[bad/acme", "pages")

    assert done.code in (1, 2)
    assert "hunter2" not in done.err


def test_an_organisation_by_url_has_tenants(muniment_: Cli, url: str, tenant: str) -> None:
    made = muniment_("init", "--org", url, "--tenant", tenant, "--json")
    asked = muniment_("ask", "anything?", "--org", url, "--tenant", tenant, "--as", "user:never-seen")

    assert made.code == 0
    assert made.json["tenant"] == tenant
    assert asked.code == 4
    assert "warning: this record" not in asked.err  # elsewhere it would tell who exists


def test_a_traceback_is_shown_only_when_asked_for(cli: Cli) -> None:
    assert "Traceback" not in cli("page", "zephyrine").err
    assert "Traceback" in cli("page", "zephyrine", "--debug").err


@pytest.mark.usefixtures("muniment_")  # it sets the environment that a process of its own inherits
def test_a_worker_stops_between_batches_when_told_to(acme: Path) -> None:
    command = [sys.executable, "-m", "muniment", "worker", "--org", str(acme)]
    worker = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert worker.stderr is not None
    started = worker.stderr.readline()
    worker.send_signal(signal.SIGTERM)

    _, rest = worker.communicate(timeout=30)

    assert "working" in started
    assert "stopped" in rest
    assert worker.returncode == 0


@pytest.mark.usefixtures("muniment_")  # as above
def test_a_reader_that_goes_away_is_no_fault(acme: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "muniment", "pages", "--org", str(acme), "--as", "user:jonas"]

    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)

    assert done.returncode == 141
    assert done.stderr == ""
