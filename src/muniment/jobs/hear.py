"""A delivery to a webhook: verified, in the record before it is acknowledged, and told nothing otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Final

from muniment.domain.errors import Malformed, Refused, Unavailable
from muniment.gate.binding import writing
from muniment.jobs.backoff import chance_of, setback
from muniment.jobs.connections import Connected, connected, speaks_as
from muniment.jobs.hooks import Hooks
from muniment.jobs.pull import Pulling
from muniment.sources.connector import Delivery, Heard, Unauthorised
from muniment.sources.parsed import Parsed, Unread
from muniment.store.queries import load

__all__ = ["Reply", "hear"]

SQL: Final = load("connections")
Reply = Mapping[str, object] | str | None


def hear(pulling: Pulling, hooks: Hooks, source: str, delivery: Delivery) -> Reply:
    """Take a delivery in; what to reply.

    Refused, in one and the same words, for a source that is not there, hears nothing or is paused, and for a
    delivery that is not signed by it.
    """
    try:
        one = connected(pulling.work, source)
        heard = _heard(pulling, hooks, one, delivery)
    except Refused:
        raise Refused("nothing here takes this delivery") from None
    with ExitStack() as unless_taken:
        unless_taken.callback(hooks.forget, source)  # it takes for told what did not get in
        _take(pulling, one, heard.parsed)
        unless_taken.pop_all()
    values = {"tenant": pulling.work.tenant, "source": source, "now": delivery.at, "again": heard.again}
    values["pulls"] = one.of.connect is not None
    with writing(pulling.work.database, pulling.work.tenant) as conn:
        conn.execute(SQL["heard"], values)
    return heard.reply


def _heard(pulling: Pulling, hooks: Hooks, one: Connected, delivery: Delivery) -> Heard:
    try:
        return hooks.of(one, pulling.work.clock).hear(delivery)
    except Unauthorised as error:
        hooks.forget(one.source)
        # Whoever delivers is told nothing of our own secret; a steward is.
        _note(pulling, one, error)
        raise Refused("cannot be verified") from None
    except Unavailable:
        hooks.forget(one.source)  # as below
        raise
    except Malformed as error:
        hooks.forget(one.source)  # it may take for told what it had found before it failed
        # It is signed, so it is the source's own: kept whole, and not asked for again and again.
        return Heard((Unread("delivery", delivery.raw, str(error)),))


def _take(pulling: Pulling, one: Connected, parsed: Sequence[Parsed]) -> None:
    if parsed:
        pulling.take(one.arrived(parsed, "delivery"), speaks_as(one.source))


def _note(pulling: Pulling, one: Connected, error: Unauthorised) -> None:
    work = pulling.work
    found = setback(error, one.failures + 1, chance_of(work.salts))
    said = {"state": found.state, "error": found.why, "told": found.told, "failures": one.failures + 1}
    values = {"tenant": work.tenant, "source": one.source, **said, "next_at": one.next_at, "polled": None}
    with writing(work.database, work.tenant) as conn:
        conn.execute(SQL["stands"], values)
