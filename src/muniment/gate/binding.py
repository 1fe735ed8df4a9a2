"""Transactions bound to one tenant: row security shows nothing outside it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from muniment.store.pool import Connection, Database
from muniment.store.queries import load

__all__ = ["writing"]

SQL = load("reader")


@contextmanager
def writing(database: Database, tenant: str) -> Generator[Connection]:
    """A transaction of the writer role in which only this tenant's rows exist."""
    with database.transaction("muniment_writer") as conn:
        conn.execute(SQL["bind_tenant"], {"tenant": tenant})
        yield conn
