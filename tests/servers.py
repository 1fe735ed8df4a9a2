"""One embedded server for the run, and a tenant of its own for every test that asks for one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from muniment.store import embedded
from muniment.store.migrate import migrate
from muniment.store.pool import Database
from tests.worlds import pooled

_numbers = count()


def hurry(dsn: str) -> None:
    """Let a server that is thrown away afterwards not wait for the disk, nor plan a statement each time.

    To plan takes longer than to read a small record. What a crash of the server leaves behind is asked of
    servers of their own: tests/places.py.
    """
    with psycopg.connect(dsn, user="postgres", autocommit=True) as conn:
        for setting in ("fsync", "full_page_writes"):
            conn.execute(SQL("alter system set {} = off").format(Identifier(setting)))
        conn.execute("alter system set plan_cache_mode = force_generic_plan")
        conn.execute("select pg_reload_conf()")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A connection string for a database that holds the schema."""
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        (base / "state").mkdir(mode=0o711)
        with embedded.create(base / "acme", state_dir=base / "state") as lease:
            hurry(lease.dsn)
            with psycopg.connect(lease.dsn) as conn:
                migrate(conn)
            yield lease.dsn


@pytest.fixture(scope="session")
def db(server: str) -> Iterator[Database]:
    """A pool on the run's database; tests share it, each as a tenant of its own."""
    with Database.connect(server) as database:
        yield database


@pytest.fixture
def tenant() -> str:
    """An organisation of one test's own: tenants see nothing of each other."""
    return f"tenant-{next(_numbers)}"


@pytest.fixture(scope="session")
def url(server: str) -> Iterator[str]:
    """The database as a URL, as somebody with a PostgreSQL of their own would give it."""
    known = conninfo_to_dict(server)
    named = known.pop("dbname")
    made = f"postgresql:///{named}?{urlencode({key: str(value) for key, value in known.items()})}"
    with pooled(made):
        yield made
