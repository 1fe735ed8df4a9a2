"""The rows of live sources: how each was connected, and how its loops stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from psycopg.types.json import Jsonb

from muniment.domain.audience import parse_audience
from muniment.domain.errors import Refused
from muniment.gate.binding import writing
from muniment.gate.policy import storable
from muniment.jobs.backoff import Setback
from muniment.jobs.lease import Turn
from muniment.jobs.loop import Work
from muniment.sources import registry, secrets
from muniment.sources.arrived import Arrived
from muniment.sources.connector import Configured, ConnectorKind
from muniment.sources.files import arrived
from muniment.sources.parsed import Parsed, Unread
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Connected", "Stands", "connected", "due", "every", "speaks_as"]

SQL: Final = load("connections")


def speaks_as(source: str) -> str:
    """The principal on whose word a live source's events are taken in: it speaks for this source alone."""
    return f"service:{source}"


@dataclass(frozen=True, slots=True)
class Connected:
    """One live source: `settings` name secrets by reference, `importer` is who connected it."""

    source: str
    kind: str
    settings: Mapping[str, str]
    audience: list[object] | None
    importer: str
    every: timedelta
    sweep_every: timedelta
    pace: timedelta
    paused: bool
    state: str
    cursor: Mapping[str, Any] | None
    seen: int
    through: datetime | None
    last_error: str | None
    failures: int
    next_at: datetime | None
    polled_at: datetime | None
    swept_at: datetime | None
    verified_at: datetime | None

    @property
    def of(self) -> ConnectorKind:
        """The kind it is of."""
        return registry.connector_kind(self.kind)

    def configured(self, clock: Callable[[], datetime]) -> Configured:
        """What a connector is made of; a secret is read each time it is needed, and kept nowhere."""
        return Configured(
            self.source, self.settings, secrets.reader(self.settings), clock, speaks_as(self.source)
        )

    def sweep_is_due(self, now: datetime) -> bool:
        """Whether what the source still holds should be asked for again."""
        return self.swept_at is None or self.swept_at + self.sweep_every <= now

    def arrived(self, parsed: Sequence[Parsed], origin: str) -> list[Arrived]:
        """Its events as the front door takes them; what would speak for another source is refused.

        What somebody is said to hold is for those who do, and not for whoever connected the source.
        """
        held = {one.get("item") for one in parsed if not isinstance(one, Unread) and one.get("add")}
        return [self._arrived(one, origin, held) for one in parsed]

    def _arrived(self, one: Parsed, origin: str, held: Collection[object]) -> Arrived:
        audience = parse_audience([[self.importer]] if self.audience is None else self.audience)
        if not isinstance(one, Unread):
            named = one.get("source", self.source)
            if named != self.source:
                one = Unread(str(one.get("id")), _line(one), f"is of source {named!r}, and came from another")
            else:
                one = {**one, "source": self.source}
        is_held = not isinstance(one, Unread) and one.get("id") in held
        taken = arrived(one, f"{self.source}: {origin}", None if is_held else audience, None)
        return replace(taken, retold=self.of.retold)


def _line(event: Mapping[str, object]) -> str:
    """An event for quarantine, in a form that is not taken in on the word of who hands it in again."""
    return f"not its own: {dict(event)!r}"


def connected(work: Work, source: str) -> Connected:
    """The live source of that name; Refused where there is none."""
    with writing(work.database, work.tenant) as conn:
        found = _read(conn, work.tenant, source) if storable(source) == source else []
    if not found:
        raise Refused(f"no source {source!r} is connected; see muniment connect")
    return found[0]


def every(work: Work) -> list[Connected]:
    """All of them, by name."""
    with writing(work.database, work.tenant) as conn:
        return _read(conn, work.tenant, None)


def due(work: Work) -> list[str]:
    """Those whose time has come."""
    with writing(work.database, work.tenant) as conn:
        rows = conn.execute(SQL["due"], {"tenant": work.tenant, "now": work.clock()}).fetchall()
    return [row[0] for row in rows]


def _read(conn: Connection, tenant: str, source: str | None) -> list[Connected]:
    rows = conn.execute(SQL["connections"], {"tenant": tenant, "source": source}).fetchall()
    return [Connected(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class Stands:
    """Where one turn writes how the source stands, as long as the turn is its own."""

    work: Work
    source: str
    turn: Turn

    def keep(self, cursor: Mapping[str, object], seen: int, through: datetime | None) -> bool:
        """Where to go on from once what came before is in; False where the turn was lost, or ended."""
        said = {"cursor": Jsonb(dict(cursor)), "seen": seen, "through": through}
        return bool(self._write("kept", said))

    def began_anew(self) -> None:
        """The cursor was lost."""
        self._write("began_anew", {})

    def current(self, began: datetime, next_at: datetime) -> None:
        """All was heard that there was when this turn began."""
        said = {"state": "current", "error": None, "told": None, "failures": 0, "next_at": next_at}
        self._write("stands", {**said, "polled": began})

    def behind(self, told: str | None, next_at: datetime) -> None:
        """There is more to read, and nothing is wrong."""
        said = {"state": "behind", "error": None, "told": told, "failures": 0, "next_at": next_at}
        self._write("stands", {**said, "polled": None})

    def failed(self, found: Setback, failures: int, next_at: datetime | None) -> None:
        """It could not be read."""
        said = {"state": found.state, "error": found.why, "told": found.told, "failures": failures}
        self._write("stands", {**said, "next_at": next_at, "polled": None})

    def swept(self, verified: datetime | None) -> None:
        """What it still holds was asked for."""
        self._write("swept", {"now": self.work.clock(), "verified": verified})

    def goes_on(self) -> bool:
        """Whether the turn is still ours and nobody paused the source; it lasts anew from now."""
        return bool(self._write("goes_on", {}))

    def _write(self, query: str, said: Mapping[str, object]) -> int:
        with writing(self.work.database, self.work.tenant) as conn:
            if not self.turn.holds(conn):
                return 0
            return conn.execute(
                SQL[query], {"tenant": self.work.tenant, "source": self.source, **said}
            ).rowcount
