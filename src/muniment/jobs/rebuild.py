"""Derived rows dropped and made anew from canonical ones; and what they say, to compare two records."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from muniment.gate import directory
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.jobs.attempts import put_off, try_compile
from muniment.jobs.compile import Key
from muniment.jobs.loop import BATCH, Work
from muniment.jobs.turns import compile_alone
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["contents", "fingerprint", "rebuild", "rebuild_in"]

SQL: Final = load("rebuild")
JOBS: Final = load("jobs")
_DERIVED: Final = (
    "topology",
    "watermark",
    "mention",
    "reference",
    "handle",
    "name",
    "edge",
    "assertion",
    "echo",
    "version",
    "passage",
    "item",
    "fingerprint",
    "block",
    "segment",
)
_TABLES: Final = (
    "item",
    "item_version",
    "passage",
    "assertion",
    "echo",
    "edge",
    "entity_name",
    "mention",
    "reference",
    "handle",
    "fingerprint",
    "topology",
    "watermark",
    "principal",
    "principal_alias",
    "person_name",
    "member_now",
    "container",
    "container_clause",
    "posting_size",
)


def rebuild(work: Work) -> int:
    """Make everything derived again, in one transaction that meets no compilation; how many keys it took.

    Readers see the old rows until it commits. Vectors go with their passages; `embed_due` makes them again.
    A key that was dead is tried again, and set aside again where it still cannot be compiled.
    """
    with writing(work.database, work.tenant) as conn:
        return rebuild_in(conn, work)


def rebuild_in(conn: Connection, work: Work) -> int:
    """The same in the caller's transaction."""
    compile_alone(conn, work.tenant)
    directory.rebuild(conn, work.tenant)
    keys = _lock_streams(conn, work.tenant)
    for table in _DERIVED:
        conn.execute(SQL[f"drop_{table}"], {"tenant": work.tenant})
    conn.execute(SQL["settle_streams"], {"tenant": work.tenant})
    names = sorted(keys)
    return sum(_compiled(conn, work, names[at : at + BATCH]) for at in range(0, len(names), BATCH))


def _compiled(conn: Connection, work: Work, names: Sequence[Key]) -> int:
    """How many could be compiled; the others are put off as the loop does."""
    error = try_compile(conn, work.tenant, work.key, names)
    if error is None:
        return len(names)
    if len(names) > 1:
        return sum(_compiled(conn, work, [name]) for name in names)
    (name,) = names
    conn.execute(JOBS["reopen"], {"tenant": work.tenant, "source": name[0], "id": name[1]})
    put_off(conn, work.tenant, name, error, work.clock())
    return 0


def _lock_streams(conn: Connection, tenant: str) -> set[Key]:
    """Every key, held still: what is accepted from now on waits and is compiled afterwards."""
    return {(source, id_) for source, id_ in conn.execute(SQL["lock_every_stream"], {"tenant": tenant})}


def fingerprint(conn: Connection, tenant: str) -> dict[str, str]:
    """A digest of what each derived table says. Equal records have equal ones, however they grew."""
    return {table: _digest(rows) for table, rows in contents(conn, tenant).items()}


def contents(conn: Connection, tenant: str) -> Mapping[str, list[str]]:
    """What each derived table says, row by row.

    Audiences by their clauses, and no number that chance gave.
    """
    rows = {
        table: sorted(row for (row,) in conn.execute(SQL[f"said_{table}"], {"tenant": tenant}))
        for table in _TABLES
    }
    return {**rows, "posting": _postings(conn, tenant)}


def _postings(conn: Connection, tenant: str) -> list[str]:
    passages: dict[int, UUID] = dict(conn.execute(SQL["passages_by_number"], {"tenant": tenant}).fetchall())
    clauses: dict[int, str] = dict(conn.execute(SQL["clauses_by_number"], {"tenant": tenant}).fetchall())
    return sorted(
        f"{era} {term} {clauses.get(audience)} {passages.get(doc)} {tf} {length}"
        for era, term, audience, doc, tf, length in lexical.postings_of(conn, tenant)
    )


def _digest(rows: list[str]) -> str:
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()
