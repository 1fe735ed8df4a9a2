"""On whose word a batch comes, as the record knows them when it is taken in."""

from __future__ import annotations

from typing import Final

from muniment.events.rights import Credential
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["credential_of"]

SQL: Final = load("gate")


def credential_of(conn: Connection, tenant: str, importer: str) -> Credential:
    """What this importer may say: of every source, a steward; of those that others feed, nobody else."""
    row = conn.execute(SQL["word_of"], {"tenant": tenant, "principal": importer}).fetchone()
    steward, found = (False, None) if row is None else row
    sources = found or ()
    return Credential(
        importer,
        steward,
        frozenset(source for source, fed_by, _ in sources if fed_by != importer and not steward),
        frozenset(source for source, _, is_directory in sources if is_directory),
        met=frozenset(source for source, _, _ in sources),
    )
