"""Transactions bound to one tenant: row security shows nothing outside it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from muniment.store.pool import Connection, Database

__all__ = ["bound", "looking", "writing"]


def bound(tenant: str) -> dict[str, str]:
    """The setting that row security asks for the tenant."""
    return {"muniment.tenant": tenant}


@contextmanager
def writing(database: Database, tenant: str) -> Generator[Connection]:
    """A transaction of the writer role in which only this tenant's rows exist."""
    with database.transaction("muniment_writer", bound(tenant)) as conn:
        yield conn


@contextmanager
def looking(database: Database, tenant: str) -> Generator[Connection]:
    """The same, read-only and of one moment, however long it looks."""
    with database.looking("muniment_writer", bound(tenant)) as conn:
        yield conn
