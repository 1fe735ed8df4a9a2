"""Who looked at what, and why each thing was recalled.

Written after the read, in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from psycopg.types.json import Jsonb

from muniment.domain.audit import commit
from muniment.domain.events import JsonObject
from muniment.gate.binding import bound
from muniment.store.pool import Connection, Database
from muniment.store.queries import load

__all__ = ["Act", "Trace", "record", "record_read"]

SQL = load("audit")


@dataclass(frozen=True, slots=True)
class Act:
    """Something a principal did: read, import, grant. `content` can be erased; the commitment stays."""

    at: datetime
    principal: str
    action: str
    object: str
    content: JsonObject


@dataclass(frozen=True, slots=True)
class Trace:
    """Why each thing was recalled or left out. Ids only, apart from the question."""

    trace: UUID
    verb: str
    question: str
    kept: Sequence[str]
    dropped: int


# A read lost with the server in the same instant was never answered: its audit need not reach the disk
# before the reply does.
_NEED_NOT_WAIT: Final = {"synchronous_commit": "off"}


def record(conn: Connection, tenant: str, act: Act, salt: bytes) -> None:
    """Append an act to the tenant's audit, in the caller's transaction."""
    conn.execute(SQL["append"], _entry(tenant, act, salt))


def record_read(database: Database, tenant: str, act: Act, trace: Trace, salt: bytes) -> None:
    """Append a read and its trace before the reply is given."""
    values = {
        **_entry(tenant, act, salt),
        "trace": trace.trace,
        "verb": trace.verb,
        "question": trace.question,
        "detail": Jsonb({"kept": list(trace.kept), "dropped": trace.dropped}),
    }
    with database.transaction("muniment_writer", bound(tenant) | _NEED_NOT_WAIT) as conn:
        conn.execute(SQL["append_read"], values)


def _entry(tenant: str, act: Act, salt: bytes) -> dict[str, object]:
    return {
        "tenant": tenant,
        "at": act.at,
        "principal": act.principal,
        "action": act.action,
        "object": act.object,
        "salt": salt,
        "content": Jsonb(act.content),
        "commitment": commit(salt, act.content),
    }
