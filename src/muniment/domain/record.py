"""Rows of the record as a reader meets them. Every one was permitted before it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

__all__ = [
    "DISCLOSURE",
    "AssertionRow",
    "EdgeRow",
    "ItemRow",
    "MentionRow",
    "Moment",
    "NameRow",
    "PassageRow",
    "VersionRow",
]


DISCLOSURE = "disclosure"  # the source of every level: it tells nothing of where the value came from


@dataclass(frozen=True, slots=True)
class Moment:
    """The times of a read. `known_at` None reads what is known now."""

    now: datetime
    as_of: datetime
    known_at: datetime | None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as it stands at the moment of the read.

    `level` other than exact: it discloses a range or trend, and has no place, version or author to show.
    `word`: on whose word it was taken in. `added` is that of somebody who does not feed its source.
    """

    item: UUID
    source: str
    id: str
    state: str
    kind: str
    title: str | None
    author: str | None
    author_name: str | None
    at: datetime
    created_at: datetime
    version: str | None
    container: str | None
    thread: str | None
    account: str | None
    project: str | None
    service: str | None
    url: str | None
    status: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    trust: str
    authority: str
    level: str = "exact"
    word: str = "vouched"


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of an item, with the stretch of time in which the record held it."""

    item: UUID
    seq: int
    at: datetime
    version: str | None
    title: str | None
    status: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    change: str
    passages: Sequence[UUID]
    starts: Sequence[int]
    known_from: datetime | None
    known_to: datetime | None


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage's words; `doc` is its number in the index and means nothing else.

    `spans` lists [start, end, origin]: only words of origin `own` speak for the author.
    """

    passage: UUID
    doc: int
    item: UUID
    ordinal: int
    heading: Sequence[str]
    speaker: str | None
    body: str
    spans: Sequence[Sequence[object]] = ()


@dataclass(frozen=True, slots=True)
class AssertionRow:
    """A statement made in one item; valid and known are half-open, None unbounded.

    `quotes` is a list of [passage id, start, end]; `entity` and `attribute` are its slot, if it has one.
    """

    assertion: UUID
    item: UUID
    kind: str
    level: str
    statement: str
    entity: str | None
    attribute: str | None
    qualifier: str | None
    value: str | None
    quotes: Sequence[Sequence[object]]
    stated_by: str | None
    stated_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    known_from: datetime
    known_to: datetime | None
    authority: str
    trust: str
    status: str


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A typed relation one item states about another; `inverse` where the target is the actor."""

    item: UUID
    kind: str
    target_source: str
    target_id: str
    inverse: bool


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name of an entity that this reader can see."""

    name: str
    entity: UUID
    kind: str
    title: str
    is_alias: bool


@dataclass(frozen=True, slots=True)
class MentionRow:
    """An item's own word for what it is about."""

    item: UUID
    role: str
    name: str
