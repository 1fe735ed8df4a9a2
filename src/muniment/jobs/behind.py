"""The internal verifier: what a level rests on, found anew from the record. No reader ever gets it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from muniment.claims.cite import quote_of
from muniment.claims.claim import Statement
from muniment.disclosure.levels import evidence_of
from muniment.jobs.disclose import in_force, topics_of
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Behind", "behind"]

SQL = load("disclosure")


@dataclass(frozen=True, slots=True)
class Behind:
    """An exact statement that a level was made from, and whether its words stand where it says."""

    source: str
    id: str
    passage: UUID
    start: int
    end: int
    verbatim: bool


def behind(conn: Connection, tenant: str, assertion: UUID) -> list[Behind] | None:
    """The exact statements behind a level, in the order of their items; None for what is no level."""
    row = conn.execute(SQL["level_by_id"], {"tenant": tenant, "assertion": assertion}).fetchone()
    if row is None:
        return None
    entity, attribute, qualifier, level, value = row
    rule = in_force(conn, tenant).rule(attribute)
    if rule is None:
        return []
    found = [
        statement
        for topic in topics_of(conn, tenant, [(entity, attribute)])
        for statement in evidence_of(topic, rule, (level, qualifier, value))
    ]
    return [_behind(conn, tenant, one) for one in sorted(found, key=lambda one: one.order)]


def _behind(conn: Connection, tenant: str, statement: Statement) -> Behind:
    passage, start, end = quote_of(statement.row)
    values = {"tenant": tenant, "passage": passage, "start": start, "end": end}
    row = conn.execute(SQL["quoted"], values).fetchone()
    words = None if row is None else " ".join(row[0].split())
    item = statement.item
    return Behind(item.source, item.id, passage, start, end, words == statement.row.statement)
