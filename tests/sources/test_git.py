"""Git repositories: documents with their history, commit messages, and what code says to its readers."""

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Unavailable
from muniment.events.parse import Rejection, parse_event
from muniment.sources.connector import Configured, CursorLost
from muniment.sources.filekind import Handed
from muniment.sources.folder import Document, Unreadable
from muniment.sources.git.code import document_at
from muniment.sources.git.commits import read_commit
from muniment.sources.git.kinds import FILES, GitSource, connected
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.registry import connector_kind, recognised
from tests.worlds import Clock, open_org, taken

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="the program git is not installed")
GIT = shutil.which("git") or "git"
BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
CODE = '''"""Payments, settled once a day.

Refunds go through the same ledger.
"""
import os  # noqa: F401


class Ledger:
    """Keeps what was paid."""

    def pay(self, amount):
        # We retry three times because the bank's gateway
        # drops every tenth request.
        return amount
'''


class Repo:
    """A repository that a test commits to, an hour apart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hours = 0
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str) -> str:
        at = f"{int((BEGAN + timedelta(hours=self.hours)).timestamp())} +0000"
        who = {f"GIT_{role}_{what}": said for role in ("AUTHOR", "COMMITTER") for what, said in WHO.items()}
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        env = {"PATH": os.defpath, "GIT_CONFIG_GLOBAL": os.devnull, **who, **dates}
        return subprocess.run(
            [GIT, "-C", str(self.path), *words], env=env, check=True, capture_output=True, text=True
        ).stdout.strip()

    def commit(self, message: str, files: Mapping[str, str | bytes | None]) -> str:
        self.hours += 1
        for name, text in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


WHO = {"NAME": "Ann Lee", "EMAIL": "ann@x.example"}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


def read(repo: Repo, **options: str) -> list[Parsed]:
    found = list(FILES[0].read(repo.path, Handed("code", "user:ann", options=options)))
    refused = [parse_event(one) for one in found if not isinstance(one, Unread)]
    assert not [one for one in refused if isinstance(one, Rejection)]
    return found


def events(found: list[Parsed]) -> list[Event]:
    return [one for one in found if not isinstance(one, Unread)]


def of(found: list[Parsed], id_: str) -> list[Event]:
    return [one for one in events(found) if one["id"] == id_]


def at(path: Path) -> GitSource:
    return connected(Configured("code", {"path": str(path)}, lambda _: "", Clock(), "user:ann"))


def asked(repo: Repo) -> GitSource:
    return at(repo.path)


def test_a_repository_is_recognised_and_is_a_kind_of_source(repo: Repo) -> None:
    kind = recognised(repo.path)

    assert kind is not None
    assert kind.name == "git"
    assert connector_kind("git").name == "git"


def test_each_version_of_a_document_has_its_commits_time_and_author(repo: Repo) -> None:
    first = repo.commit("Begin", {"README.md": "# Pay\n\nThe limit is EUR 100.\n"})
    repo.commit("Other", {"other.md": "x\n"})
    repo.commit("Raise the limit", {"README.md": "# Pay\n\nThe limit is EUR 200.\n"})
    repo.commit("Away", {"README.md": None})

    found = of(read(repo), "README.md")

    assert [(one["op"], one["version"]) for one in found] == [
        ("upsert", "1"),
        ("upsert", "3"),
        ("delete", "4"),
    ]
    assert [one["at"] for one in found] == [f"2026-03-01T{hour}:00:00Z" for hour in (10, 12, 13)]
    assert found[0]["author_name"] == "Ann Lee"
    assert found[0]["metadata"]["commit"] == first  # type: ignore[index]


def test_commit_messages_are_items_and_count_what_was_not_read(repo: Repo) -> None:
    files: dict[str, str | bytes | None] = {"a.md": "x\n", "logo.png": b"\x89PNG\0", "b.bin": b"\0"}
    name = repo.commit("Pay daily\n\nThe bank asked for it.", files)

    found = of(read(repo), f"commit/{name}")

    assert found[0]["title"] == "Pay daily"
    assert found[0]["body"] == "Pay daily\n\nThe bank asked for it."
    assert found[0]["author_name"] == "Ann Lee"
    assert found[0]["metadata"] == {"commit": name, "files": ["a.md"], "files_passed_over": 2}


def test_code_says_its_docstrings_and_comments_as_they_stand(repo: Repo) -> None:
    repo.commit("Begin", {"pay/ledger.py": '"""Old words here."""\n'})
    repo.commit("Grow", {"pay/ledger.py": CODE})

    found = of(read(repo), "pay/ledger.py")

    assert len(found) == 1
    assert found[0]["body"] == (
        "# pay/ledger.py\n\nPayments, settled once a day.\n\nRefunds go through the same ledger.\n\n"
        "## Ledger\n\nKeeps what was paid.\n\n"
        "## Ledger.pay\n\nWe retry three times because the bank's gateway\ndrops every tenth request.\n"
    )


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        (
            "a.go",
            '// Copyright Us\n\n// Pay settles the bill.\n// Twice is once.\nvar u = "//x y z"\n',
            ["Pay settles the bill.\nTwice is once."],
        ),
        (
            "a.js",
            "/**\n * Pays the bill today.\n * @param x\n */\n// eslint-disable x\nlet a = `// not it`;",
            ["Pays the bill today.\n@param x"],
        ),
        (
            "a.sh",
            "#!/bin/sh\n# Runs every night at two.\necho '# not this one, no'\n",
            ["Runs every night at two."],
        ),
        (
            "a.sql",
            "-- One row for each payment made.\nselect '-- not this one';",
            ["One row for each payment made."],
        ),
        ("a.py", "def broken(:\n# Still says why it is so.\n", ["Still says why it is so."]),
    ],
)
def test_comments_are_told_from_strings_and_from_words_for_tools(
    path: str, source: str, said: list[str]
) -> None:
    found = document_at(path, source.encode())

    assert isinstance(found, Document)
    assert found.body == "\n\n".join([f"# {path}", *said]) + "\n"


def test_code_that_says_nothing_is_no_item_and_stops_being_one(repo: Repo) -> None:
    repo.commit("Begin", {"a.py": '"""Says something here."""\n', "b.py": "x = 1\n"})
    source = asked(repo)
    *_, page = source.pull(None)
    repo.commit("Silent", {"a.py": "x = 1\n"})

    later = [one for page in source.pull(page.cursor) for one in page.parsed]

    assert [one["op"] for one in of(later, "a.py")] == ["delete"]
    assert of(read(repo), "b.py") == []


def test_decision_records_are_labelled(repo: Repo) -> None:
    repo.commit("Decide", {"docs/adr/0001-bank.md": "# Use one bank\n\nAccepted.\n", "docs/a.md": "x\n"})

    found = read(repo)

    assert of(found, "docs/adr/0001-bank.md")[0]["labels"] == {"record": "decision"}
    assert of(found, "docs/a.md")[0]["labels"] == {}


def test_a_document_that_changes_its_own_id_leaves_the_old_one(repo: Repo) -> None:
    repo.commit("Begin", {"a.md": "---\nid: POL-1\n---\nOne.\n"})
    repo.commit("Rename", {"a.md": "---\nid: POL-2\n---\nOne.\n"})

    found = read(repo)

    assert [one["op"] for one in of(found, "POL-1")] == ["upsert", "delete"]
    assert [one["op"] for one in of(found, "POL-2")] == ["upsert"]


def test_reading_at_once_or_as_it_grows_tells_the_same_versions(repo: Repo) -> None:
    source = asked(repo)
    told: list[Parsed] = []
    cursor = None
    for number in range(3):
        repo.commit(f"Step {number}", {"a.md": f"Number {number} of them.\n", f"{number}.md": "x\n"})
        for page in source.pull(cursor):
            told += page.parsed
            cursor = page.cursor

    assert sorted(map(str, events(told))) == sorted(map(str, events(read(repo))))
    assert [one for page in source.pull(cursor) for one in page.parsed] == []


def test_a_merged_branch_is_told_when_it_arrives_with_its_messages(repo: Repo) -> None:
    repo.commit("Begin", {"a.md": "One.\n"})
    repo.git("checkout", "-q", "-b", "side")
    aside = repo.commit("Say two", {"a.md": "Two.\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("Meanwhile", {"b.md": "x\n"})
    repo.hours += 1
    repo.git("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side")

    found = read(repo)

    assert [(one["version"], one["body"]) for one in of(found, "a.md")] == [("1", "One.\n"), ("3", "Two.\n")]
    assert of(found, f"commit/{aside}")[0]["body"] == "Say two"
    assert not [one for one in events(found) if str(one.get("body")).startswith("Merge")]


def test_a_history_that_was_rewritten_loses_the_cursor(repo: Repo) -> None:
    repo.commit("Begin", {"a.md": "One.\n"})
    repo.commit("Go on", {"a.md": "Two.\n"})
    *_, page = asked(repo).pull(None)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.commit("Otherwise", {"a.md": "Three.\n"})

    with pytest.raises(CursorLost):
        list(asked(repo).pull(page.cursor))


def test_a_long_history_is_read_from_where_it_is_cut_and_says_so(repo: Repo) -> None:
    for number in range(4):
        repo.commit(f"Step {number}", {f"{number}.md": f"Number {number}.\n"})

    found = read(repo, commits="2")

    assert [one["version"] for one in of(found, "0.md")] == ["3"]
    assert "4 commits; the last 2 were read" in next(one.reason for one in found if isinstance(one, Unread))


def test_a_sweep_lists_what_the_branch_holds(repo: Repo) -> None:
    name = repo.commit("Begin", {"a.md": "---\nid: POL-1\n---\nOne.\n", "b.py": CODE, "c.png": b"\0"})

    listing = next(asked(repo).sweep())

    assert listing.ids == {"POL-1", "b.py", f"commit/{name}"}
    assert listing.complete


def test_nothing_a_repository_asks_for_is_run(repo: Repo, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n", encoding="utf-8")
    trap.chmod(0o755)
    repo.commit("Begin", {"a.md": "One.\n", ".gitattributes": "*.md diff=trap\n"})
    for name in ("core.fsmonitor", "diff.external", "diff.trap.textconv", "gpg.program", "core.pager"):
        repo.git("config", name, str(trap))
    repo.git("config", "log.showSignature", "true")

    found = read(repo)

    assert of(found, "a.md")
    assert not (tmp_path / "sprung").exists()


def test_links_and_what_they_lead_to_are_not_read(repo: Repo) -> None:
    (repo.path / "link.md").symlink_to("/etc/hostname")
    repo.commit("Begin", {"a.md": "One.\n"})

    assert of(read(repo), "link.md") == []


def test_a_folder_that_is_no_repository_says_so(tmp_path: Path) -> None:
    found = list(FILES[0].read(tmp_path, Handed("code", "user:ann")))

    assert isinstance(found[0], Unread)
    assert "git cannot read" in found[0].reason
    with pytest.raises(Unavailable):
        list(at(tmp_path).pull(None))


def test_a_repository_in_the_record_answers_from_what_its_code_says(
    repo: Repo, url: str, tenant: str
) -> None:
    first = "# Pay\n\nThe hotel limit is EUR 100 per night.\n"
    repo.commit("Begin", {"pay/ledger.py": CODE, "README.md": first})
    repo.commit("Raise", {"README.md": "# Pay\n\nThe hotel limit is EUR 200 per night.\n"})
    found = events(read(repo, audience="user:bo"))

    with open_org(url, tenant) as org:
        receipt = taken(org, found)
        again = taken(org, found)
        hits = org.reader("user:bo").search("gateway drops every tenth request")
        limit = org.reader("user:bo").ask("What is the hotel limit per night?")
        stranger = org.reader("user:eve").search("gateway drops every tenth request")

    assert receipt.accepted == len(found)
    assert again.accepted == 0
    assert hits[0].item == "pay/ledger.py"
    assert "200" in limit.text
    assert stranger == []


@given(st.binary(max_size=300))
def test_any_bytes_are_a_commit(raw: bytes) -> None:
    assert read_commit("0" * 40, raw).id


@given(st.sampled_from(["a.py", "a.js", "a.sh", "a.sql", "a.rs"]), st.binary(max_size=300))
def test_any_bytes_are_code_or_not(path: str, raw: bytes) -> None:
    found = document_at(path, raw)

    assert found is None or isinstance(found, Document | Unreadable)


@pytest.mark.parametrize("piece", ["#", "'", "/*", "`", '"""', "(", "# a\n", "// a b c\n\n", '"\\'])
def test_hostile_code_is_read_at_once(piece: str) -> None:
    source = (piece * (200_000 // len(piece))).encode()

    begun = time.process_time()
    for path in ("a.py", "a.js", "a.sql"):
        document_at(path, source)

    assert time.process_time() - begun < 5
