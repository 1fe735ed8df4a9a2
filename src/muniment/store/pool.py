"""A pool of connections on one database, and transactions as one of its roles."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, LiteralString, Self

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from muniment.domain.errors import Malformed, Unavailable

__all__ = ["Connection", "Database"]

Connection = psycopg.Connection[tuple[Any, ...]]

_PATIENCE: Final = 10.0
_SETTINGS: Final = {
    "application_name": "muniment",
    "connect_timeout": "5",
    # A peer that vanished without a word is noticed in about half a minute, not in two hours.
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


class Database:
    """A pool of connections on one database.

    Nothing connects before the first transaction; every connection is tried before it is lent, so that
    a restarted server is noticed here and not in the middle of somebody's work. It must not be
    carried across a fork.
    """

    def __init__(self, pool: ConnectionPool[Connection], conninfo: str) -> None:
        self._pool = pool
        self._conninfo = conninfo
        self._opening = threading.Lock()
        self._opened = False

    @classmethod
    def connect(cls, dsn: str, *, size: int = 10) -> Self:
        """A pool of at most `size` connections; the server is not asked for anything yet."""
        conninfo = _with_settings(dsn)
        pool = ConnectionPool(
            conninfo,
            min_size=0,
            max_size=size,
            timeout=_PATIENCE,
            open=False,
            check=ConnectionPool.check_connection,
            connection_class=Connection,
        )
        return cls(pool, conninfo)

    @contextmanager
    def transaction(self, role: LiteralString | None = None) -> Generator[Connection, None, None]:
        """A connection inside one transaction, acting as `role` until the transaction ends."""
        with self._lent() as conn, _named_loss(self._conninfo, conn), conn.transaction():
            if role is not None:
                conn.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
            yield conn

    @contextmanager
    def session(self) -> Generator[Connection, None, None]:
        """A connection that is in no transaction, for work that makes its own."""
        with self._lent() as conn, _named_loss(self._conninfo, conn):
            yield conn

    def close(self) -> None:
        """Close every connection; the pool cannot be used again."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _lent(self) -> Generator[Connection, None, None]:
        conn = self._borrow()
        try:
            yield conn
        finally:
            self._pool.putconn(conn)

    def _borrow(self) -> Connection:
        self._open()
        try:
            return self._pool.getconn()
        except PoolTimeout:
            _probe(self._conninfo)
            raise Unavailable(
                f"all {self._pool.max_size} connections to {_place(self._conninfo)} have "
                "been in use for "
                f"{_PATIENCE:.0f} s; try again, or run fewer at once"
            ) from None
        except PoolClosed:
            raise Unavailable(
                f"the connection to {_place(self._conninfo)} has been closed; open the organisation again"
            ) from None

    def _open(self) -> None:
        with self._opening:
            if self._opened:
                return
            # The pool would try in the background and only say that it took too long; ask once ourselves.
            _probe(self._conninfo)
            self._pool.open()
            self._opened = True


def _with_settings(dsn: str) -> str:
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        # libpq quotes the part it could not read, which may be the password.
        raise Malformed(
            "the database URL cannot be read; write postgresql://user@host:5432/database"
        ) from None
    return make_conninfo(dsn, **{name: value for name, value in _SETTINGS.items() if name not in given})


def _probe(conninfo: str) -> None:
    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError as error:
        raise Unavailable(f"cannot reach {_place(conninfo)}: {_first_line(error)}") from error


def _place(conninfo: str) -> str:
    """The database as a person would name it: never its password."""
    known = conninfo_to_dict(conninfo)
    name, host = (
        known.get("dbname", known.get("user", "")),
        known.get("host", known.get("hostaddr", "localhost")),
    )
    return f"database {name!r} at {host!r}"


def _first_line(error: psycopg.Error) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


@contextmanager
def _named_loss(conninfo: str, conn: Connection) -> Generator[None, None, None]:
    """A lost connection or a full disk becomes Unavailable; a conflict of transactions stays what it is."""
    try:
        yield
    except psycopg.OperationalError as error:
        if not (conn.broken or conn.closed or (error.sqlstate or "").startswith(("08", "53", "57P"))):
            raise
        raise Unavailable(f"lost {_place(conninfo)}: {_first_line(error)}; try again") from error
