"""Keys to derived rows: load a key's events, fold them, project, write.

The same act for the first build and a rebuild.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from muniment.domain.audience import Cover, container_ref
from muniment.domain.events import (
    AudienceEvent,
    Body,
    ContentEvent,
    EntityEvent,
    Event,
    ItemRef,
    Move,
    Op,
    TopologyEvent,
)
from muniment.events.parse import Parsed, parse_event
from muniment.gate.directory import covers
from muniment.gate.entities import state_entities, state_topology
from muniment.gate.grants import item_grants, item_ref
from muniment.gate.labelled import Quality
from muniment.gate.writer import Writer
from muniment.index.projection import Projection, item_uuid, project
from muniment.items.fold import Accepted, Standing, fold
from muniment.items.moves import Moves, with_earlier
from muniment.items.redact import Redacted, Redaction, redact
from muniment.jobs.turns import hold_keys
from muniment.store.queries import load

__all__ = ["Histories", "Key", "compile_keys", "container_refs", "histories_of"]

Connection = psycopg.Connection[Any]
Key = tuple[str, str]
Histories = Mapping[Key, Sequence[Accepted]]
SQL = load("jobs")

# How much a kind of item counts where its source says nothing else.
_QUALITIES = {
    "crm": Quality("system_of_record", "system_of_record"),
    "document": Quality("member", "owner"),
    "alert": Quality("internal_tool", "tool"),
    "observation": Quality("internal_tool", "tool"),
}
_MEMBER = Quality("member", "member")
_HIGHEST = {"external_document": "external", "external_tool": "external", "internal_tool": "tool"}


def compile_keys(
    conn: Connection, tenant: str, key: bytes, keys: Collection[Key], whole: Histories = MappingProxyType({})
) -> None:
    """Make the derived rows of these keys what their events say, in the caller's transaction.

    whole: histories at hand that hold every event of their key, so that those need not be read again.
    """
    items = sorted(one for one in keys if not one[1].startswith("@"))
    others = sorted(one for one in keys if one[1].startswith("@"))
    if items:
        _compile_items(conn, tenant, key, items, whole)
    for one in others:
        _compile_other(conn, tenant, key, one)


def _compile_items(conn: Connection, tenant: str, key: bytes, keys: Sequence[Key], whole: Histories) -> None:
    moves = _moves(conn, tenant, {source for source, _ in keys})
    wanted = sorted(moves.onward(keys))
    if len(wanted) > len(keys):
        # What leads on from these is written here too, so it is held like them.
        hold_keys(conn, tenant, wanted)
    led = {name: moves.back(name) for name in wanted}
    needed = {*wanted, *(one for origins in led.values() for one in origins)}
    stored = histories_of(conn, tenant, sorted(needed - whole.keys()))
    at_hand = {name: list(whole[name]) for name in needed if name in whole}
    histories = _unredacted(conn, tenant, key, stored | at_hand)
    joined = {
        name: with_earlier(histories.get(name, ()), [histories.get(one, ()) for one in led[name]])
        for name in wanted
    }
    _project(conn, tenant, key, joined)


def _project(conn: Connection, tenant: str, key: bytes, histories: Histories) -> None:
    known = _covers(conn, tenant, histories)
    grants = item_grants(conn, tenant, {item_ref(*name) for name in histories}, None)
    folded = [
        (ItemRef(*name), fold(history, known, grants.get(item_ref(*name), frozenset())))
        for name, history in histories.items()
    ]
    # An id that something had moved to, and that nothing is at any more, is empty again.
    if empty := [item_uuid(key, ref) for ref, one in folded if one is None]:
        Writer(conn, tenant).withdraw(empty)
    projections = [project(key, replace(one, ref=ref)) for ref, one in folded if one is not None]
    if projections:
        Writer(conn, tenant).write(projections, _qualities(conn, tenant, projections))


def _moves(conn: Connection, tenant: str, sources: Collection[str]) -> Moves:
    return Moves.of(conn.execute(SQL["moves"], {"tenant": tenant, "sources": sorted(sources)}))


def histories_of(conn: Connection, tenant: str, keys: Sequence[Key]) -> dict[Key, list[Accepted]]:
    """Every event of these keys, oldest first."""
    if not keys:
        return {}
    values = {"tenant": tenant, "sources": [name[0] for name in keys], "ids": [name[1] for name in keys]}
    rows = conn.execute(SQL["history"], values)
    return {
        name: [_accepted(*row[2:]) for row in group]
        for name, group in groupby(rows, key=lambda row: (row[0], row[1]))
    }


def _accepted(seq: int, accepted_at: Any, importer: str, content: dict[str, object]) -> Accepted:
    event = _event(content)
    if not isinstance(event, ContentEvent | AudienceEvent):
        raise TypeError(f"a {type(event).__name__} is no event of an item")
    return Accepted(seq, accepted_at, importer, event)


def _event(content: dict[str, object]) -> Event:
    """A stored event. It was parsed to be accepted: that it cannot be again is our fault, not the input's."""
    match parse_event(content):
        case Parsed(event=event):
            return event
        case rejection:
            raise TypeError(f"an accepted event no longer parses: {rejection.reason}")


def _covers(conn: Connection, tenant: str, histories: Mapping[Key, Iterable[Accepted]]) -> dict[str, Cover]:
    refs = {ref for history in histories.values() for ref in container_refs(history)}
    return covers(conn, tenant, refs) if refs else {}


def container_refs(history: Iterable[Accepted]) -> set[str]:
    """Every container an item was ever in."""
    return {
        container_ref(one.event.source, container)
        for one in history
        if isinstance(one.event, ContentEvent)
        for container in (_container(one.event),)
        if container is not None
    }


def _container(event: ContentEvent) -> str | None:
    match event.detail:
        case Body(container=container) | Move(container=container):
            return container
        case _:
            return None


def _qualities(conn: Connection, tenant: str, projections: Sequence[Projection]) -> dict[ItemRef, Quality]:
    sources = sorted({one.standing.ref.source for one in projections})
    rows = conn.execute(SQL["source_qualities"], {"tenant": tenant, "sources": sources}).fetchall()
    configured = {source: Quality(trust, authority) for source, trust, authority in rows}
    return {one.standing.ref: _quality(one.standing, configured) for one in projections}


def _quality(standing: Standing, configured: Mapping[str, Quality]) -> Quality:
    """What the source was configured with; where that says `default`, what its kind of item usually is."""
    usual = _QUALITIES.get(standing.body.kind, _MEMBER)
    said = configured.get(standing.ref.source, Quality("default", "default"))
    trust = usual.trust if said.trust == "default" else said.trust
    authority = usual.authority if said.authority == "default" else said.authority
    # Whose words may not act for themselves do not overrule those that may.
    return Quality(trust, _HIGHEST.get(trust, authority))


def _unredacted(
    conn: Connection, tenant: str, key: bytes, histories: dict[Key, list[Accepted]]
) -> dict[Key, list[Accepted]]:
    """The histories with blanked text blanked in what is stored too, so that no version brings it back."""
    touched = {
        name: history
        for name, history in histories.items()
        if any(isinstance(one.event, ContentEvent) and one.event.op is Op.REDACT for one in history)
    }
    for name, history in touched.items():
        known = _stored_redactions(conn, tenant, name)
        redacted = redact(key, history, known)
        _store_redactions(conn, tenant, name, redacted.redactions[len(known) :], after=len(known))
        histories[name] = [_rewritten(conn, tenant, one, redacted) for one in history]
    return histories


def _stored_redactions(conn: Connection, tenant: str, name: Key) -> list[Redaction]:
    rows = conn.execute(SQL["redactions"], {"tenant": tenant, "source": name[0], "id": name[1]}).fetchall()
    return [Redaction(length, bytes(digest)) for length, digest in rows]


def _store_redactions(
    conn: Connection, tenant: str, name: Key, redactions: Sequence[Redaction], *, after: int
) -> None:
    values = {
        "tenant": tenant,
        "source": name[0],
        "id": name[1],
        "positions": [after + number for number in range(1, len(redactions) + 1)],
        "lengths": [one.length for one in redactions],
        "digests": [one.digest for one in redactions],
    }
    conn.execute(SQL["store_redactions"], values)


def _rewritten(conn: Connection, tenant: str, one: Accepted, redacted: Redacted) -> Accepted:
    """The event with its text as it may be shown, in the record too."""
    if one.seq not in redacted.bodies:
        return one
    raw = {**one.event.raw, "body": redacted.bodies[one.seq]}
    if isinstance(raw.get("title"), str):
        raw["title"] = redacted.titles[one.seq]
    if raw == one.event.raw:
        return one
    values = {"tenant": tenant, "source": one.event.source, "seq": one.seq, "content": Jsonb(raw)}
    conn.execute(SQL["rewrite_payload"], {**values, "id": raw["id"]})
    return _accepted(one.seq, one.accepted_at, one.importer, raw)


def _compile_other(conn: Connection, tenant: str, key: bytes, name: Key) -> None:
    """Entities and topology: all events of the key, oldest first.

    Directory events acted when they were accepted.
    """
    values = {"tenant": tenant, "sources": [name[0]], "ids": [name[1]]}
    events = [(row[2], _event(row[5])) for row in conn.execute(SQL["history"], values)]
    entities = [event for _, event in events if isinstance(event, EntityEvent)]
    topology = [(seq, event) for seq, event in events if isinstance(event, TopologyEvent)]
    if entities:
        state_entities(conn, tenant, key, name, entities)
    if topology:
        state_topology(conn, tenant, name[0], topology)
