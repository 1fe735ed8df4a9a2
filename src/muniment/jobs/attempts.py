"""A compilation that may fail: whose fault it is, and what becomes of a key that cannot be compiled."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

import psycopg

from muniment.domain.errors import Unavailable
from muniment.jobs.compile import Histories, Key, compile_keys
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["is_everybodys", "put_off", "try_compile"]

log = logging.getLogger(__name__)
SQL: Final = load("jobs")
MOST_ATTEMPTS: Final = 5
_WAIT: Final = timedelta(seconds=30)
_REASON: Final = 500  # characters kept of what went wrong


def is_everybodys(error: Exception) -> bool:
    """Whether whatever came next would have met it too: a lost connection, a full disk, a deadlock.

    What exceeds a limit of the database (SQLSTATE 54…) is an operational error as well, and its input's own.
    """
    if isinstance(error, psycopg.OperationalError):
        return not (error.sqlstate or "").startswith("54")
    return isinstance(error, Unavailable)


def try_compile(
    conn: Connection,
    tenant: str,
    key: bytes,
    keys: Collection[Key],
    whole: Histories = MappingProxyType({}),
    *,
    within: Callable[[Connection], AbstractContextManager[object]] = Connection.transaction,
) -> Exception | None:
    """Compile these keys, or write nothing and say what was wrong with them; `within` sees to the nothing.

    Raises what is no key's own fault.
    """
    try:
        with within(conn):
            compile_keys(conn, tenant, key, keys, whole)
    except Exception as error:  # one of two allowed places: a key that fails must not stop the rest
        if is_everybodys(error):
            raise
        return error
    return None


def put_off(conn: Connection, tenant: str, name: Key, error: Exception, now: datetime) -> None:
    """Try the key again later; after a few times set it aside, with the reason, until it is revived."""
    log.error("a key could not be compiled: source %r, id %r", *name)
    reason = f"{type(error).__name__}: {error}".replace("\x00", "")[:_REASON]
    values = {"tenant": tenant, "source": name[0], "id": name[1], "reason": reason, "most": MOST_ATTEMPTS}
    conn.execute(SQL["put_off"], {**values, "run_at": now + _WAIT})
