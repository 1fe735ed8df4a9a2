"""A pool of connections on one database, and transactions as one of its roles."""

from __future__ import annotations

import select
import threading
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, LiteralString, NamedTuple, Protocol, Self

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from muniment.domain.errors import Malformed, Unavailable

__all__ = ["Connection", "Database", "Look", "Readable", "look"]

Connection = psycopg.Connection[tuple[Any, ...]]

_PATIENCE: Final = 10.0
_STATEMENTS: Final = 200  # more than any mix of verbs asks; each is planned once a connection
_SOON: Final = 2.0  # seconds after which somebody who waits looks whether the server is there at all
# Seconds for which the pool itself tries to connect; its later tries come ever more rarely.
_AGAIN: Final = 1.0
_SETTINGS: Final = {
    "application_name": "muniment",
    # A peer that vanished without a word is noticed in about half a minute, not in two hours.
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
_UNCHANGED: Final[Mapping[str, str]] = MappingProxyType({})
_SLOWEST_CONNECTION: Final = 5.0
_BEGIN: Final = "begin"
# One state of the record from the first statement to the last, and no writes by mistake.
_BEGIN_LOOKING: Final = "begin isolation level repeatable read read only"


class Look(NamedTuple):
    """A connection that looks; on a replica also the transactions that the primary showed before it began."""

    conn: Connection
    primary: str | None = None


class Readable(Protocol):
    """Where something is read, in one transaction of one moment."""

    def reading(
        self, role: LiteralString | None, local: Mapping[str, str]
    ) -> AbstractContextManager[Look]: ...


class Database:
    """A pool of connections on one database.

    Nothing connects before the first transaction; a connection whose server hung up is not lent, so that
    a restarted one is noticed here and not in the middle of somebody's work. It must not be
    carried across a fork.
    """

    def __init__(self, pool: ConnectionPool[Connection], conninfo: str) -> None:
        self._pool = pool
        self._conninfo = conninfo
        self._opening = threading.Lock()
        self._opened = False
        self._is_away = False

    @classmethod
    def connect(
        cls, dsn: str, *, size: int = 10, patience: float = _PATIENCE, kept: int = _STATEMENTS
    ) -> Self:
        """A pool of at most `size` connections, each waited for so many seconds; nothing is asked for yet.

        Each keeps as many as `kept` statements prepared.
        """

        def keep(conn: Connection) -> None:
            conn.prepared_max = kept

        conninfo = _with_settings(dsn, min(patience, _SLOWEST_CONNECTION))
        pool = ConnectionPool(
            conninfo,
            min_size=0,
            max_size=size,
            timeout=patience,
            reconnect_timeout=_AGAIN,
            open=False,
            check=_try_out,
            configure=keep,
            connection_class=Connection,
            kwargs={"autocommit": True},  # whoever wants a transaction begins it
        )
        return cls(pool, conninfo)

    @contextmanager
    def transaction(
        self, role: LiteralString | None = None, local: Mapping[str, str] = _UNCHANGED
    ) -> Generator[Connection, None, None]:
        """A connection inside one transaction, acting as `role` under these settings until it ends."""
        with self._begun(_BEGIN, role, local) as conn:
            yield conn

    @contextmanager
    def looking(
        self, role: LiteralString | None = None, local: Mapping[str, str] = _UNCHANGED
    ) -> Generator[Connection, None, None]:
        """The same, read-only and of one moment."""
        with self._begun(_BEGIN_LOOKING, role, local) as conn:
            yield conn

    @contextmanager
    def reading(self, role: LiteralString | None, local: Mapping[str, str]) -> Generator[Look, None, None]:
        """The same as `looking`, as what is read on a replica is told."""
        with self.looking(role, local) as conn:
            yield Look(conn)

    @property
    def place(self) -> str:
        """The database as a person would name it: never its password."""
        return _place(self._conninfo)

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
    def _begun(
        self, begin: LiteralString, role: LiteralString | None, local: Mapping[str, str]
    ) -> Generator[Connection, None, None]:
        with self._lent() as conn, _named_loss(self._conninfo, conn), _begun_on(conn, begin, role, local):
            yield conn

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
            return self._got()
        except PoolTimeout:
            raise Unavailable(
                f"all {self._pool.max_size} connections to {_place(self._conninfo)} have "
                "been in use for "
                f"{self._pool.timeout:g} s; try again, or run fewer at once"
            ) from None
        except PoolClosed:
            raise Unavailable(
                f"the connection to {_place(self._conninfo)} has been closed; open the organisation again"
            ) from None

    def _got(self) -> Connection:
        """One of the pool's. While the server is away everybody is told so at once; none waits in line."""
        if self._is_away:
            self._look()
        soon = min(_SOON, self._pool.timeout)
        try:
            return self._pool.getconn(soon)
        except PoolTimeout:
            self._look()
            return self._pool.getconn(self._pool.timeout - soon)

    def _look(self) -> None:
        """Whether the server is there; Unavailable where it is not."""
        self._is_away = True
        _probe(self._conninfo)
        self._is_away = False

    def _open(self) -> None:
        with self._opening:
            if self._opened:
                return
            # The pool would try in the background and only say that it took too long; ask once ourselves.
            _probe(self._conninfo)
            self._pool.open()
            self._opened = True


@contextmanager
def look(
    conn: Connection, role: LiteralString | None, local: Mapping[str, str]
) -> Generator[None, None, None]:
    """A read-only transaction of one moment on a connection that is in none."""
    with _begun_on(conn, _BEGIN_LOOKING, role, local):
        yield


@contextmanager
def _begun_on(
    conn: Connection, begin: LiteralString, role: LiteralString | None, local: Mapping[str, str]
) -> Generator[None, None, None]:
    # All of it in one message: a transaction's beginning is paid for by every request there is.
    conn.execute(_beginning(begin, role, frozenset(local.items())), prepare=False)
    with _ended(conn):
        yield


@lru_cache(maxsize=256)
def _beginning(begin: LiteralString, role: LiteralString | None, local: frozenset[tuple[str, str]]) -> bytes:
    """The statements that open a transaction, as one text."""
    said: list[sql.Composable] = [sql.SQL(begin)]
    if role is not None:
        said.append(sql.SQL("set local role {}").format(sql.Identifier(role)))
    for name, value in sorted(local):
        setting = sql.Identifier(*name.split("."))
        said.append(sql.SQL("set local {} = {}").format(setting, sql.Literal(value)))
    return sql.SQL("; ").join(said).as_bytes()


@contextmanager
def _ended(conn: Connection) -> Generator[None, None, None]:
    """Committed, or on any error taken back; `Rollback` takes it back without one."""
    try:
        with suppress(psycopg.Rollback):
            yield
            conn.commit()
    finally:
        # Nothing where it was committed. What went wrong first is what is told, and a connection that takes
        # nothing back is not lent again.
        with suppress(psycopg.OperationalError):
            conn.rollback()


def _try_out(conn: Connection) -> None:
    """Raise where the server is gone.

    It cannot go without the socket having something to read: a word of farewell, or the end. So a socket with
    nothing to read is not asked, which would cost every transaction a round trip.
    """
    waiting = select.poll()
    waiting.register(conn.fileno(), select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(conn)


def _with_settings(dsn: str, connecting: float) -> str:
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        # libpq quotes the part it could not read, which may be the password.
        raise Malformed(
            "the database URL cannot be read; write postgresql://user@host:5432/database"
        ) from None
    ours = {**_SETTINGS, "connect_timeout": f"{connecting:.0f}"}
    return make_conninfo(dsn, **{name: value for name, value in ours.items() if name not in given})


def _probe(conninfo: str) -> None:
    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError as error:
        raise Unavailable(f"cannot reach {_place(conninfo)}: {_first_line(error)}") from error


def _place(conninfo: str) -> str:
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
        if not (conn.broken or conn.closed or _is_loss(error)):
            raise
        raise Unavailable(f"lost {_place(conninfo)}: {_first_line(error)}; try again") from error


def _is_loss(error: BaseException | None) -> bool:
    """Whether it says so, or what it came from: a pipeline that lost its server says only that it is busy."""
    if not isinstance(error, psycopg.OperationalError):
        return False
    return (error.sqlstate or "").startswith(("08", "53", "57P")) or _is_loss(error.__context__)
