"""What goes into a record: files, events, and what was refused before, taken in on somebody's word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from muniment.domain.audience import is_principal
from muniment.domain.errors import Usage
from muniment.domain.values import Receipt
from muniment.gate import policy
from muniment.gate.binding import writing
from muniment.jobs.credentials import credential_of
from muniment.jobs.hooks import Hooks
from muniment.jobs.intake import Intake, Stamped, compile_taken, leave_due
from muniment.jobs.loop import Work, drain, settle, tidy_meanwhile
from muniment.jobs.pull import Pulling
from muniment.jobs.receive import receive
from muniment.sources.arrived import Arrived
from muniment.store.pool import Connection

__all__ = ["Entrance", "Progress", "Word", "unseen"]

LINES_BETWEEN_TIDYING = 300
Progress = Callable[[int], None]


def unseen(_: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Word:
    """On whose word something is taken in; whoever hands it in may be another.

    `kind` and `trust` are what a source is called that is met for the first time.
    """

    of: str
    importer: str
    trust: str = "default"
    kind: str = "import"

    @classmethod
    def own(cls, importer: str, trust: str | None = None) -> Word:
        """Their own; Usage for what names nobody."""
        if not is_principal(importer):
            raise Usage(f"importer {importer!r} names nobody: use user:…, service:… or agent:…")
        return cls(importer, importer, trust or "default")


class Entrance:
    """The front door of one record, and the work that what came through it leaves to do."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self.hooks = Hooks()
        self._untidied = 0  # lines taken in since small segments of the index were last merged

    def take(
        self,
        arrived: Iterable[Arrived],
        word: Word,
        progress: Progress = unseen,
        *,
        defer: bool = False,
    ) -> Receipt:
        """Take all of it in; compiled before this returns, or left to a sync or a worker."""
        receipt, due = receive(
            self._work.database, lambda: self._stamp(word, defer=defer), arrived, self._tidying(progress)
        )
        self._untidied += len(receipt.items)
        if due and not defer:
            drain(self._work)
        if self._untidied >= LINES_BETWEEN_TIDYING:
            settle(self._work)
            self._untidied = 0
        return receipt

    def pulling(self, wait: Callable[[float], None]) -> Pulling:
        """What the loops of live sources work with."""

        def take(arrived: Sequence[Arrived], who: str) -> Receipt:
            return self.take(arrived, Word(who, who))

        return Pulling(self._work, take, wait)

    def require_steward(self, who: str) -> None:
        """Usage for whoever may not say how far a source is trusted: a steward may."""
        with writing(self._work.database, self._work.tenant) as conn:
            if not policy.is_steward(conn, self._work.tenant, who):
                raise Usage(f"only a steward says how far a source is trusted, and {who!r} is none")

    def _stamp(self, word: Word, *, defer: bool) -> Stamped:
        work, apply = self._work, leave_due if defer else compile_taken
        at = work.clock()

        def intake(conn: Connection) -> Intake:
            who = replace(credential_of(conn, work.tenant, word.of), importer=word.importer)
            return Intake(work.tenant, work.key, who, at, work.salts, word.kind, word.trust, apply)

        return Stamped(work.tenant, intake)

    def _tidying(self, progress: Progress) -> Progress:
        """Progress that also merges small segments of the index every so many lines."""

        def after(lines: int) -> None:
            if self._untidied + lines >= LINES_BETWEEN_TIDYING:
                tidy_meanwhile(self._work)
            progress(lines)

        return after
