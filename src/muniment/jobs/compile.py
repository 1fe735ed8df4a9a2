"""Keys to derived rows: load a key's events, fold them, project, write.

The same act for the first build and a rebuild.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from muniment.domain.audience import Audience, Cover, container_ref
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
from muniment.domain.retention import pieces_of
from muniment.domain.trust import LEAST
from muniment.events.parse import Parsed, parse_event
from muniment.gate import agents
from muniment.gate.directory import covers
from muniment.gate.entities import drop_entity, state_entities, state_topology
from muniment.gate.grants import item_grants, item_ref
from muniment.gate.labelled import Quality
from muniment.gate.writer import Writer
from muniment.index.modelled import with_outputs
from muniment.index.projection import Projection, item_uuid, project
from muniment.items.fold import Accepted, Standing, fold
from muniment.items.lineage import inherit, made_from
from muniment.items.moves import Moves, with_earlier
from muniment.items.redact import Redacted, Redaction, redact
from muniment.jobs.applies import ALL_OF_IT, Applies, what_applies
from muniment.jobs.disclose import disclosing
from muniment.jobs.lineage import hold_origins, made_of
from muniment.jobs.outputs import outputs_of, purge
from muniment.jobs.quality import lowered, may_name, qualities_of
from muniment.jobs.turns import hold_keys
from muniment.jobs.verdicts import Decided, Verdicts, lineage_digest
from muniment.store.queries import load

__all__ = [
    "Examined",
    "Histories",
    "Key",
    "compile_keys",
    "container_refs",
    "event_of",
    "examine",
    "histories_of",
    "moves_of",
    "unrecalled",
]

Connection = psycopg.Connection[Any]
Key = tuple[str, str]
Histories = Mapping[Key, Sequence[Accepted]]
SQL = load("jobs")


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
    applies = what_applies(conn, tenant, keys)
    wanted = _onward(conn, tenant, keys) if applies.leads_on else keys
    if len(wanted) > len(keys):
        # What leads on from these is written here too, so it is held like them.
        hold_keys(conn, tenant, wanted)
    standings = _standings(conn, tenant, key, wanted, whole, applies)
    _project(conn, tenant, key, wanted, _with_origins(conn, tenant, key, standings), applies)


def _onward(conn: Connection, tenant: str, keys: Collection[Key]) -> list[Key]:
    """The keys, what they moved to, and what was made from any of it."""
    found = set(keys)
    while True:
        moves = moves_of(conn, tenant, {source for source, _ in found})
        moved = moves.onward(found)
        more = moved | made_of(conn, tenant, moved | {one for name in moved for one in moves.back(name)})
        if more <= found:
            return sorted(found)
        found |= more


def _with_origins(
    conn: Connection, tenant: str, key: bytes, standings: Mapping[Key, Standing | None]
) -> Mapping[Key, Standing | None]:
    """How these stand, and everything they were made from."""
    found = dict(standings)
    while missing := {one for each in found.values() if each for one in made_from(each)} - found.keys():
        hold_origins(conn, tenant, sorted(missing))
        found |= _standings(conn, tenant, key, sorted(missing), {}, ALL_OF_IT)
    return found


def _standings(
    conn: Connection, tenant: str, key: bytes, wanted: Sequence[Key], whole: Histories, applies: Applies
) -> dict[Key, Standing | None]:
    moves = moves_of(conn, tenant, {source for source, _ in wanted}) if applies.moves else Moves.of(())
    led = {name: moves.back(name) for name in wanted}
    needed = {*wanted, *(one for origins in led.values() for one in origins)}
    stored = histories_of(conn, tenant, sorted(needed - whole.keys()))
    at_hand = {name: list(whole[name]) for name in needed if name in whole}
    histories = _unredacted(conn, tenant, key, stored | at_hand)
    joined = {
        name: with_earlier(histories.get(name, ()), [histories.get(one, ()) for one in led[name]])
        for name in wanted
    }
    return _folded(conn, tenant, joined, applies)


def _folded(
    conn: Connection, tenant: str, histories: Histories, applies: Applies
) -> dict[Key, Standing | None]:
    known = _covers(conn, tenant, histories)
    refs = {item_ref(*name) for name in histories} if applies.grants else ()
    grants = item_grants(conn, tenant, refs, None) if refs else {}
    folded = {
        name: fold(history, known, grants.get(item_ref(*name), frozenset()))
        for name, history in histories.items()
    }
    ever = agents.targets_ever(conn, tenant) if applies.reaches else frozenset()
    return {name: one and _labelled(_called(one, ItemRef(*name)), ever) for name, one in folded.items()}


def _called(standing: Standing, ref: ItemRef) -> Standing:
    """Under the id it moved to, if it did."""
    return standing if standing.ref == ref else replace(standing, ref=ref)


def _read_by(standing: Standing, audience: Audience) -> Standing:
    return standing if standing.audience == audience else replace(standing, audience=audience)


def _labelled(standing: Standing, ever: frozenset[str]) -> Standing:
    """With what agents were granted of it in its label, before what is made from it takes that on."""
    if not ever:
        return standing
    refs = agents.refs_of(standing.ref.source, standing.ref.id, standing.container)
    return _read_by(standing, agents.within_reach(standing.audience, refs, ever))


def _project(
    conn: Connection,
    tenant: str,
    key: bytes,
    wanted: Sequence[Key],
    standings: Mapping[Key, Standing | None],
    applies: Applies,
) -> None:
    """Write these, each under its own label and that of all it was made from."""
    # An id that something had moved to, and that nothing is at any more, is empty again.
    empty = [item_uuid(key, ItemRef(*name)) for name in wanted if standings[name] is None]
    found = _examined(conn, tenant, key, wanted, standings, applies)
    judged = [one.verdicts.applied(one.projection, one.quality) for one in found]
    items = [*empty, *(one.item for one in judged)]
    with disclosing(conn, tenant, key, items, judged) if applies.policies else nullcontext():
        if empty:
            Writer(conn, tenant).withdraw(empty)
        if judged:
            Writer(conn, tenant).write(judged, {one.projection.standing.ref: one.quality for one in found})


@dataclass(frozen=True, slots=True)
class Examined:
    """An item as its events have it, how its words count, what was decided, and what it was made from."""

    projection: Projection
    quality: Quality
    verdicts: Verdicts
    origins: tuple[Key, ...]


def examine(conn: Connection, tenant: str, key: bytes, name: Key) -> Examined | None:
    """One item as it would be compiled now, before its decisions are applied."""
    standings = _with_origins(conn, tenant, key, _standings(conn, tenant, key, [name], {}, ALL_OF_IT))
    return next(iter(_examined(conn, tenant, key, [name], standings, ALL_OF_IT)), None)


def unrecalled(conn: Connection, tenant: str, key: bytes, name: Key) -> Standing | None:
    """How an item would stand, with all it was made from, had its source not recalled it."""
    history = histories_of(conn, tenant, [name]).get(name, [])
    without = [
        one for one in history if not isinstance(one.event, ContentEvent) or one.event.op is not Op.RECALL
    ]
    standings = _with_origins(conn, tenant, key, _folded(conn, tenant, {name: without}, ALL_OF_IT))
    standing, inherited = standings[name], inherit(name, standings, dict.fromkeys(standings, LEAST))
    return None if standing is None or inherited is None else replace(standing, audience=inherited.audience)


def _examined(
    conn: Connection,
    tenant: str,
    key: bytes,
    wanted: Sequence[Key],
    standings: Mapping[Key, Standing | None],
    applies: Applies,
) -> list[Examined]:
    qualities = qualities_of(conn, tenant, standings)
    trusts = {name: quality.trust for name, quality in qualities.items()}
    decisions = _decisions(conn, tenant, wanted) if applies.decisions else {}
    outputs = outputs_of(conn, tenant, wanted) if applies.outputs else {}
    found = []
    for name in wanted:
        one, from_all = standings[name], inherit(name, standings, trusts)
        if one is not None and from_all is not None:
            # Only what was decided is compared with it.
            lineage = lineage_digest(key, from_all.origins, standings) if applies.decisions else b""
            verdicts = Verdicts(key, lineage, decisions.get(name, ()))
            plain = project(key, _read_by(one, from_all.audience))
            projection = with_outputs(key, plain, outputs.get(name, ()))
            quality = lowered(qualities[name], from_all.trust)
            found.append(Examined(projection, quality, verdicts, from_all.origins))
    return found


def _decisions(conn: Connection, tenant: str, names: Sequence[Key]) -> dict[Key, list[Decided]]:
    values = {"tenant": tenant, "sources": [name[0] for name in names], "ids": [name[1] for name in names]}
    found: dict[Key, list[Decided]] = {}
    for source, id_, action, subject, saw, at in conn.execute(SQL["decisions"], values):
        found.setdefault((source, id_), []).append(Decided(action, subject, bytes(saw), at))
    return found


def moves_of(conn: Connection, tenant: str, sources: Collection[str]) -> Moves:
    """Which id led to which in these sources."""
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


def _accepted(
    seq: int, accepted_at: Any, importer: str, content: dict[str, object], kept: list[list[int]] | None
) -> Accepted:
    event = event_of(content)
    if not isinstance(event, ContentEvent | AudienceEvent):
        raise TypeError(f"a {type(event).__name__} is no event of an item")
    return Accepted(seq, accepted_at, importer, event, None if kept is None else pieces_of(kept))


def event_of(content: dict[str, object]) -> Event:
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


def _unredacted(
    conn: Connection, tenant: str, key: bytes, histories: dict[Key, list[Accepted]]
) -> dict[Key, list[Accepted]]:
    """The histories with blanked text blanked in what is stored too, so that no version brings it back."""
    touched = {
        name: history
        for name, history in histories.items()
        if any(isinstance(one.event, ContentEvent) and one.event.op is Op.REDACT for one in history)
    }
    rewritten: list[Key] = []
    for name, history in touched.items():
        known = _stored_redactions(conn, tenant, name)
        redacted = redact(key, history, known)
        _store_redactions(conn, tenant, name, redacted.redactions[len(known) :], after=len(known))
        histories[name] = [_rewritten(conn, tenant, one, redacted) for one in history]
        if histories[name] != history:
            rewritten.append(name)
    # Once, with the words: a compilation that blanks nothing anew leaves what models gave of the rest.
    purge(conn, tenant, key, rewritten)
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
    rewritten = event_of(raw)
    if not isinstance(rewritten, ContentEvent):
        raise TypeError(f"a text became a {type(rewritten).__name__}")
    return replace(one, event=rewritten)


def _compile_other(conn: Connection, tenant: str, key: bytes, name: Key) -> None:
    """Entities and topology: all events of the key, oldest first.

    Directory events acted when they were accepted.
    """
    values = {"tenant": tenant, "sources": [name[0]], "ids": [name[1]]}
    events = [(row[2], event_of(row[5])) for row in conn.execute(SQL["history"], values)]
    entities = [event for _, event in events if isinstance(event, EntityEvent)]
    topology = [(seq, event) for seq, event in events if isinstance(event, TopologyEvent)]
    if entities and may_name(conn, tenant, name[0]):
        state_entities(conn, tenant, key, name, entities)
    elif name[1].startswith("@entity/"):
        drop_entity(conn, tenant, name)
    if topology or name[1] == "@topology":
        state_topology(conn, tenant, name[0], topology)
