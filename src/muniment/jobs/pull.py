"""A live source read: from the beginning, then by its cursor, then against what it still holds.

One puller a source at a time. A page's events are in the record before its cursor is: a crash repeats a page,
which the front door knows already, and loses none.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import psycopg

from muniment.domain.connections import Pulled, PullState
from muniment.domain.errors import Unavailable, Usage
from muniment.domain.values import Receipt
from muniment.jobs.backoff import chance_of, setback
from muniment.jobs.connections import Connected, Stands, connected, due, speaks_as
from muniment.jobs.lease import try_turn
from muniment.jobs.loop import Work
from muniment.jobs.sweep import judge
from muniment.sources.arrived import Arrived
from muniment.sources.connector import Connector, Cursor, CursorLost
from muniment.sources.parsed import Parsed

__all__ = ["PAGES_A_TURN", "Pulling", "Reach", "Take", "pull", "pull_due"]

log = logging.getLogger(__name__)
PAGES_A_TURN: Final = 20  # of a worker, which has other things to do
Take = Callable[[Sequence[Arrived], str], Receipt]
Seen = Callable[[int], None]


def _unwatched(_: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Pulling:
    """What the loops work with: the record, its front door on a principal's word, and a way to wait."""

    work: Work
    take: Take
    wait: Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one turn goes: at most so many pages, and whether it asks what the source still holds."""

    pages: int | None = None
    sweep: bool = False
    seen: Seen = _unwatched


def pull_due(pulling: Pulling) -> int:
    """A turn with each source whose time has come; how many pages there were.

    One of a kind that this version does not know is left as it is, and the others are read.
    """
    pages = 0
    for source in due(pulling.work):
        with suppress(Usage):
            pages += pull(pulling, source, Reach(PAGES_A_TURN)).pages
    return pages


def pull(pulling: Pulling, source: str, reach: Reach = Reach()) -> Pulled:
    """One turn with a source. What fails is written down, told, and tried again later; it is not raised."""
    with try_turn(pulling.work, f"pull/{source}") as turn:
        one = connected(pulling.work, source)
        if one.of.connect is None:
            raise Usage(f"source {source!r} only delivers by itself: there is nothing to pull")
        if turn is None:
            return Pulled(source, "busy", why="another process is reading it")
        if one.paused:
            return Pulled(source, "paused", why="paused; muniment connect --resume lets it go on")
        return _Turn(pulling, one, Stands(pulling.work, source, turn), reach).take()


class _LostError(Exception):
    """Somebody else reads the source now, or a person paused it: what was read is in, and no more is."""


@dataclass(slots=True)
class _Turn:
    """One turn with one source, and what it brought so far."""

    pulling: Pulling
    one: Connected
    stands: Stands
    reach: Reach
    pages: int = 0
    seen: int = 0
    swept: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    def take(self) -> Pulled:
        """All of it, however it ends."""
        began = self.pulling.work.clock()
        try:
            return self._taken(began)
        except _LostError:
            return self._told("busy", "somebody else reads it now, or it was paused", None)
        except Exception as error:  # one of two allowed places: a source that fails must not stop the others
            if isinstance(error, psycopg.OperationalError):
                raise
            return self._failed(error)

    def _taken(self, began: datetime) -> Pulled:
        connector, next_at = self._connector(), began + self.one.every
        anew = self._follow(connector)
        if anew is None:
            now = self.pulling.work.clock()
            told = None if self.one.polled_at is not None else "is still being read for the first time"
            self.stands.behind(told, now)
            return self._told("behind", told or "there is more to read", now)
        self.stands.current(began, next_at)
        if anew or self.reach.sweep or self.one.sweep_is_due(began):
            self._sweep(connector)
        return self._told("current", None, next_at)

    def _connector(self) -> Connector:
        make = self.one.of.connect
        assert make is not None  # noqa: S101  # asked before the turn began
        return make(self.one.configured(self.pulling.work.clock))

    def _follow(self, connector: Connector) -> bool | None:
        """Whether it had to begin anew; None where there is more to read than this turn may."""
        try:
            return False if self._read(connector, self.one.cursor) else None
        except CursorLost as error:
            if self.one.cursor is None:
                raise Unavailable(f"lost its place while it was read from the beginning: {error}") from None
            self.stands.began_anew()
            return True if self._read(connector, None) else None

    def _read(self, connector: Connector, cursor: Cursor | None) -> bool:
        """Page after page to the end; False where this turn has had its share."""
        for page in connector.pull(cursor):
            self._hand_in(page.parsed, "pull")
            if not self.stands.keep(page.cursor, page.seen, page.through):
                raise _LostError
            self.pages += 1
            self.seen += page.seen
            self.reach.seen(self.seen)
            if self.pages == self.reach.pages:
                return False
            self.pulling.wait(self.one.pace.total_seconds())
        return True

    def _sweep(self, connector: Connector) -> None:
        """What the source no longer holds goes, what it holds again comes back; audiences as they are now."""
        verified: list[datetime] = []
        complete = True
        for listing in connector.sweep():
            self._hand_in(listing.parsed, "listing")
            judged = judge(self.pulling.work, self.one.source, listing)
            self._take([*judged.deletions, *judged.restorations], "sweep")
            self.counts.update(
                deleted=len(judged.deletions), restored=len(judged.restorations), missing=judged.missing
            )
            complete = complete and listing.complete
            verified.append(listing.at)
            if not self.stands.goes_on():
                raise _LostError
        self.stands.swept(min(verified) if verified and complete else None)
        self.swept = True

    def _hand_in(self, parsed: Sequence[Parsed], origin: str) -> None:
        """What the source said, counted."""
        if (receipt := self._take(parsed, origin)) is not None:
            self.counts.update(
                accepted=receipt.accepted, duplicate=receipt.duplicate, quarantined=receipt.quarantined
            )

    def _take(self, parsed: Sequence[Parsed], origin: str) -> Receipt | None:
        arrived = self.one.arrived(parsed, origin)
        return self.pulling.take(arrived, speaks_as(self.one.source)) if arrived else None

    def _failed(self, error: Exception) -> Pulled:
        work = self.pulling.work
        failures = self.one.failures + 1
        found = setback(error, failures, chance_of(work.salts))
        log.warning("source %s %s", self.one.source, found.told)
        next_at = None if found.wait is None else work.clock() + found.wait
        self.stands.failed(found, failures, next_at)
        return self._told(found.state, found.why, next_at)

    def _told(self, state: PullState, why: str | None, next_at: datetime | None) -> Pulled:
        return Pulled(
            self.one.source,
            state,
            self.pages,
            self.seen,
            swept=self.swept,
            why=why,
            next_at=next_at,
            **{name: self.counts[name] for name in _COUNTED},
        )


_COUNTED: Final = ("accepted", "duplicate", "quarantined", "deleted", "restored", "missing")
