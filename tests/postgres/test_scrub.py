"""The files of a server after something was erased."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from muniment.store import embedded
from tests.canaries import canary
from tests.worlds import open_org, person, said, taken


@pytest.fixture
def alone() -> Iterator[tuple[Path, str, str]]:
    """A server of its own: its files, its connection string and its URL."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        (base / "state").mkdir(mode=0o711)
        with embedded.create(base / "acme", state_dir=base / "state") as lease:
            data = next(path.parent for path in base.rglob("PG_VERSION") if (path.parent / "global").is_dir())
            known = conninfo_to_dict(lease.dsn)
            place = urlencode({key: str(value) for key, value in known.items() if key != "dbname"})
            yield data, lease.dsn, f"postgresql:///{known['dbname']}?{place}"


def bytes_in(folder: Path, word: str) -> dict[str, int]:
    counts = {
        str(file.relative_to(folder)): file.read_bytes().count(word.encode()) for file in files_of(folder)
    }
    return {name: count for name, count in counts.items() if count}


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def test_no_file_of_the_server_has_what_was_erased_and_scrubbed(
    alone: tuple[Path, str, str], seed: int
) -> None:
    data, dsn, url = alone
    draw = random.Random(seed)
    words = [canary(draw) for _ in range(6)]
    with open_org(url, "acme") as org:
        others = [said(f"n{number}", f"Team {number} is done.", 1) for number in range(300)]
        targets = [
            said(f"m{n}", f"The {word} is due.", 1, title=f"{word} plan") for n, word in enumerate(words)
        ]
        taken(org, [person("user:ann"), *draw.sample(others + targets, len(others + targets))])
        for word in words:
            org.reader("user:ann").ask(f"When is {word} due?")
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute("set role muniment_owner")
            conn.execute("analyze")
            conn.execute("reset role")
            conn.execute("set role pg_checkpoint")
            conn.execute("checkpoint")
        assert all(bytes_in(data, word) for word in words)

        desk = org.steward("user:owner")
        for number in range(len(words)):
            desk.erase(f"chat:m{number}")
        done = desk.scrub()

        assert done.endswith("log begun anew")
        assert {word: bytes_in(data, word) for word in words} == {word: {} for word in words}
        assert len(org.reader("user:ann").search("team done")) == 10
