"""What a deletion leaves in files: the bytes of a deleted row, until its table is vacuumed or rewritten.

A plain vacuum may leave them in the free space of a page, so tables are rewritten, which locks each for as
long as it takes; one too large for that unasked is vacuumed. Then the log: where the user may, it goes on in
a new file, and a checkpoint lets the server take the old ones away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, LiteralString

import psycopg
from psycopg import sql

from muniment.store.pool import Connection, Database
from muniment.store.queries import load

__all__ = ["LARGE", "Scrubbed", "scrub"]

SQL: Final = load("store")
LARGE: Final = 64 * 1024 * 1024  # bytes; a table of these is rewritten in about a second


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Tables written anew, those only vacuumed, those left; whether the log was left behind."""

    rewritten: int
    vacuumed: tuple[str, ...]
    left: tuple[str, ...]
    log: bool


def scrub(database: Database, *, most: int | None = LARGE) -> Scrubbed:
    """Take the bytes of deleted rows out of the files. Tables of more than `most` bytes are only vacuumed."""
    with database.session() as conn:
        try:
            conn.execute(SQL["wait_a_little"])
            return _scrub(conn, most)
        finally:
            conn.execute(SQL["wait_as_usual"])


def _scrub(conn: Connection, most: int | None) -> Scrubbed:
    rewritten = 0
    vacuumed: list[str] = []
    left: list[str] = []
    for name, size in conn.execute(SQL["table_sizes"]).fetchall():
        table = sql.Identifier(*name.split("."))
        role = SQL["become_owner"] if name.startswith("muniment.") else SQL["become_oneself"]
        if (most is None or size <= most) and _did(
            conn, role, sql.SQL("vacuum (full, analyze) {}").format(table)
        ):
            rewritten += 1
        elif _did(conn, role, sql.SQL("vacuum (analyze) {}").format(table)):
            vacuumed.append(name)
        else:
            left.append(name)
    return Scrubbed(rewritten, tuple(vacuumed), tuple(left), _leave_log(conn))


def _leave_log(conn: Connection) -> bool:
    """Twice, as a checkpoint keeps what the one before it needs."""
    return all(
        _did(conn, SQL["become_oneself"], sql.SQL(SQL["switch_log"]))
        and _did(conn, SQL["become_checkpointer"], sql.SQL(SQL["checkpoint"]))
        for _ in range(2)
    )


def _did(conn: Connection, role: LiteralString, statement: sql.SQL | sql.Composed) -> bool:
    """Whether it could be done: nobody was in the way, and the user may."""
    warned: list[psycopg.errors.Diagnostic] = []
    conn.add_notice_handler(warned.append)
    try:
        conn.execute(role)
        conn.execute(statement)
    except (
        psycopg.errors.LockNotAvailable,
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.DeadlockDetected,
    ):
        return False
    finally:
        conn.remove_notice_handler(warned.append)
        conn.execute(SQL["become_oneself"])
    # Who may not vacuum a table is warned, and the table is passed over.
    return not any(one.severity_nonlocalized == "WARNING" for one in warned)
