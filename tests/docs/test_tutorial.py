"""The tutorial does what it says: each command is run, and each line it shows is in what comes out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.places import IMPORTS

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One command, and lines of what it says."""

    command: str
    shown: tuple[str, ...]


def steps(text: str) -> Iterator[Step]:
    """The steps of a page. A here-document belongs to its command."""
    for block in _BLOCK.findall(text):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        for part in parts:
            yield _step(part)


def _step(part: str) -> Step:
    command, _, rest = part.partition("\n")
    if "<<'END'" in command:
        inside, _, rest = rest.partition("\nEND\n")
        command = f"{command}\n{inside}\nEND"
    return Step(command, tuple(line for line in rest.splitlines() if line.strip()))


@pytest.fixture
def place() -> Iterator[Path]:
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        (base / "state").mkdir(mode=0o711)
        (base / "bin").mkdir()
        program = base / "bin" / "muniment"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m muniment "$@"\n')
        program.chmod(0o755)
        yield base


def test_the_tutorial_says_what_happens(place: Path) -> None:
    found = list(steps((DOCS / "tutorial.md").read_text(encoding="utf-8")))
    script = "\n".join(f"{one.command}\necho '== done {number}'" for number, one in enumerate(found))
    said = {
        "PATH": f"{place / 'bin'}:{os.defpath}",
        "HOME": str(place),
        "PYTHONPATH": IMPORTS,
        "MUNIMENT_STATE_DIR": str(place / "state"),
        "MUNIMENT_EMBEDDER": "off",
        "MUNIMENT_USER": "root",
    }

    done = subprocess.run(
        ["/bin/bash", "-e", "-c", script],
        cwd=place,
        env=said,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    outputs = re.split(r"== done \d+\n", done.stdout)
    assert len(found) >= 12
    for step, output in zip(found, outputs, strict=False):
        missing = [line for line in step.shown if line not in output]
        assert not missing, f"{step.command}\nsaid {output!r}"
