"""An item that moved to a new id: what it said last enters again under that one."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.domain.events import ContentEvent, Move
from muniment.domain.times import format_instant
from muniment.events.accept import Arrival, Outcome, key_of
from muniment.events.parse import Parsed, parse_event
from muniment.items.fold import Accepted, fold
from muniment.jobs.compile import Key, histories_of
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["carried"]

SQL = load("jobs")


def carried(conn: Connection, tenant: str, outcomes: Sequence[Outcome]) -> list[Arrival]:
    """Upserts under new ids, for items that accepted events move, or whose text came after they had moved."""
    taken = [one for one in outcomes if one.state == "accepted"]
    if not any(_moves(one) or (one.seq or 0) > 1 for one in taken):
        return []
    keys = _moved(conn, tenant, sorted({key_of(one.arrival.event) for one in taken}))
    found = (_again(history) for history in histories_of(conn, tenant, keys).values())
    return [Arrival(event, None) for event in found if event is not None]


def _moved(conn: Connection, tenant: str, keys: Sequence[Key]) -> list[Key]:
    """Those that hold a move."""
    values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    return [(source, id_) for source, id_ in conn.execute(SQL["moved"], values)]


def _moves(outcome: Outcome) -> bool:
    event = outcome.arrival.event
    return isinstance(event, ContentEvent) and isinstance(event.detail, Move)


def _again(history: Sequence[Accepted]) -> ContentEvent | None:
    """The newest text as an event of the new id, for whoever could read it; None where it stayed."""
    moved = fold(history, {}, frozenset())
    stayed = fold([one for one in history if not _is_move(one)], {}, frozenset())
    if moved is None or stayed is None or moved.moved_to is None or stayed.state not in ("live", "pending"):
        return None
    raw = dict(next(one.event.raw for one in history if one.seq == stayed.text_seq))
    raw |= {"id": moved.moved_to, "created_at": format_instant(stayed.created_at)}
    raw |= {"container": moved.container, "thread": moved.thread}
    if not stayed.inherits:
        raw["audience"] = stayed.audience.as_lists()
    match parse_event(raw):
        case Parsed(event=ContentEvent() as event):
            return event
    return None


def _is_move(one: Accepted) -> bool:
    return isinstance(one.event, ContentEvent) and isinstance(one.event.detail, Move)
