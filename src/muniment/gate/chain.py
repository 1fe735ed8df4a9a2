"""The chain over the audit: sealed one pass after another, verified from its first entry to its last.

Entries commit in another order than they count, so that the sealer numbers them: whatever waits at that
moment, in one transaction at a time. `audit_unsealed` says what waits, without a look at what is sealed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from muniment.domain.audit import (
    AuditReport,
    Broken,
    Envelope,
    Head,
    Link,
    Walk,
    check_head,
    genesis,
    micros,
    next_head,
)
from muniment.gate.binding import looking
from muniment.store.pool import Connection, Database
from muniment.store.queries import load

__all__ = ["at_once", "head", "seal", "verify", "verify_end", "waiting"]

SQL: Final = load("chain")
PAGE: Final = 10_000
LOWEST: Final = -(2**63)  # of all numbers there can be: a seal below the first is one put there by hand


@contextmanager
def at_once(database: Database, tenant: str) -> Generator[Connection]:
    """A transaction that sees the audit as it stood at one moment, however long it looks."""
    with looking(database, tenant) as conn:
        yield conn


def seal(conn: Connection, tenant: str, now: datetime) -> int:
    """Put everything that waits into the chain, in the caller's transaction; how many entries that was."""
    conn.execute(SQL["hold_chain"], {"tenant": tenant})
    total = 0
    while sealed := _seal_page(conn, tenant, now):
        total += sealed
    return total


def head(conn: Connection, tenant: str) -> Head:
    """Where the chain ends."""
    number, last, sealed_at = _end(conn, tenant)
    return Head(number, last.hex(), sealed_at)


def waiting(conn: Connection, tenant: str) -> int:
    """How many entries are not sealed yet."""
    row = conn.execute(SQL["waiting"], {"tenant": tenant}).fetchone()
    return 0 if row is None else int(row[0])


def verify(conn: Connection, tenant: str, published: Sequence[Head]) -> AuditReport:
    """The whole chain, every commitment, what is in no chain, and whether published heads are there."""
    walk = Walk(0, _beginning(conn, tenant))
    _follow(conn, tenant, walk, LOWEST)
    end = head(conn, tenant)
    for one in published:
        for broken in check_head(one, _head_at(conn, tenant, one.number), end.number):
            walk.report(broken)
    for broken in _strays(conn, tenant):
        walk.report(broken)
    return _report(walk, end, waiting(conn, tenant), len(published))


def verify_end(conn: Connection, tenant: str, last: int) -> AuditReport:
    """The last entries only, from a head before them that is taken to be right."""
    end = head(conn, tenant)
    before = max(0, end.number - last)
    found = _head_at(conn, tenant, before)
    walk = Walk(before, found or b"")
    if found is None:
        walk.report(Broken(before, None, f"number {before:,} is missing from the chain"))
    _follow(conn, tenant, walk, before)
    return _report(walk, end, waiting(conn, tenant), 0)


def _seal_page(conn: Connection, tenant: str, now: datetime) -> int:
    due = conn.execute(SQL["take_unsealed"], {"tenant": tenant, "limit": PAGE}).fetchall()
    if not due:
        return 0
    number, last, _ = _end(conn, tenant)
    heads = []
    for place, row in enumerate(due, number + 1):
        last = next_head(last, place, micros(now), Envelope(*row))
        heads.append(last)
    values = {"after": number, "entries": [row[0] for row in due], "heads": heads, "now": now}
    conn.execute(SQL["seal"], {"tenant": tenant, **values})
    return len(due)


def _end(conn: Connection, tenant: str) -> tuple[int, bytes, datetime | None]:
    row = conn.execute(SQL["last_seal"], {"tenant": tenant}).fetchone()
    return (0, _beginning(conn, tenant), None) if row is None else (row[0], bytes(row[1]), row[2])


def _beginning(conn: Connection, tenant: str) -> bytes:
    row = conn.execute(SQL["chained_as"], {"tenant": tenant}).fetchone()
    return genesis(tenant if row is None else row[0])


def _head_at(conn: Connection, tenant: str, number: int) -> bytes | None:
    if number == 0:
        return _beginning(conn, tenant)
    row = conn.execute(SQL["head_at"], {"tenant": tenant, "number": number}).fetchone()
    return None if row is None else bytes(row[0])


def _follow(conn: Connection, tenant: str, walk: Walk, after: int) -> None:
    """Every place after a number, a page at a time."""
    while rows := conn.execute(
        SQL["sealed_after"], {"tenant": tenant, "after": after, "limit": PAGE}
    ).fetchall():
        for row in rows:
            walk.follow(_link(row))
        after = rows[-1][0]


def _link(row: tuple[Any, ...]) -> Link:
    number, entry, stored, sealed_at, at, principal, action, target, commitment, salt, content = row
    kept = None if principal is None else Envelope(entry, at, principal, action, target, commitment)
    return Link(number, entry, stored, sealed_at, kept, salt, content)


def _strays(conn: Connection, tenant: str) -> Iterator[Broken]:
    for (entry,) in conn.execute(SQL["past_the_door"], {"tenant": tenant}):
        yield Broken(None, entry, "it is neither sealed nor waiting to be: it was put there by hand")
    for (entry,) in conn.execute(SQL["gone_unsealed"], {"tenant": tenant}):
        yield Broken(None, entry, "it waited to be sealed and is gone from the audit")


def _report(walk: Walk, end: Head, unsealed: int, published: int) -> AuditReport:
    return AuditReport(
        ok=not walk.broken,
        head=end,
        sealed=walk.sealed,
        erased=walk.erased,
        waiting=unsealed,
        published=published,
        broken=tuple(walk.broken),
        more=walk.more,
    )
