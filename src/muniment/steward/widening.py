"""Words that turned up where more people can read them than where they came from.

Found by shared fingerprints (`index.prints`), judged by who can read each item now. An item's words came from
the items that had them before, by their sources' own times. Whoever can read any of those is not new to them.
A steward learns that it happened, and between which items; the words only where they may read both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Final
from uuid import UUID

from muniment.domain.audience import Audience
from muniment.domain.record import Moment
from muniment.domain.values import Value
from muniment.gate.reader import Hearing, reading_as
from muniment.gate.who import readers_of
from muniment.index.prints import shared_words
from muniment.steward.desk import Desk
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Widening", "widened"]

SQL: Final = load("widening")
# What more audiences have is a template, a disclaimer, a standing phrase. Measured: docs/how-to/widening.md.
MOST_AUDIENCES: Final = 12
LEAST_SHARED: Final = 2  # runs; one alone may be chance, but where it is most of a short text


@dataclass(frozen=True, slots=True)
class Widening(Value):
    """That `to` holds words of `origin`, and how many can read them there who could not before.

    `words` is None for whoever may not read both.
    """

    origin: str
    to: str
    at: datetime
    new_readers: int
    runs: int
    words: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class _Print:
    """One run of words in one item."""

    hash: int
    item: UUID
    audience: int
    source: str
    id: str
    at: datetime


@dataclass(slots=True)
class _Found:
    """What one item brought to new readers: which runs, from where, and to whom."""

    copy: _Print
    runs: int = 0
    readers: set[str] = field(default_factory=set)
    origins: Counter[UUID] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Row:
    item: UUID
    body: str


def widened(desk: Desk, since: datetime | None) -> list[Widening]:
    """Every widening since a time, by the time of what was widened to; the oldest first."""
    values = {"tenant": desk.tenant, "most": MOST_AUDIENCES, "since": since}
    with desk.writing() as conn:
        prints = [_Print(*row) for row in conn.execute(SQL["shared"], values)]
        readers = _readers(desk, conn, {one.audience for one in prints})
        sizes = _sizes(conn, desk.tenant, {one.item for one in prints})
        desk.record(conn, "widened", "record", {"since": None if since is None else since.isoformat()})
    items = {one.item: one for one in reversed(prints)}
    found = [
        (one, _origin(one, items))
        for one in _found(prints, readers)
        if (since is None or one.copy.at >= since) and _is_much(one, sizes)
    ]
    texts = _texts(desk, {item for one, origin in found for item in (one.copy.item, origin.item)})
    told = [_told(one, origin, texts) for one, origin in found]
    return sorted(told, key=lambda one: (one.at, one.to, one.origin))


def _readers(desk: Desk, conn: Connection, numbers: Iterable[int]) -> dict[int, frozenset[str]]:
    rows = conn.execute(SQL["audiences"], {"tenant": desk.tenant, "numbers": sorted(numbers)}).fetchall()
    audiences = {number: Audience(frozenset(map(frozenset, clauses))) for number, clauses in rows}
    return readers_of(conn, desk.tenant, audiences, desk.now)


def _sizes(conn: Connection, tenant: str, items: Iterable[UUID]) -> dict[UUID, int]:
    return dict(conn.execute(SQL["sizes"], {"tenant": tenant, "items": sorted(items)}).fetchall())


def _found(prints: Sequence[_Print], readers: Mapping[int, frozenset[str]]) -> list[_Found]:
    """By item, what of it came from where fewer could read it."""
    found: dict[UUID, _Found] = {}
    for _, group in groupby(prints, key=lambda one: one.hash):
        # Of what was said at once, the narrowest came first.
        ordered = sorted(group, key=lambda one: (one.at, len(readers[one.audience]), one.source, one.id))
        for copy, origin, new in _steps(ordered, readers):
            one = found.setdefault(copy.item, _Found(copy))
            one.runs += 1
            one.readers |= new
            one.origins[origin.item] += 1
    return list(found.values())


def _steps(
    ordered: Sequence[_Print], readers: Mapping[int, frozenset[str]]
) -> Iterator[tuple[_Print, _Print, frozenset[str]]]:
    """Each item that brought a run to people who can read none before it; where it was, and who they are."""
    could: set[str] = set()
    for place, one in enumerate(ordered):
        new = readers[one.audience] - could
        if could and new:
            narrowest = min(ordered[:place], key=lambda before: (len(readers[before.audience]), before.at))
            yield one, narrowest, new
        could |= new


def _is_much(one: _Found, sizes: Mapping[UUID, int]) -> bool:
    return one.runs >= LEAST_SHARED or 2 * one.runs >= sizes[one.copy.item]


def _origin(one: _Found, items: Mapping[UUID, _Print]) -> _Print:
    """Where most of the runs were; of equals the earliest."""
    most = max(one.origins.values())
    equal = [items[item] for item, count in one.origins.items() if count == most]
    return min(equal, key=lambda origin: (origin.at, origin.source, origin.id))


def _texts(desk: Desk, items: Iterable[UUID]) -> dict[UUID, str]:
    """The words of those items that the steward may read: running the record gives no right to."""
    work, now = desk.work, desk.now
    with reading_as(
        work.database, work.tenant, work.key, Hearing(desk.principal), Moment(now, now, None)
    ) as reader:
        return {row.item: row.body for row in reader.rows(_Row, "widening", "words", items=sorted(items))}


def _told(one: _Found, origin: _Print, texts: Mapping[UUID, str]) -> Widening:
    copy = one.copy
    both = copy.item in texts and origin.item in texts
    return Widening(
        origin=f"{origin.source}:{origin.id}",
        to=f"{copy.source}:{copy.id}",
        at=copy.at,
        new_readers=len(one.readers),
        runs=one.runs,
        words=tuple(shared_words(texts[origin.item], texts[copy.item])) if both else None,
    )
