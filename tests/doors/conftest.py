"""One organisation in a folder for every door's tests, filled with the demo's company, without vectors."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import muniment
from muniment.settings import Settings
from muniment.surfaces.cli.entry import run
from tests.doors.said import Cli, Said

COMPANY = Path(__file__).parents[2] / "demo" / "company"
FILES = "directory crm chat mail meetings issues alerts incidents".split()


@pytest.fixture(scope="session")
def places() -> Iterator[dict[str, str]]:
    """The environment of every command here: files of its own, words alone, and nobody else's settings."""
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        (base / "state").mkdir(mode=0o711)
        yield {
            "MUNIMENT_STATE_DIR": str(base / "state"),
            "MUNIMENT_EMBEDDER": "off",
            "MUNIMENT_USER": "root",
        }


@pytest.fixture(scope="session")
def acme(places: dict[str, str]) -> Iterator[Path]:
    """The company's record. It stays open, so that each command finds its server running."""
    folder = Path(places["MUNIMENT_STATE_DIR"]).parent / "acme"
    with muniment.open(folder, settings=Settings.read(places)) as org:
        for name in FILES:
            org.add(COMPANY / f"{name}.jsonl")
        org.add(COMPANY / "policies", source="policies", audience=["*"])
        yield folder


@pytest.fixture
def muniment_(places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line, in this process."""
    for name in ("MUNIMENT_ORG", "MUNIMENT_DATABASE_URL", "MUNIMENT_KEY", "MUNIMENT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in places.items():
        monkeypatch.setenv(name, value)

    def said(*arguments: str) -> Said:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(arguments)
        return Said(code, out.getvalue(), err.getvalue())

    return said


@pytest.fixture
def cli(muniment_: Cli, acme: Path) -> Cli:
    """The command line over the company's record."""
    return lambda *arguments: muniment_("--org", str(acme), *arguments)
