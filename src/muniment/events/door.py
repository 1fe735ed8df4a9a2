"""What the record says of a batch before it is judged: what of it was erased, and what its sources keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import psycopg

from muniment.domain.blanking import Blanked, Blanks
from muniment.domain.events import Body, ContentEvent, Event, Move, PrincipalEvent
from muniment.domain.retention import parse_keep
from muniment.events.erased import Erasures, item_digest, person_digest
from muniment.events.retention import Rules
from muniment.events.rights import RESERVED
from muniment.events.streams import Key, key_of
from muniment.store.queries import load

__all__ = ["Door", "at_the_door", "moved_to"]

Connection = psycopg.Connection[Any]
SQL: Final = load("events")


@dataclass(frozen=True, slots=True)
class Door:
    """The rules of a batch's sources, of those that have one, and what of the batch was erased."""

    rules: Rules
    erased: Erasures


def at_the_door(conn: Connection, tenant: str, key: bytes, events: Sequence[Event], now: datetime) -> Door:
    """What this batch is judged by.

    Where something erased went it is erased too, unless another item is there; so is a note made from it.
    """
    moves = {key_of(event): target for event in events if (target := moved_to(event)) is not None}
    notes = {key_of(event): _evidence_of(event) for event in events if event.source == RESERVED}
    keys = {*map(key_of, events), *moves.values(), *(one for some in notes.values() for one in some)}
    by_item = {item_digest(key, name): name for name in keys}
    people = {event.id for event in events if isinstance(event, PrincipalEvent)}
    by_person = {person_digest(key, one): one for one in people}
    sources = sorted({event.source for event in events})
    values = {"tenant": tenant, "sources": sources, "digests": [*by_item, *by_person]}
    rules, suppressed, blanks = conn.execute(SQL["at_the_door"], values).fetchone() or ((), (), ())
    gone = frozenset(map(bytes, suppressed))
    found = Erasures(
        key,
        frozenset(name for digest, name in by_item.items() if digest in gone),
        frozenset(one for digest, one in by_person.items() if digest in gone),
        Blanks.of(key, (_blanked(*row) for row in blanks or ())),
    )
    kept = {source: parse_keep(rule) for source, rule in zip(sources, rules, strict=True) if rule is not None}
    later = {target for origin, target in moves.items() if origin in found.items}
    later |= {note for note, evidence in notes.items() if evidence & found.items}
    later -= found.items
    return Door(kept, found.followed(conn, tenant, later, now) if later else found)


def moved_to(event: Event) -> Key | None:
    """The key that a move leads to, where it is another one."""
    match event:
        case ContentEvent(detail=Move(id=str(id_))):
            return event.source, id_
    return None


def _evidence_of(event: Event) -> frozenset[Key]:
    match event:
        case ContentEvent(detail=Body(derived_from=evidence)):
            return frozenset((ref.source, ref.id) for ref in evidence)
    return frozenset()


def _blanked(digest: str, first: str, words: int) -> Blanked:
    return Blanked(bytes.fromhex(digest), bytes.fromhex(first), words)
