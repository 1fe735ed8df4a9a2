"""How far each source has been heard, for every audience an item joined or left."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["HEARD", "mark", "mark_new"]

SQL: Final = load("writer")
HEARD: Final = frozenset(("live", "pending"))  # how far a source was heard, only these tell, as `mark` has it


def mark(conn: Connection, tenant: str, touched: Collection[tuple[str, int]]) -> None:
    """Set the watermark of each (source, audience) to its newest item, or drop it where there is none.

    The pairs are held to the end of the transaction: of two that touch one, the later sees what the earlier
    wrote.
    """
    pairs = sorted(touched)
    values = {
        "tenant": tenant,
        "sources": [source for source, _ in pairs],
        "audiences": [audience for _, audience in pairs],
    }
    conn.execute(SQL["hold_watermarks"], values)
    conn.execute(SQL["mark"], values)


def mark_new(conn: Connection, tenant: str, newest: Mapping[tuple[str, int], datetime]) -> None:
    """The same where items only came: no watermark can fall, so what else is there is not looked at."""
    if not newest:
        return
    values = {
        "tenant": tenant,
        "sources": [source for source, _ in newest],
        "audiences": [audience for _, audience in newest],
        "ats": list(newest.values()),
    }
    conn.execute(SQL["mark_new"], values)
