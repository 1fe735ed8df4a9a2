"""Events into the record: deduplicated, numbered per key under its lock, written a batch at a time.

One batch, one transaction.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

import psycopg

from muniment.domain.audience import parse_audience
from muniment.domain.events import (
    AudienceEvent,
    Body,
    ContentEvent,
    EntityEvent,
    Event,
    JsonObject,
    MemberEvent,
    PrincipalEvent,
    TopologyEvent,
)
from muniment.domain.retention import KeepQuotes
from muniment.domain.versions import same_version
from muniment.events.door import at_the_door, moved_to
from muniment.events.erased import ERASED, Erasures, without_erased
from muniment.events.retention import Rules, is_too_old, note_due, refill
from muniment.events.streams import Key, key_of, take
from muniment.store.queries import load
from muniment.store.rows import Row, as_json

__all__ = ["Arrival", "Outcome", "Seal", "accept", "commit", "key_of", "quarantine"]

Connection = psycopg.Connection[Any]
State = Literal["accepted", "duplicate", "quarantined"]
SQL = load("events")
_canonical = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode
_OTHERWISE = "is held already with other content; give the change a version of its own"


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event that its credential may state, and the line it came on.

    insists: a person chose its audience just now, so that it is no old event handed in once more.
    retold: its source may tell one version in other words, and then the first stand.
    """

    event: Event
    line: int | None
    insists: bool = False
    retold: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one arrival: `seq`, its number, where it was accepted, `reason` where it was refused.

    kept: whether its content is in the record; its source's rule may have it that it is too old.
    """

    arrival: Arrival
    state: State
    reason: str | None = None
    seq: int | None = None
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Seal:
    """What a batch is taken under: on whose word, when, and what commits the record to its content.

    foreign: sources that others feed, where this importer may add items and not touch theirs.
    done: what follows from the batch is done in its transaction, or the batch is not kept.
    """

    importer: str
    accepted_at: datetime
    key: bytes
    salts: Callable[[], bytes]
    foreign: frozenset[str]
    done: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """An event the record already holds under a key."""

    op: str
    version: str | None
    at: datetime
    commitment: bytes
    salt: bytes | None
    audience: object
    importer: str
    seq: int
    reduced: bool
    unsure: bool = False  # words were erased from what was left of it: the whole cannot be told from another
    reverted: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """An event about to be written; without its content where that is not to be kept."""

    key: Key
    seq: int
    op: str
    event: Event
    salt: bytes
    commitment: bytes
    kept: bool


def accept(conn: Connection, tenant: str, seal: Seal, arrivals: Sequence[Arrival]) -> list[Outcome]:
    """Write what is new, say what is known already, refuse what contradicts a version the record holds."""
    keys = sorted({key_of(one.event) for one in arrivals})
    last = take(conn, tenant, keys, seal.accepted_at)
    known = _known(conn, tenant, [name for name in keys if last[name]])
    door = at_the_door(conn, tenant, seal.key, [one.event for one in arrivals], seal.accepted_at)
    rules, erased = door.rules, door.erased
    outcomes: list[Outcome] = []
    entries: list[_Entry] = []
    for arrived in arrivals:
        left = erased.left_of(arrived.event)
        given = arrived if left is arrived.event else replace(arrived, event=left)
        name = key_of(given.event)
        held = known.setdefault(name, [])
        if _is_theirs(given.event, held, seal):
            theirs = f"{name[1]!r} was handed in by somebody else, and is theirs to change"
            outcomes.append(Outcome(given, "quarantined", theirs))
            continue
        stands = [one for one in held if not one.reverted]
        arrival = _as_audience(given, stands, seal.accepted_at)
        old = is_too_old(arrival.event, rules, seal.accepted_at)
        state, reason = _judge(arrival.event, held, erased, old=old)
        if arrival.retold and reason is not None and reason.endswith(_OTHERWISE):
            state, reason = "duplicate", None
        if state == "accepted":
            last[name] += 1
            entries.append(_entry(arrival.event, name, last[name], seal.salts(), kept=not old))
            held.append(_as_known(entries[-1], seal.importer))
        elif state == "duplicate" and rules:
            _make_whole(conn, tenant, arrival.event, held, rules)
        outcomes.append(Outcome(arrival, state, reason, last[name] if state == "accepted" else None, not old))
    _write(conn, tenant, seal, entries)
    note_due(conn, tenant, [one.event for one in entries if one.kept], rules, seal.accepted_at)
    return outcomes


def _make_whole(conn: Connection, tenant: str, event: Event, known: Sequence[_Known], rules: Rules) -> None:
    """Take the whole of a text that was reduced, where it is handed in again under a rule that keeps more."""
    if isinstance(rules.get(event.source), KeepQuotes) or not isinstance(event, ContentEvent):
        return
    for one in _same_version(event, known):
        if one.reduced and _same_content(event, one):
            refill(conn, tenant, event, one.seq)


def _is_theirs(event: Event, known: Sequence[_Known], seal: Seal) -> bool:
    """Whether the event would change what somebody else handed in to a source that is not this importer's."""
    return event.source in seal.foreign and any(one.importer != seal.importer for one in known)


def _known(conn: Connection, tenant: str, keys: Sequence[Key]) -> dict[Key, list[_Known]]:
    known: dict[Key, list[_Known]] = {}
    if not keys:
        return known
    values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    for source, id_, *rest in conn.execute(SQL["known_events"], values):
        known.setdefault((source, id_), []).append(_Known(*rest))
    return known


def _as_audience(arrival: Arrival, known: Sequence[_Known], now: datetime) -> Arrival:
    """The arrival; a version that is held already, but said now for others, as that: a new audience."""
    event = arrival.event
    if not isinstance(event, ContentEvent) or not isinstance(event.detail, Body):
        return arrival
    held = [one for one in _same_version(event, known) if _same_content(event, one)]
    audience = event.detail.audience
    if (
        not held
        or audience is None
        or audience.as_lists() in _audiences_said(held, known, insists=arrival.insists)
    ):
        return arrival
    raw: dict[str, object] = {
        "op": "audience",
        "source": event.source,
        "item": event.id,
        "at": now.isoformat(),
    }
    raw["audience"] = audience.as_lists()
    said = AudienceEvent(event.source, None, event.id, now, None, audience, None, live=False, raw=raw)
    return replace(arrival, event=said, insists=False)


def _audiences_said(held: Sequence[_Known], known: Sequence[_Known], *, insists: bool) -> list[object]:
    """Audiences that need no saying again, in canonical form.

    That in force; and, of an event that may be an old one handed in once more, those its version came with.
    """
    stated = (one for one in known if one.op == "audience" and one.audience is not None)
    later = sorted(stated, key=lambda one: one.at)
    said = [(later or held)[-1].audience, *(() if insists else (one.audience for one in held))]
    return [parse_audience(audience).as_lists() for audience in said if audience is not None]


def _same_version(event: Event, known: Sequence[_Known]) -> list[_Known]:
    """Held events of the same op and version; of who is who, of the same time too: later is anew."""
    op = _op(event)
    mine = (event.version, event.at)
    same = [one for one in known if one.op == op and same_version((one.version, one.at), mine)]
    return same if isinstance(event, ContentEvent) else [one for one in same if one.at == event.at]


def _judge(event: Event, known: Sequence[_Known], erased: Erasures, *, old: bool) -> tuple[State, str | None]:
    if key_of(event) in erased.items or moved_to(event) in erased.items:
        return "quarantined", ERASED
    same = _same_version(event, known)
    if any(one.unsure or _same_content(event, one) for one in same) or (same and old):
        return "duplicate", None
    # What was dropped for its age, or by a narrower rule, comes anew once a wider one holds.
    stands = [one for one in same if one.salt is not None and not one.reverted]
    if stands and isinstance(event, ContentEvent) and isinstance(event.detail, Body):
        said = (
            f"version {event.version!r}"
            if event.version is not None
            else f"the version of {event.at.isoformat()}"
        )
        return "quarantined", f"{said} {_OTHERWISE}"
    return "accepted", None


def _same_content(event: Event, known: _Known) -> bool:
    if known.salt is None:
        return False
    return hmac.compare_digest(known.commitment, commit(known.salt, event.raw))


def commit(salt: bytes, raw: JsonObject) -> bytes:
    """What is kept of the content for ever: its digest under a salt that is erased with it.

    Time and version stay out: they are compared by themselves, and a source may stamp or spell one version
    anew. So does an item's audience, which may change without its content.
    """
    apart = ("at", "version", "audience") if raw.get("op") == "upsert" else ("at", "version")
    said = {name: value for name, value in raw.items() if name not in apart and value is not None}
    return hmac.digest(salt, _canonical(said).encode(), "sha256")


def _op(event: Event) -> str:
    match event:
        case ContentEvent():
            return event.op.value
        case AudienceEvent():
            return "audience"
        case PrincipalEvent():
            return "principal"
        case MemberEvent():
            return "member"
        case EntityEvent():
            return "entity"
        case TopologyEvent():
            return "topology"


def _entry(event: Event, name: Key, seq: int, salt: bytes, *, kept: bool) -> _Entry:
    return _Entry(name, seq, _op(event), event, salt, commit(salt, event.raw), kept)


def _as_known(entry: _Entry, importer: str) -> _Known:
    event = entry.event
    audience = event.raw.get("audience")
    salt = entry.salt if entry.kept else None
    return _Known(
        entry.op,
        event.version,
        event.at,
        entry.commitment,
        salt,
        audience,
        importer,
        entry.seq,
        reduced=False,
    )


def _write(conn: Connection, tenant: str, seal: Seal, entries: Sequence[_Entry]) -> None:
    if not entries:
        return
    envelopes = [{**_place(tenant, one), **_envelope(one, seal)} for one in entries]
    payloads = [
        {**_place(tenant, one), "salt": one.salt, "content": one.event.raw} for one in entries if one.kept
    ]
    last = {one.key: one.seq for one in entries}
    values = {
        "tenant": tenant,
        "envelopes": as_json(envelopes),
        "payloads": as_json(payloads),
        "sources": [name[0] for name in last],
        "ids": [name[1] for name in last],
        "lasts": list(last.values()),
        "done": seal.done,
        "now": seal.accepted_at,
    }
    conn.execute(SQL["write_events"], values)


def _place(tenant: str, one: _Entry) -> Row:
    return {"tenant": tenant, "source": one.key[0], "id": one.key[1], "seq": one.seq}


def _envelope(one: _Entry, seal: Seal) -> Row:
    return {
        "op": one.op,
        "version": one.event.version,
        "at": one.event.at,
        "accepted_at": seal.accepted_at,
        "importer": seal.importer,
        "commitment": one.commitment,
    }


def quarantine(conn: Connection, tenant: str, key: bytes, refusals: Sequence[Row]) -> None:
    """Keep what was refused, whole, but for what was erased.

    Each row has origin, line, source, id, reason, raw, importer and refused_at.
    """
    rows = [{"tenant": tenant, **refusal} for refusal in without_erased(conn, tenant, key, refusals)]
    conn.execute(SQL["insert_quarantine"], {"tenant": tenant, "rows": as_json(rows)})
