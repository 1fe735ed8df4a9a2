"""A shell is told how a line could go on, in its own way, and no record is opened for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.surfaces.cli.completing import SHELLS
from muniment.surfaces.cli.program import PROGRAM
from tests.places import IMPORTS

ASKED = {
    "bash": {"COMP_WORDS": "muniment inc", "COMP_CWORD": "1"},
    "zsh": {"_TYPER_COMPLETE_ARGS": "muniment inc"},
    "fish": {"_TYPER_COMPLETE_ARGS": "muniment inc", "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
}


def muniment(place: Path, *typed: str, **said: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "muniment", *typed]
    env = {"PYTHONPATH": IMPORTS, "HOME": str(place), "PATH": str(place)}
    return subprocess.run(
        command, capture_output=True, text=True, cwd=place, env={**env, **said}, check=False
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_is_told_which_commands_go_on_so(tmp_path: Path, shell: str) -> None:
    found = muniment(tmp_path, _MUNIMENT_COMPLETE=f"complete_{shell}", **ASKED[shell])

    assert (found.returncode, found.stderr) == (0, "")
    assert "incident" in found.stdout
    assert not [name for name in PROGRAM.commands if name != "incident" and name in found.stdout.split()]
    assert "members" not in found.stdout


def test_options_are_completed_too(tmp_path: Path) -> None:
    asked = {"COMP_WORDS": "muniment context --bud", "COMP_CWORD": "2"}
    found = muniment(tmp_path, _MUNIMENT_COMPLETE="complete_bash", **asked)

    assert found.stdout.split() == ["--budget"]


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_printed_is_read_by_its_shell(tmp_path: Path, shell: str) -> None:
    script = muniment(tmp_path, "completion", shell).stdout

    assert f"_MUNIMENT_COMPLETE=complete_{shell}" in script
    if (program := shutil.which(shell)) is not None:
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_an_unknown_shell_is_told_which_there_are(tmp_path: Path) -> None:
    found = muniment(tmp_path, "completion", "tcsh")

    assert found.returncode == 2
    assert "use bash, zsh, fish" in found.stderr
