"""What every verb of a view shares: the moment, a reader, and the note that something was read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec, Self, TypeVar

from muniment.domain.events import JsonObject
from muniment.domain.identity import keyed_digest, keyed_uuid
from muniment.domain.record import Moment
from muniment.domain.times import format_instant
from muniment.gate.audit import Act, Trace, record_read
from muniment.gate.reader import Hearing, Reader, reading_as
from muniment.jobs.loop import Work
from muniment.store.replicas import Lost, Spread
from muniment.surroundings import Surroundings

__all__ = ["Base", "anywhere"]

V = TypeVar("V", bound="Base")
P = ParamSpec("P")
T = TypeVar("T")


def anywhere(verb: Callable[Concatenate[V, P], T]) -> Callable[Concatenate[V, P], T]:
    """A verb that only reads: on a replica that is fresh, and again on the primary where that is lost.

    Verbs that write too read on the primary, and so does what was begun there.
    """

    @wraps(verb)
    def read(self: V, /, *args: P.args, **asked: P.kwargs) -> T:
        try:
            return verb(self._reading_on(self._work.spread), *args, **asked)
        except Lost:
            return verb(self._reading_on(None), *args, **asked)

    return read


class Base:
    """Whose view it is, of which moment. Verbs are added in rooms of their own."""

    def __init__(
        self,
        work: Work,
        surroundings: Surroundings,
        hearing: Hearing,
        as_of: datetime | None,
        known_at: datetime | None,
    ) -> None:
        self._work = work
        self._surroundings = surroundings
        self._hearing = hearing
        self._as_of = as_of
        self._known_at = known_at
        self._spread: Spread | None = None

    def _reading_on(self, spread: Spread | None) -> Self:
        """The same view, for a verb that may be read anywhere; on the primary where no spread is given."""
        there = copy(self)
        there._spread = spread  # noqa: SLF001  # a copy of this very view
        return there

    @property
    def _moment(self) -> Moment:
        now = self._work.clock()
        return Moment(now, self._as_of or now, self._known_at)

    @contextmanager
    def _reading(self) -> Generator[Reader]:
        work = self._work
        where = self._spread or work.database
        with reading_as(where, work.tenant, work.key, self._hearing, self._moment) as reader:
            yield reader

    @property
    def _now(self) -> Moment:
        """Whatever moment is asked about, what is handed in is handed in now."""
        now = self._work.clock()
        return Moment(now, now, None)

    @contextmanager
    def _looking(self, verb: str, what: str) -> Generator[Reader]:
        """A reader whose use is noted once it was of use."""
        with self._reading() as reader:
            yield reader
        self._note(reader, verb, what)

    def _note(self, reader: Reader, verb: str, text: str, left: int = 0) -> str:
        """Audit and trace of a read, written before its reply is given; the trace's id."""
        work, hearing, moment = self._work, self._hearing, reader.moment
        times = [format_instant(at) for at in (moment.now, moment.as_of, moment.known_at) if at is not None]
        who = (hearing.principal, hearing.agent or "", *hearing.hearers)
        trace = keyed_uuid(work.key, "trace", verb, text, *times, *who)
        kept = list(dict.fromkeys(reader.handed_out))
        act = Act(
            moment.now, _storable(reader.permitted.principal), verb, trace.hex, self._read(reader, kept)
        )
        why = Trace(trace, verb, _storable(text), kept, left)
        record_read(work.database, work.tenant, act, why, work.salts())
        return trace.hex

    def _read(self, reader: Reader, kept: Sequence[str]) -> JsonObject:
        """Under which rights something was read, as the record stood when, and what was handed out."""
        moment = reader.moment
        return {
            "citations": kept,
            "agent": _storable(self._hearing.agent or ""),
            "hearers": [_storable(one) for one in self._hearing.hearers],
            "rights": keyed_digest(reader.key, "rights", reader.permitted.as_text()).hex(),
            **reader.watermark.noted(),
            "as_of": format_instant(moment.as_of),
            "known_at": None if moment.known_at is None else format_instant(moment.known_at),
        }


def _storable(text: str) -> str:
    """What of a question can be stored as text."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()
