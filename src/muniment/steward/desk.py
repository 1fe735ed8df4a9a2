"""The desk itself: one steward's transactions, each of which asks first whether they still are one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from muniment.domain.errors import Refused
from muniment.domain.record import Moment
from muniment.domain.remembered import forget_texts
from muniment.gate import audit, policy
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing, Reader, reading_as
from muniment.index.vectors import forget_codes
from muniment.jobs.loop import Work
from muniment.jobs.turns import Turn, compile_alone, unhindered
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Desk", "alone", "beside_others"]

Done = TypeVar("Done")
_ORG: Final = load("org")


@dataclass(frozen=True, slots=True)
class Desk:
    """Who sits there, and whose record it is.

    `model` names the embedder in use, `language_model` the language model and what it does, if there is one.
    """

    work: Work
    principal: str
    model: str | None
    language_model: str | None = None

    @property
    def tenant(self) -> str:
        """Whose record it is."""
        return self.work.tenant

    @property
    def now(self) -> datetime:
        """What the record's clock says."""
        return self.work.clock()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction of a steward's; Refused for whoever is none any more."""
        with writing(self.work.database, self.tenant) as conn:
            if not policy.is_steward(conn, self.tenant, self.principal):
                raise Refused(f"{self.principal!r} is no steward of this organisation")
            yield conn

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """What this steward may read, and nothing else: the role opens no content."""
        hearing, moment = Hearing(self.principal), Moment(self.now, self.now, None)
        with reading_as(self.work.database, self.tenant, self.work.key, hearing, moment) as reader:
            yield reader

    def record(self, conn: Connection, action: str, target: str, content: dict[str, object]) -> None:
        """Write an act in the audit, in the transaction that does it."""
        act = audit.Act(self.now, self.principal, action, target, content)
        audit.record(conn, self.tenant, act, self.work.salts())


@contextmanager
def alone(desk: Desk) -> Iterator[Connection]:
    """A transaction of a steward's in which nobody else compiles or takes anything in.

    What is erased in it leaves what processes keep of texts, too, once it is gone from the record: until then
    somebody else may still read it, and so have it kept again. Others learn of it when they next read.
    """
    with desk.writing() as conn:
        compile_alone(conn, desk.tenant)
        yield conn
        conn.execute(_ORG["note_erasure"], {"tenant": desk.tenant})
    forget_codes(desk.tenant)
    forget_texts()


def beside_others(desk: Desk, act: Callable[[Connection], Done]) -> Done:
    """What a steward does while others compile, again and alone where one of them was in the way."""

    def taken(turn: Turn) -> Done:
        with desk.writing() as conn:
            turn(conn, desk.tenant)
            return act(conn)

    return unhindered(taken)
