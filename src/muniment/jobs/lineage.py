"""What leads on from a key and what a key leads back to, each held before it is read.

Whoever compiles an item holds what it was made from, and whoever changes that holds what was made from it:
so neither can miss the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from muniment.domain.events import Body, ContentEvent, Event
from muniment.domain.regex import regex
from muniment.events.parse import Parsed, parse_event
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Key", "hold_origins", "made_of", "with_items_for_citations"]

Key = tuple[str, str]
SQL: Final = load("jobs")
EVENTS: Final = load("events")
_CITATION = regex(r"(?:c_[0-9a-f]{32}|p_[0-9a-f]{32}_\d{1,9}_\d{1,9})\Z")


def made_of(conn: Connection, tenant: str, keys: Collection[Key]) -> set[Key]:
    """Items made from any of these, at however many removes."""
    return {(source, id_) for source, id_ in conn.execute(SQL["made_of"], _named(tenant, keys))}


def hold_origins(conn: Connection, tenant: str, keys: Collection[Key]) -> None:
    """Wait for these keys. One that nobody has handed in gets its row now: whoever hands it in meets it."""
    values = _named(tenant, keys)
    conn.execute(SQL["open_origins"], values)
    conn.execute(EVENTS["lock_streams"], values)


def _named(tenant: str, keys: Collection[Key]) -> dict[str, object]:
    return {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}


def with_items_for_citations(conn: Connection, tenant: str, events: Iterable[Event]) -> list[Event]:
    """The events, with the item in place of each citation they say they were made from.

    Citations are of derived rows and may go; the items they are of are what a rebuild finds again. One that
    nobody was ever given stays as it is, and so names something that nobody can read.
    """
    events = list(events)
    cited = {one for event in events for one in _citations(event)}
    if not cited:
        return events
    ids = {one: one[2:34] for one in cited}
    rows = conn.execute(SQL["items_of_citations"], {"tenant": tenant, "ids": sorted(set(ids.values()))})
    items = {id_.hex: f"{source}:{name}" for id_, source, name in rows}
    known = {one: items[id_] for one, id_ in ids.items() if id_ in items}
    return [_renamed(event, known) for event in events]


def _citations(event: Event) -> Iterable[str]:
    if not isinstance(event, ContentEvent) or not isinstance(event.detail, Body):
        return ()
    return (ref.id for ref in event.detail.derived_from if _CITATION.match(ref.id))


def _renamed(event: Event, known: Mapping[str, str]) -> Event:
    if not any(one in known for one in _citations(event)):
        return event
    raw, metadata = dict(event.raw), event.raw.get("metadata")
    raw["derived_from"] = _items(raw.get("derived_from"), known)
    if isinstance(metadata, dict) and "derived_from" in metadata:
        raw["metadata"] = {**metadata, "derived_from": _items(metadata["derived_from"], known)}
    match parse_event(raw):
        case Parsed(event=renamed):
            return renamed
    return event


def _items(listed: object, known: Mapping[str, str]) -> list[object]:
    if not isinstance(listed, list):
        return []
    return [known.get(one, one) if isinstance(one, str) else one for one in listed]
