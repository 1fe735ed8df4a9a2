"""Transactions bound to one tenant: row security shows nothing outside it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from muniment.store.pool import Connection, Database, Look, Readable

__all__ = ["bound", "looking", "reading", "writing"]


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


@contextmanager
def reading(where: Readable, tenant: str) -> Generator[Look]:
    """The same, on a replica where there is one that has all that was acknowledged."""
    with where.reading("muniment_writer", bound(tenant)) as look:
        yield look
