"""The stream an event belongs to: one a key, whose row numbers its events and is held by whoever adds one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import psycopg

from muniment.domain.events import (
    AudienceEvent,
    ContentEvent,
    EntityEvent,
    Event,
    MemberEvent,
    PrincipalEvent,
    TopologyEvent,
)
from muniment.store.queries import load

__all__ = ["Key", "key_of", "take"]

Connection = psycopg.Connection[Any]
Key = tuple[str, str]
SQL: Final = load("events")


def key_of(event: Event) -> Key:
    """The stream an event belongs to. Ids that begin with @ are the record's own and never items."""
    match event:
        case ContentEvent():
            return event.source, event.id
        case AudienceEvent(item=str(item)):
            return event.source, item
        case AudienceEvent():
            return event.source, f"@audience/{event.container}"
        case PrincipalEvent():
            return event.source, f"@principal/{event.id}"
        case MemberEvent():
            return event.source, f"@member/{event.group}"
        case EntityEvent():
            return event.source, f"@entity/{event.id}"
        case TopologyEvent():
            return event.source, "@topology"


def take(conn: Connection, tenant: str, keys: Sequence[Key], now: datetime) -> dict[Key, int]:
    """Each key's last number, its row taken to the end of the transaction; no key comes twice."""
    values = {
        "tenant": tenant,
        "sources": [key[0] for key in keys],
        "ids": [key[1] for key in keys],
        "now": now,
    }
    rows = conn.execute(SQL["take_streams"], values).fetchall()
    if len(rows) < len(keys):
        rows = conn.execute(SQL["lock_streams"], values).fetchall()
    return {(source, id_): last for source, id_, last in rows}
