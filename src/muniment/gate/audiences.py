"""Audiences by number: equal ones share a row, so that content carries a number and never members."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from psycopg.types.json import Jsonb

from muniment.domain.audience import Audience
from muniment.domain.errors import Refused
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["audience_ids", "get_audience", "new_audience_ids"]

_SQL: Final = load("gate")


def audience_ids(conn: Connection, tenant: str, audiences: Collection[Audience]) -> dict[Audience, int]:
    """The number of each audience; a new one gets its number here, whoever else makes it at the same time."""
    by_digest = {audience.digest(): audience for audience in audiences}
    numbers = _find(conn, tenant, by_digest.keys())
    new = by_digest.keys() - numbers.keys()
    found = {by_digest[digest]: number for digest, number in numbers.items()}
    return found | new_audience_ids(conn, tenant, [by_digest[digest] for digest in new]) if new else found


def new_audience_ids(conn: Connection, tenant: str, audiences: Collection[Audience]) -> dict[Audience, int]:
    """The same of audiences that had no number just now."""
    by_digest = {audience.digest(): audience for audience in audiences}
    _make(conn, tenant, by_digest)
    return {by_digest[digest]: number for digest, number in _find(conn, tenant, by_digest.keys()).items()}


def get_audience(conn: Connection, tenant: str, audience: int) -> Audience:
    """The audience behind a number."""
    row = conn.execute(_SQL["audience"], {"tenant": tenant, "audience": audience}).fetchone()
    if row is None:
        raise Refused(f"no audience {audience!r}")
    return Audience(frozenset(frozenset(clause) for clause in row[0]))


def _find(conn: Connection, tenant: str, digests: Collection[bytes]) -> dict[bytes, int]:
    found = conn.execute(_SQL["audiences_by_digest"], {"tenant": tenant, "digests": list(digests)})
    return {bytes(digest): audience for digest, audience in found}


def _make(conn: Connection, tenant: str, audiences: dict[bytes, Audience]) -> None:
    conn.execute(
        _SQL["make_audiences"],
        {
            "tenant": tenant,
            "digests": list(audiences),
            "counts": [len(audience.people) for audience in audiences.values()],
            "clauses": [Jsonb(audience.as_lists()) for audience in audiences.values()],
        },
    )
