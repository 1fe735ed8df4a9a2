"""The commands for who and what is one, as they are typed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.doors.said import Cli, Said
from tests.worlds import KEY, open_org, person, said, taken

ALIASES = "aliases:\n  - means: connection pool exhausted\n    names: [连接池耗尽]\n"


@pytest.fixture
def acme(muniment_: Cli, url: str, tenant: str, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("MUNIMENT_KEY", KEY.decode())
    with open_org(url, tenant) as org:
        taken(
            org,
            [
                person("user:ann"),
                said("m1", "The renewal date of Acme is 2027-03-01.", account="Acme"),
                said("m2", "The discount of ACME Corp is 12 %.", account="ACME Corp"),
                said("m3", "The fix for connection pool exhausted is to raise maxPoolSize to 40."),
            ],
        )

    def run(*arguments: str) -> Said:
        return muniment_("--org", url, "--tenant", tenant, *arguments, "--as", "user:owner")

    return run


def test_a_merge_is_shown_settled_told_and_undone(acme: Cli) -> None:
    shown = acme("entities", "merge", "Acme", "ACME Corp", "--dry-run")
    token = re.search(r"--seen ([0-9a-f]{12})", shown.out)
    assert token
    settled = acme("entities", "merge", "Acme", "ACME Corp", "--seen", token[1], "--reason", "one contract")
    id_ = settled.out.split()[0]

    assert "ACME Corp is Acme" in settled.out
    assert "12 %" in acme("page", "acme").out
    assert "one contract" in acme("entities", "history", "Acme").out
    assert acme("entities", "show", "acme corp").out.splitlines()[:3] == [
        "Acme · account",
        "  acme",
        "  acme corp",
    ]
    assert acme("entities", "undo", id_).code == 0
    assert "12 %" not in acme("page", "acme").out
    assert [one["undone_by"] for one in acme("entities", "history", "--json").lines] == ["user:owner"]


def test_a_split_says_what_went_where(acme: Cli) -> None:
    settled = acme("entities", "split", "Acme", "Acme Ltd", "--item", "chat:m1")

    assert "chat:m1 of Acme means Acme Ltd" in settled.out
    assert "2027-03-01" in acme("page", "acme ltd").out


def test_an_alias_file_is_set_shown_and_asked_by(acme: Cli, tmp_path: Path) -> None:
    path = tmp_path / "aliases.yaml"
    path.write_text(ALIASES, encoding="utf-8")

    assert acme("aliases", "set", str(path)).out == "in force: 1 entry\n"
    shown = acme("aliases", "show").out
    path.write_text(shown, encoding="utf-8")
    assert acme("aliases", "set", str(path), "--json").lines == acme("aliases", "--json").lines
    assert acme("aliases", "show").out == shown
    assert "maxPoolSize" in acme("ask", "What is the fix for 连接池耗尽?").out


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("entities", "join", "a", "b"), 2, "show A, merge A B"),
        (("entities", "merge", "Acme"), 2, "show A, merge A B"),
        (("entities", "show", "Zephyrine"), 3, "no page named 'Zephyrine' for this reader"),
        (("entities", "merge", "Acme", "acme"), 2, "are one already"),
        (("entities", "undo", "0000000000"), 3, "no decision '0000000000' for this steward"),
        (("aliases", "set", "/nowhere/a.yaml"), 2, "does not exist"),
        (("aliases", "set"), 2, "use show, or set FILE"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    acme: Cli, arguments: tuple[str, ...], code: int, error: str
) -> None:
    found = acme(*arguments)

    assert found.code == code
    assert error in found.error


def test_a_bad_alias_file_names_the_line(acme: Cli, tmp_path: Path) -> None:
    path = tmp_path / "aliases.yaml"
    path.write_text(ALIASES + "  - means: x\n    names: [yy]\n", encoding="utf-8")

    found = acme("aliases", "set", str(path))

    assert found.code == 1
    assert "line 4" in found.error
    assert acme("aliases", "--json").out == ""
