"""Where a peer runs: an environment of its own, a folder, and a PostgreSQL that nobody else uses."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict

from benchmarks.peers.roster import Entry
from muniment.store import embedded

__all__ = ["NotHere", "a_database", "environment"]

_LIMIT = 1_800  # seconds for an environment to be made


class NotHere(Exception):
    """A peer cannot be run here, and why."""


def environment(folder: Path, entry: Entry) -> Path:
    """The Python of a peer, its environment made if it is not there. Raises NotHere."""
    if entry.needs is None:
        return Path(sys.executable)
    home = folder / entry.name
    python = home / "bin" / "python"
    made_of, needs = home / "made-of", " ".join(entry.needs)
    if not made_of.exists() or made_of.read_text(encoding="utf-8") != needs:
        _run([sys.executable, "-m", "venv", "--clear", str(home)], entry.name)
        quiet = ["-q", "--disable-pip-version-check", "--no-input", "--only-binary", ":all:"]
        _run([str(python), "-m", "pip", "install", *quiet, "numpy", *entry.needs], entry.name)
        made_of.write_text(needs, encoding="utf-8")
    return python


def _run(command: list[str], name: str) -> None:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=_LIMIT)
    except subprocess.TimeoutExpired:
        raise NotHere(f"{name}: its environment took more than {_LIMIT} s") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise NotHere(f"{name}: its environment cannot be made: {last[0][:200]}")


@contextmanager
def a_database() -> Iterator[str]:
    """An empty database with pgvector, as a URL; gone afterwards."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)  # an unprivileged server must be able to enter
        (base / "state").mkdir(mode=0o711)
        with embedded.create(base / "peer", state_dir=base / "state") as lease:
            with psycopg.connect(lease.dsn) as conn:
                conn.execute("select 1")
            known = conninfo_to_dict(lease.dsn)
            where = urlencode({key: str(value) for key, value in known.items() if key != "dbname"})
            yield f"postgresql:///{known['dbname']}?{where}"
