"""Whose words are whose, as the directory has it: what must be judged anew when it says otherwise."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from muniment.gate.directory import address_of
from muniment.jobs.compile import Key
from muniment.jobs.turns import hold_keys
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["reopen", "written_by"]

SQL: Final = load("jobs")


def written_by(conn: Connection, tenant: str, principals: Collection[str]) -> set[Key]:
    """What may count for more or less once something else is said of these people.

    That is what those wrote who ever were outside, and what came from an address of any of them. Ask before
    it is said and after: an address may be new, or be gone.
    """
    if not principals:
        return set()
    values = {"tenant": tenant, "principals": sorted(principals)}
    ids = {principal for (principal,) in conn.execute(SQL["ever_outside"], values)}
    names = {*principals, *(name for (name,) in conn.execute(SQL["addresses_of"], values))}
    authors = [author for (author,) in conn.execute(SQL["addressed_authors"], values)]
    addresses = [author for author in authors if not names.isdisjoint((author, address_of(author)))]
    found = conn.execute(SQL["written_by"], {**values, "ids": sorted(ids), "addresses": addresses})
    return {(source, id_) for source, id_ in found}


def reopen(conn: Connection, tenant: str, keys: Collection[Key], now: datetime) -> None:
    """Make these due again."""
    if not keys:
        return
    names = sorted(keys)
    hold_keys(conn, tenant, names)
    bound = {"sources": [source for source, _ in names], "ids": [id_ for _, id_ in names]}
    conn.execute(SQL["reopen_all"], {"tenant": tenant, "now": now, **bound})
