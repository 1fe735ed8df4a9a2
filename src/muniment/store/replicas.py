"""Reads on standbys: only on one that shows all the primary had when the read began, else on the primary.

Whoever reads there could not tell it from a read of the primary: what was acknowledged before is seen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Final, LiteralString

import psycopg

from muniment.domain.errors import Unavailable
from muniment.domain.replicas import Reached, ReplicaStatus, Shown, is_behind, standing_of, unfit
from muniment.store.pool import Connection, Database, Look, look
from muniment.store.queries import load

__all__ = ["Lost", "Replica", "Spread", "connected"]

_SQL: Final = load("store")
_PATIENCE: Final = 0.05  # seconds for what is on its way; a read of the primary takes about as long
_STEP: Final = 0.001
_HASTE: Final = 0.5  # seconds in which nothing is waited for, once it was in vain
_BORROWING: Final = 1.0  # seconds for a connection: the primary has one too
_SHORTEST_REST: Final = 1.0
_LONGEST_REST: Final = 60.0
# On this machine's disk, however many others are waited for when something is written.
_HERE: Final = {"synchronous_commit": "local"}


class Lost(Unavailable):
    """A replica ended a read before its time; the primary can still be asked."""


@dataclass(frozen=True, slots=True)
class _Primary:
    """The database that is written, and how far it had come when a read asked."""

    database: Database
    reached: Reached

    def flush(self) -> None:
        """Let standbys have all of what was reached."""
        with self.database.transaction(None, _HERE) as conn:
            conn.execute(_SQL["flush"])


@dataclass(slots=True)
class _Counts:
    reads: int = 0
    lost: int = 0
    passed: int = 0


class Replica:
    """A standby that may be read: left alone for a while where it is away or unfit, longer each time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._rest = 0.0
        self._rests_until = 0.0
        self._hastes_until = 0.0
        self._counts = _Counts()

    def is_awake(self) -> bool:
        """Whether to try it. Of those who find its rest over, one does, and the others are passed on."""
        now = time.monotonic()
        with self._guard:
            if now < self._rests_until:
                self._counts.passed += 1
                return False
            if self._rest:  # a second who comes meanwhile need not wait for what the first will know
                self._rests_until = now + self._rest
            return True

    def try_look(
        self, stack: ExitStack, primary: _Primary, role: LiteralString | None, local: Mapping[str, str]
    ) -> Connection | None:
        """A connection in a transaction that sees all of what the primary had reached, or None."""
        with ExitStack() as own:
            try:
                conn = own.enter_context(self._database.session())
                # Before the transaction begins: a snapshot that is older than the answer would prove nothing.
                if not self._has_all(conn, primary):
                    self._count(passed=1)
                    return None
                own.enter_context(look(conn, role, local))
            except (psycopg.OperationalError, Unavailable):
                self._go_to_rest()
                self._count(passed=1)
                return None
            stack.enter_context(self._watched())
            stack.enter_context(own.pop_all())
        return conn

    def status(self, reached: Reached) -> ReplicaStatus:
        """How it stands now, whether it rests or not, and what was done with it."""
        with self._guard:
            counts = self._counts.reads, self._counts.lost, self._counts.passed
        try:
            with self._database.session() as conn:
                shown = _awaited(conn, reached)
        except (psycopg.OperationalError, Unavailable) as error:
            return ReplicaStatus(self._database.place, "away", str(error), None, None, *counts)
        return ReplicaStatus(self._database.place, *standing_of(reached, shown), *counts)

    def _has_all(self, conn: Connection, primary: _Primary) -> bool:
        """Whether it may be read; what is on its way is waited for, unless that was in vain just now."""
        shown = _shown(conn, primary.reached)
        is_fit = unfit(primary.reached, shown) is None
        if is_fit and is_behind(shown) and time.monotonic() >= self._hastes_until:
            primary.flush()
            shown = _awaited(conn, primary.reached)
            is_fit = unfit(primary.reached, shown) is None
            self._hastes_until = time.monotonic() + _HASTE if is_behind(shown) else 0.0
        if not is_fit:
            self._go_to_rest()
            return False
        self._wake()
        return not is_behind(shown)

    @contextmanager
    def _watched(self) -> Generator[None, None, None]:
        """Whatever ends a read there before its time is told as that, and gives it a rest."""
        try:
            yield
        except (psycopg.OperationalError, Unavailable) as error:
            if not _is_loss(error):
                raise
            self._go_to_rest()
            self._count(lost=1)
            raise Lost(f"lost {self._database.place} in the middle of a read; try again") from error
        self._count(reads=1)

    def _wake(self) -> None:
        with self._guard:
            self._rest, self._rests_until = 0.0, 0.0

    def _go_to_rest(self) -> None:
        with self._guard:
            self._rest = min(self._rest * 2 or _SHORTEST_REST, _LONGEST_REST)
            self._rests_until = time.monotonic() + self._rest

    def _count(self, *, reads: int = 0, lost: int = 0, passed: int = 0) -> None:
        with self._guard:
            self._counts.reads += reads
            self._counts.lost += lost
            self._counts.passed += passed


class Spread:
    """A primary with its replicas, which take turns at what is read."""

    def __init__(self, primary: Database, replicas: Sequence[Replica]) -> None:
        self._primary = primary
        self._replicas = tuple(replicas)
        self._turns = count()

    @contextmanager
    def reading(self, role: LiteralString | None, local: Mapping[str, str]) -> Generator[Look, None, None]:
        """A connection in a read-only transaction of one moment, on whoever has all that was acknowledged."""
        with ExitStack() as stack:
            found = self._on_replica(stack, role, local)
            yield found or stack.enter_context(self._primary.reading(role, local))

    def standing(self) -> tuple[ReplicaStatus, ...]:
        """How each replica stands, in the order in which they were named."""
        asked = self._asked()
        asked.flush()
        return tuple(one.status(asked.reached) for one in self._replicas)

    def _on_replica(
        self, stack: ExitStack, role: LiteralString | None, local: Mapping[str, str]
    ) -> Look | None:
        asked = None
        for one in self._in_turn():
            if not one.is_awake():
                continue
            asked = asked or self._asked()
            conn = one.try_look(stack, asked, role, local)
            if conn is not None:
                return Look(conn, asked.reached.snapshot)
        return None

    def _in_turn(self) -> Iterable[Replica]:
        first = next(self._turns) % len(self._replicas)
        return self._replicas[first:] + self._replicas[:first]

    def _asked(self) -> _Primary:
        """How far the primary has come, or Unavailable: without it nobody knows what was revoked."""
        with self._primary.session() as conn:
            row = conn.execute(_SQL["reached"]).fetchone()
        if row is None:  # one row by construction
            raise Unavailable("the primary does not say how far it has come; try again")
        return _Primary(self._primary, Reached(*row))


def connected(primary: Database, urls: Sequence[str], stack: ExitStack) -> Spread | None:
    """The primary with these replicas, none of which is asked for anything yet; None where there are none."""
    replicas = [Replica(stack.enter_context(Database.connect(url, patience=_BORROWING))) for url in urls]
    return Spread(primary, replicas) if replicas else None


def _is_loss(error: Exception) -> bool:
    """Whether it was the database that ended it, and not something else that cannot be had."""
    return isinstance(error if error.__cause__ is None else error.__cause__, psycopg.OperationalError)


def _awaited(conn: Connection, reached: Reached) -> Shown:
    """What it shows once it shows all that was reached, or after a moment."""
    end = time.monotonic() + _PATIENCE
    while is_behind(shown := _shown(conn, reached)) and time.monotonic() < end:
        time.sleep(_STEP)
    return shown


def _shown(conn: Connection, reached: Reached) -> Shown:
    row = conn.execute(_SQL["shown"], {"lsn": reached.lsn}).fetchone()
    if row is None:  # one row by construction
        raise Unavailable("a replica does not say what it shows; try again")
    return Shown(*row)
