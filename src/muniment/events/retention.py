"""What a source's rule says of an event at the door: whether its text is kept, when a pass looks at it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from muniment.domain.events import Body, ContentEvent, Event
from muniment.domain.retention import Keep, KeepFor, KeepQuotes, KeepWhole, parse_keep
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Rules", "is_too_old", "note_due", "refill", "rules_of"]

SQL: Final = load("retention")
JOBS: Final = load("jobs")
Rules = Mapping[str, Keep]


def rules_of(conn: Connection, tenant: str, sources: Collection[str] | None) -> dict[str, Keep]:
    """The rule of each of these sources that has one; of all where none are named."""
    values = {"tenant": tenant, "sources": None if sources is None else sorted(sources)}
    return {row[0]: parse_keep(row[1]) for row in conn.execute(SQL["rules"], values)}


def is_too_old(event: Event, rules: Rules, now: datetime) -> bool:
    """Whether the event is a text that its source's rule would drop at once."""
    rule = rules.get(event.source)
    return _is_text(event) and isinstance(rule, KeepFor) and rule.is_over(event.at, now)


def note_due(conn: Connection, tenant: str, taken: Sequence[Event], rules: Rules, now: datetime) -> None:
    """Have a pass look at what was just accepted, when its source's rule says so."""
    texts = [one for one in taken if isinstance(one, ContentEvent) and _is_text(one)]
    dues = [(one, due) for one in texts if (due := _due(one, rules.get(one.source), now)) is not None]
    if dues:
        values = {
            "tenant": tenant,
            "sources": [one.source for one, _ in dues],
            "ids": [one.id for one, _ in dues],
            "dues": [due for _, due in dues],
        }
        conn.execute(SQL["note_due"], values)


def refill(conn: Connection, tenant: str, event: ContentEvent, seq: int) -> None:
    """The text of an event that was reduced, whole again, and its item due to be compiled."""
    values = {"tenant": tenant, "source": event.source, "id": event.id}
    conn.execute(SQL["refill"], {**values, "seq": seq, "body": event.raw["body"]})
    conn.execute(JOBS["reopen"], values)


def _due(event: ContentEvent, rule: Keep | None, now: datetime) -> datetime | None:
    match rule:
        case KeepQuotes():
            return now
        case KeepFor():
            return rule.ends(event.at)
        case KeepWhole() | None:
            return None


def _is_text(event: Event) -> bool:
    return isinstance(event, ContentEvent) and isinstance(event.detail, Body)
