"""The right to do a slow step alone, held outside transactions, and a fence against who lost it unawares."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from muniment.gate.binding import writing
from muniment.jobs.loop import Work
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["LASTS", "PRESENT", "Turn", "present", "try_turn"]

SQL: Final = load("lease")
LASTS: Final = timedelta(
    minutes=5
)  # more than the slowest batch takes; it is prolonged with each one written


PRESENT: Final = timedelta(seconds=30)


def present(work: Work) -> None:
    """Say that this process works on the record, until PRESENT has passed; anew when half of that has."""
    name, now = f"worker/{_holder()}", work.clock()
    values = {"tenant": work.tenant, "name": name, "holder": _holder(), "until": now + PRESENT}
    with writing(work.database, work.tenant) as conn:
        conn.execute(SQL["attend"], {**values, "soon": now + PRESENT / 2})


@dataclass(frozen=True, slots=True)
class Turn:
    """A holder's turn. Its number is larger than that of every turn before."""

    work: Work
    name: str
    fence: int

    def holds(self, conn: Connection) -> bool:
        """Whether the turn is still ours, and then so to the end of this transaction at least."""
        return conn.execute(SQL["hold"], self._values).fetchone() is not None

    def end(self) -> None:
        """Let the next one begin at once."""
        with writing(self.work.database, self.work.tenant) as conn:
            conn.execute(SQL["give_back"], self._values)

    @property
    def _values(self) -> dict[str, object]:
        now = self.work.clock()
        values = {"tenant": self.work.tenant, "name": self.name, "fence": self.fence}
        return {**values, "now": now, "until": now + LASTS}


@contextmanager
def try_turn(work: Work, name: str) -> Generator[Turn | None]:
    """A turn, ended on the way out; None while somebody else has it, who may be dead for LASTS at most."""
    turn = _take(work, name)
    try:
        yield turn
    finally:
        if turn is not None:
            turn.end()


def _take(work: Work, name: str) -> Turn | None:
    now = work.clock()
    values = {"tenant": work.tenant, "name": name, "holder": _holder(), "now": now, "until": now + LASTS}
    with writing(work.database, work.tenant) as conn:
        row = conn.execute(SQL["take"], values).fetchone()
    return None if row is None else Turn(work, name, row[0])


def _holder() -> str:
    """This process, for people to read; the fence decides who holds what."""
    return f"{socket.gethostname()}:{os.getpid()}"
