"""What the front door lets in: one frozen value for each kind of event.

`version` is the source's own; `accepted_at` is when the record took the event, and decides `known`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from muniment.domain.audience import Audience

__all__ = [
    "AudienceEvent",
    "Body",
    "ContentEvent",
    "EntityEvent",
    "Event",
    "ItemRef",
    "JsonObject",
    "MemberEvent",
    "Move",
    "Op",
    "PrincipalEvent",
    "TopologyEvent",
]

JsonObject = Mapping[str, object]


class Op(StrEnum):
    """What happened to an item."""

    UPSERT = "upsert"
    DELETE = "delete"
    RESTORE = "restore"
    RECALL = "recall"
    CLOSE = "close"
    REDACT = "redact"
    MOVE = "move"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class ItemRef:
    """An item by its source's own id."""

    source: str
    id: str


@dataclass(frozen=True, slots=True)
class Body:
    """What an upsert says: the item's words and everything the source declares about them."""

    kind: str
    body: str
    media: str = "text/plain"
    title: str | None = None
    author: str | None = None
    author_name: str | None = None
    created_at: datetime | None = None
    container: str | None = None
    thread: str | None = None
    participants: tuple[str, ...] = ()
    account: str | None = None
    project: str | None = None
    service: str | None = None
    url: str | None = None
    audience: Audience | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    timezone: str | None = None  # in which the dates of its text are read
    supersedes: tuple[ItemRef, ...] = ()
    amends: tuple[ItemRef, ...] = ()
    superseded_by: tuple[ItemRef, ...] = ()
    derived_from: tuple[ItemRef, ...] = ()
    labels: JsonObject = field(default_factory=dict)
    metadata: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """Where an item went; a part that is None stays."""

    id: str | None
    container: str | None
    thread: str | None


@dataclass(frozen=True, slots=True)
class ContentEvent:
    """One thing that happened to one item. `detail` holds what the op needs and nothing else."""

    op: Op
    source: str
    id: str
    at: datetime
    version: str | None
    detail: Body | Move | ItemRef | str | tuple[tuple[int, int], ...] | None
    raw: JsonObject = field(compare=False)


@dataclass(frozen=True, slots=True)
class PrincipalEvent:
    """What a directory says of someone. None leaves a field as it was; an empty tuple clears it."""

    source: str
    id: str
    at: datetime
    version: str | None
    name: str | None
    emails: tuple[str, ...] | None
    aliases: tuple[str, ...] | None
    standing: str | None
    raw: JsonObject = field(compare=False)


@dataclass(frozen=True, slots=True)
class MemberEvent:
    """Who joined or left a group; `listing`, where given, is everyone who is in it.

    Whoever it brings in is in from `valid_from` until `valid_to`; whoever it takes out is out at once.
    """

    source: str
    group: str
    at: datetime
    version: str | None
    add: tuple[str, ...]
    remove: tuple[str, ...]
    listing: tuple[str, ...] | None
    raw: JsonObject = field(compare=False)
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class AudienceEvent:
    """Who may read a container or one item.

    `audience` None only reports how far the container is verified. Of an item, `add` and `remove` say who
    holds a copy of it and who no longer does: whoever holds one may read it beside those of the audience.
    """

    source: str
    container: str | None
    item: str | None
    at: datetime
    version: str | None
    audience: Audience | None
    verified_through: datetime | None
    live: bool
    raw: JsonObject = field(compare=False)
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityEvent:
    """An entity a source keeps, with its other names."""

    source: str
    id: str
    at: datetime
    version: str | None
    kind: str
    name: str
    aliases: tuple[str, ...]
    domains: tuple[str, ...]
    audience: Audience
    raw: JsonObject = field(compare=False)


@dataclass(frozen=True, slots=True)
class TopologyEvent:
    """Which part leans on which, over which period; complete: it is all that its source knows of then."""

    source: str
    at: datetime
    version: str | None
    edges: tuple[tuple[str, str, str], ...]
    environment: str | None
    audience: Audience
    valid_from: datetime | None
    valid_to: datetime | None
    raw: JsonObject = field(compare=False)
    complete: bool = False


Event = ContentEvent | PrincipalEvent | MemberEvent | AudienceEvent | EntityEvent | TopologyEvent
