"""What was erased and is handed in again: known by keyed digests, and not taken in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import psycopg

from muniment.domain.blanking import Blanked, Blanks, nameless
from muniment.domain.events import Event, PrincipalEvent
from muniment.domain.identity import keyed_digest
from muniment.events.parse import Parsed, parse_event
from muniment.store.queries import load
from muniment.store.rows import Row

__all__ = [
    "ERASED",
    "Erasures",
    "blanks_of",
    "item_digest",
    "line_digest",
    "person_digest",
    "without_erased",
]

Connection = psycopg.Connection[Any]
Key = tuple[str, str]
SQL: Final = load("events")
ERASED: Final = "this item was erased, and what was erased is not taken in again"


def item_digest(key: bytes, name: Key) -> bytes:
    """By what an erased item is known."""
    return keyed_digest(key, "suppressed", *name)


def person_digest(key: bytes, principal: str) -> bytes:
    """By what a person is known whose names were erased."""
    return keyed_digest(key, "suppressed person", principal)


def line_digest(key: bytes, raw: str) -> bytes:
    """By what a refused line is known that went with an item."""
    return keyed_digest(key, "suppressed line", raw)


@dataclass(frozen=True, slots=True)
class Erasures:
    """Which of some items, persons and words were erased."""

    key: bytes
    items: frozenset[Key]
    people: frozenset[str]
    blanks: Blanks

    def left_of(self, event: Event) -> Event:
        """The event without erased words, or without the names of a person whose were erased."""
        raw = self.blanks.event(event.raw)
        if isinstance(event, PrincipalEvent) and event.id in self.people:
            raw = nameless(raw)
        if raw is event.raw or raw == event.raw:
            return event
        match parse_event(raw):
            case Parsed(event=left):
                return left
            case rejection:
                raise TypeError(f"an event without erased words no longer parses: {rejection.reason}")

    def followed(self, conn: Connection, tenant: str, targets: Collection[Key], now: datetime) -> Erasures:
        """Those targets too at which nothing is yet: what was erased is handed in there next."""
        names = sorted(targets)
        values = {"tenant": tenant, "sources": [one[0] for one in names], "ids": [one[1] for one in names]}
        taken = {(source, id_) for source, id_ in conn.execute(SQL["held_keys"], values)}
        gone = [one for one in names if one not in taken]
        digests = [item_digest(self.key, one) for one in gone]
        conn.execute(SQL["suppress"], {"tenant": tenant, "kind": "item", "digests": digests, "now": now})
        return replace(self, items=self.items.union(gone))


def blanks_of(conn: Connection, tenant: str, key: bytes) -> Blanks:
    """Every word that is blanked."""
    rows = conn.execute(SQL["blanks"], {"tenant": tenant})
    return Blanks.of(key, (Blanked(bytes(digest), bytes(first), words) for digest, first, words in rows))


def without_erased(conn: Connection, tenant: str, key: bytes, refusals: Sequence[Row]) -> list[Row]:
    """The refusals as they may be kept.

    Of what was erased, that it came; of the rest, all but erased words.
    """
    named = [{item_digest(key, name)} if (name := _name_of(row)) else set() for row in refusals]
    digests = [{*one, line_digest(key, str(row["raw"]))} for one, row in zip(named, refusals, strict=True)]
    found = _suppressed(conn, tenant, sorted(set().union(*digests)))
    blanks = blanks_of(conn, tenant, key)
    return [
        _noted(row) if found & one else _blanked(row, blanks)
        for row, one in zip(refusals, digests, strict=True)
    ]


def _noted(row: Row) -> Row:
    return {**row, "raw": "", "reason": ERASED, "replayed_at": row["refused_at"]}


def _blanked(row: Row, blanks: Blanks) -> Row:
    raw, reason = blanks.line(str(row["raw"])), blanks.text(str(row["reason"]))
    return {**row, "raw": raw, "reason": reason, "replayed_at": None}


def _name_of(row: Row) -> Key | None:
    source, id_ = row["source"], row["id"]
    return (source, id_) if isinstance(source, str) and isinstance(id_, str) else None


def _suppressed(conn: Connection, tenant: str, digests: Sequence[bytes]) -> frozenset[bytes]:
    rows = conn.execute(SQL["suppressed"], {"tenant": tenant, "digests": list(digests)})
    return frozenset(bytes(row[0]) for row in rows)
