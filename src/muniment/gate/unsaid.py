"""Statements of the directory taken back, before what is left of their events is stated again."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from muniment.gate import directory
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["unsay"]

SQL: Final = load("gate")
Key = tuple[str, str]
_KINDS: Final = {
    "@principal/": ("unsay_principals",),
    "@member/": ("unsay_edges", "unsay_listings"),
    "@audience/": ("unsay_containers",),
}


def unsay(conn: Connection, tenant: str, keys: Collection[Key]) -> None:
    """Take back everything stated under these keys, each of which is one source's word on one thing."""
    directory.lock(conn, tenant)
    for prefix, queries in _KINDS.items():
        found = sorted((source, id_.removeprefix(prefix)) for source, id_ in keys if id_.startswith(prefix))
        values = {"tenant": tenant, "sources": [one[0] for one in found], "names": [one[1] for one in found]}
        for query in queries if found else ():
            conn.execute(SQL[query], values)
