"""A pipeline that loses its server is a lost connection, whatever it says itself."""

from __future__ import annotations

import psycopg
import pytest

from muniment.domain.errors import Unavailable
from muniment.store.pool import Connection, Database


def cut(url: str, conn: Connection) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("select pg_terminate_backend(%s, 5000)", [conn.info.backend_pid])


def lose(url: str, database: Database, asked: int) -> None:
    """Cut a connection whose pipeline has so many replies still to come."""
    with database.transaction() as conn, conn.pipeline():
        for number in range(asked):
            conn.execute("select repeat('x', 100000), %s::int", [number])
        cut(url, conn)
        conn.execute("select 1").fetchone()


def fail(database: Database, cause: psycopg.Error | None) -> None:
    """As a pipeline does that cannot end: what it came from is behind what it says."""
    with database.transaction():
        said = psycopg.OperationalError("cannot exit pipeline mode while busy")
        said.__context__ = cause
        raise said


@pytest.mark.parametrize("asked", [0, 1, 40])
def test_a_pipeline_that_loses_its_server_is_unavailable(url: str, asked: int) -> None:
    with Database.connect(url) as database, pytest.raises(Unavailable, match="try again"):
        lose(url, database, asked)


def test_what_says_only_that_it_cannot_end_is_a_loss_by_what_it_came_from(url: str) -> None:
    with Database.connect(url) as database:
        with pytest.raises(Unavailable):
            fail(database, psycopg.errors.AdminShutdown("terminating connection"))
        with pytest.raises(psycopg.OperationalError, match="busy"):
            fail(database, None)
