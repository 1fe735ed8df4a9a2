"""One JSON object in, one frozen event or one refusal out. Pure; touches nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.audience import is_principal
from muniment.domain.events import (
    AudienceEvent,
    Body,
    ContentEvent,
    EntityEvent,
    Event,
    ItemRef,
    MemberEvent,
    Move,
    Op,
    PrincipalEvent,
    TopologyEvent,
)
from muniment.domain.regex import regex
from muniment.domain.times import find_zone
from muniment.events import fields
from muniment.events.fields import Wrong

__all__ = ["BODY_LIMIT", "KINDS", "Parsed", "Rejection", "parse_event", "parse_line"]

BODY_LIMIT = 4_000_000  # characters; the longest real document met so far had 1.1 million
KINDS = frozenset(
    "message email call meeting note document issue pull_request crm calendar alert observation episode "
    "checkpoint".split()
)
_OFFSET = regex(r"[+-](?!00:00)\d{2}:\d{2}")  # +00:00 is how programs write that no place was meant
_CONTENT_OPS = frozenset(op.value for op in Op)
_STANDINGS = frozenset(("member", "guest", "external", "deactivated"))
_ENTITY_KINDS = frozenset("account project service person policy topic incident".split())
_ENVELOPE = frozenset(("source", "id", "op", "at", "version"))
_BODY_FIELDS = _ENVELOPE | frozenset(
    "kind body media title author author_name created_at container thread participants account project "
    "service url audience valid_from valid_to timezone supersedes amends superseded_by derived_from labels "
    "metadata".split()
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """An event fit to be checked against its source's rights, and what was changed to make it so."""

    event: Event
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a line cannot be an event. Names are given as far as they could be read."""

    reason: str
    source: str | None = None
    id: str | None = None


def parse_line(line: str | bytes) -> Parsed | Rejection:
    """An event from one line of JSON."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Rejection(f"not JSON: {str(error)[:200]}")
    return parse_event(value)


def parse_event(value: object) -> Parsed | Rejection:
    """An event from a JSON object already read."""
    if not isinstance(value, Mapping):
        return Rejection(f"an event is a JSON object, not {type(value).__name__}")
    notes: list[str] = []
    try:
        raw = fields.clean(value, notes)
    except Wrong as error:
        return Rejection(str(error), _name(value.get("source")), _name(value.get("id")))
    try:
        return Parsed(_event(raw, notes), tuple(notes))
    except Wrong as error:
        return Rejection(str(error), _name(raw.get("source")), _name(raw.get("id")))


def _name(value: object) -> str | None:
    return value[: fields.SHORT_LIMIT] if isinstance(value, str) else None


def _event(raw: dict[str, object], notes: list[str]) -> Event:
    op = fields.required_text(raw, "op")
    if op in _OTHER:
        return _OTHER[op](raw, _Stamp.read(raw))
    if op not in _CONTENT_OPS:
        raise Wrong(f"op {op!r} is unknown: use {', '.join([*Op, *_OTHER])}")
    return _content(Op(op), raw, notes)


@dataclass(frozen=True, slots=True)
class _Stamp:
    source: str
    at: datetime
    version: str | None

    @classmethod
    def read(cls, raw: Mapping[str, object]) -> _Stamp:
        at = fields.instant(raw, "at")
        source = fields.source(raw)
        if at is None:
            raise Wrong("at is missing: say when it happened, as an RFC 3339 time with a zone")
        return cls(source, at, _version(raw))


def _version(raw: Mapping[str, object]) -> str | None:
    value = raw.get("version")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.bounded(raw, "version", fields.SHORT_LIMIT)


def _content(op: Op, raw: dict[str, object], notes: list[str]) -> ContentEvent:
    stamp = _Stamp.read(raw)
    id_ = fields.required_text(raw, "id")
    if id_.startswith("@"):
        raise Wrong(f"id {id_!r} begins with @, which the record keeps for itself")
    return ContentEvent(
        op, stamp.source, id_, stamp.at, stamp.version, _detail(op, raw, stamp.source, notes), raw
    )


def _detail(
    op: Op, raw: dict[str, object], source: str, notes: list[str]
) -> Body | Move | ItemRef | str | tuple[tuple[int, int], ...] | None:
    match op:
        case Op.UPSERT:
            return _body(raw, source, notes)
        case Op.MOVE:
            return _move(raw)
        case Op.MERGE:
            return _into(raw, source)
        case Op.CLOSE:
            return fields.text(raw, "state") or "closed"
        case Op.REDACT:
            return _redacted(raw)
        case Op.DELETE | Op.RESTORE | Op.RECALL:
            return None


def _body(raw: dict[str, object], source: str, notes: list[str]) -> Body:
    body = fields.text(raw, "body")
    if body is None:
        raise Wrong("body is missing: an upsert says what the item's text is")
    if len(body) > BODY_LIMIT:
        raise Wrong(f"body is {len(body)} characters long; {BODY_LIMIT} is the limit")
    kind = fields.text(raw, "kind") or "note"
    if kind not in KINDS:
        raise Wrong(f"kind {kind!r} is unknown: use {', '.join(sorted(KINDS))}")
    valid_from, valid_to = _valid(raw)
    author, author_name = _author(raw, notes)
    return Body(
        kind=kind,
        body=body,
        media=fields.text(raw, "media") or "text/plain",
        title=fields.seen(raw, "title"),
        author=author,
        author_name=author_name,
        created_at=fields.instant(raw, "created_at"),
        container=fields.bounded(raw, "container") or None,
        thread=fields.bounded(raw, "thread"),
        participants=fields.names(raw, "participants") or (),
        account=fields.bounded(raw, "account") or None,
        project=fields.bounded(raw, "project") or None,
        service=fields.bounded(raw, "service") or None,
        url=fields.text(raw, "url"),
        audience=fields.audience(raw),
        valid_from=valid_from,
        valid_to=valid_to,
        timezone=_timezone(raw, notes),
        supersedes=fields.references(raw, "supersedes", source),
        amends=fields.references(raw, "amends", source),
        superseded_by=fields.references(raw, "superseded_by", source),
        derived_from=_lineage(raw, source),
        labels=_object(raw, "labels"),
        metadata=_metadata(raw, notes),
    )


def _timezone(raw: Mapping[str, object], notes: list[str]) -> str | None:
    """The zone declared for the dates in a text, else the offset its own times are given in."""
    declared = fields.bounded(raw, "timezone")
    if declared is not None:
        if find_zone(declared) is not None:
            return declared
        notes.append(f"timezone {declared!r} is no zone that is known; dates in the text are read in UTC")
        return None
    said = fields.text(raw, "created_at") or fields.text(raw, "at") or ""
    return said[-6:] if _OFFSET.fullmatch(said[-6:]) and find_zone(said[-6:]) is not None else None


def _author(raw: Mapping[str, object], notes: list[str]) -> tuple[str | None, str | None]:
    author, name = fields.bounded(raw, "author"), fields.bounded(raw, "author_name")
    name = name and fields.seen(raw, "author_name")
    if author is None or is_principal(author):
        return author, name
    notes.append(f"author {author!r} is no principal and was kept as a name")
    return None, name or author


def _object(raw: Mapping[str, object], field: str) -> dict[str, object]:
    value = raw.get(field)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Wrong(f"{field} must be an object, not {value!r:.80}")
    return value


def _metadata(raw: dict[str, object], notes: list[str]) -> dict[str, object]:
    unknown = {key: value for key, value in raw.items() if key not in _BODY_FIELDS}
    if unknown:
        notes.append(f"unknown keys were kept in metadata: {', '.join(sorted(unknown))}")
    called = fields.bounded(raw, "author")
    # Who is no principal may still be known by an address, however else they are called.
    as_called = {} if called is None or is_principal(called) else {"author": called}
    return {**unknown, **_object(raw, "metadata"), **as_called}


def _lineage(raw: Mapping[str, object], source: str) -> tuple[ItemRef, ...]:
    """What it was made from, said of itself or, as agents' tools do, in its metadata."""
    metadata = raw.get("metadata")
    beside = metadata.get("derived_from") if isinstance(metadata, dict) else None
    listed = [one for one in beside if isinstance(one, str) and one] if isinstance(beside, list) else []
    declared = fields.references(raw, "derived_from", source)
    return tuple(dict.fromkeys((*declared, *fields.references({"lineage": listed}, "lineage", source))))


def _move(raw: Mapping[str, object]) -> Move:
    to = raw.get("to")
    if isinstance(to, str) and to.strip():
        return Move(to, None, None)
    if isinstance(to, dict) and to:
        move = Move(fields.bounded(to, "id"), fields.bounded(to, "container"), fields.bounded(to, "thread"))
        if any((move.id, move.container, move.thread)):
            return move
    raise Wrong(f"to must be a new id, or an object with id, container or thread, not {to!r:.80}")


def _into(raw: Mapping[str, object], source: str) -> ItemRef:
    if isinstance(raw.get("into"), str):
        return fields.references({"into": [raw["into"]]}, "into", source)[0]
    raise Wrong("into is missing: a merge names the item it goes into")


def _redacted(raw: Mapping[str, object]) -> tuple[tuple[int, int], ...]:
    spans = raw.get("spans")
    if not isinstance(spans, list) or not spans:
        raise Wrong("spans is missing: a redaction lists [start, end] character offsets")
    return tuple(_span(span) for span in spans)


def _span(value: object) -> tuple[int, int]:
    match value:
        case [int(start), int(end)] if 0 <= start < end:
            return start, end
    raise Wrong(f"{value!r:.80} is not a span: use [start, end] with start before end")


def _principal(raw: dict[str, object], stamp: _Stamp) -> PrincipalEvent:
    id_, standing = fields.required_text(raw, "id"), fields.text(raw, "standing")
    if not is_principal(id_):
        raise Wrong(f"id {id_!r} is no principal: use user:…, service:… or agent:…")
    if standing is not None and standing not in _STANDINGS:
        raise Wrong(f"standing {standing!r} is unknown: use {', '.join(sorted(_STANDINGS))}")
    return PrincipalEvent(
        stamp.source,
        id_,
        stamp.at,
        stamp.version,
        fields.text(raw, "name"),
        fields.names(raw, "emails"),
        fields.names(raw, "aliases"),
        standing,
        raw,
    )


def _member(raw: dict[str, object], stamp: _Stamp) -> MemberEvent:
    group = fields.required_text(raw, "group")
    if not group.startswith("group:") or group == "group:":
        raise Wrong(f"group {group!r} must begin with group:")
    listing = fields.principals(raw, "set")
    add, remove = fields.principals(raw, "add") or (), fields.principals(raw, "remove") or ()
    if listing is None and not add and not remove:
        raise Wrong("a member event needs add, remove or set")
    valid_from, valid_to = _valid(raw)
    if listing is None and not add and (valid_from or valid_to):
        raise Wrong("a removal holds at once; to end a membership at a time, add it with valid_to")
    return MemberEvent(
        stamp.source, group, stamp.at, stamp.version, add, remove, listing, raw, valid_from, valid_to
    )


def _valid(raw: Mapping[str, object]) -> tuple[datetime | None, datetime | None]:
    valid_from, valid_to = fields.day_or_instant(raw, "valid_from"), fields.day_or_instant(raw, "valid_to")
    if valid_from is not None and valid_to is not None and valid_to <= valid_from:
        raise Wrong(f"valid_to {raw['valid_to']!r} is not after valid_from {raw['valid_from']!r}")
    return valid_from, valid_to


def _audience(raw: dict[str, object], stamp: _Stamp) -> AudienceEvent:
    container, item = fields.bounded(raw, "container"), fields.bounded(raw, "item")
    if (container is None) == (item is None):
        raise Wrong("an audience event names either a container or an item")
    audience = fields.audience(raw)
    add, remove = fields.principals(raw, "add") or (), fields.principals(raw, "remove") or ()
    if item is None and (add or remove):
        raise Wrong("add and remove say who holds a copy of an item; of a container say the audience")
    if item is not None and (audience is None) == (not add and not remove):
        raise Wrong("audience is missing: say it, or who holds a copy in add and remove, and not both")
    return AudienceEvent(
        stamp.source,
        container,
        item,
        stamp.at,
        stamp.version,
        audience,
        fields.instant(raw, "verified_through"),
        fields.flag(raw, "live"),
        raw,
        add,
        remove,
    )


def _entity(raw: dict[str, object], stamp: _Stamp) -> EntityEvent:
    kind = fields.required_text(raw, "entity_kind")
    if kind not in _ENTITY_KINDS:
        raise Wrong(f"entity_kind {kind!r} is unknown: use {', '.join(sorted(_ENTITY_KINDS))}")
    audience = fields.audience(raw)
    if audience is None:
        raise Wrong("audience is missing: say who may know of the entity")
    return EntityEvent(
        stamp.source,
        fields.required_text(raw, "id"),
        stamp.at,
        stamp.version,
        kind,
        fields.required_text(raw, "name"),
        fields.names(raw, "aliases") or (),
        fields.names(raw, "domains") or (),
        audience,
        raw,
    )


def _topology(raw: dict[str, object], stamp: _Stamp) -> TopologyEvent:
    edges, audience = raw.get("edges"), fields.audience(raw)
    if not isinstance(edges, list) or not edges:
        raise Wrong("edges is missing: list [part, relation, part]")
    if audience is None:
        raise Wrong("audience is missing: say who may know of the topology")
    valid_from, valid_to = fields.day_or_instant(raw, "valid_from"), fields.day_or_instant(raw, "valid_to")
    if valid_to is not None and valid_to <= (valid_from or stamp.at):
        raise Wrong(f"valid_to {raw['valid_to']!r} is not after valid_from {raw['valid_from']!r}")
    return TopologyEvent(
        stamp.source,
        stamp.at,
        stamp.version,
        tuple(_triple(edge) for edge in edges),
        fields.text(raw, "environment"),
        audience,
        valid_from,
        valid_to,
        raw,
    )


def _triple(value: object) -> tuple[str, str, str]:
    match value:
        case [str(upstream), str(relation), str(downstream)] if _is_short(upstream + relation + downstream):
            return upstream, relation, downstream
    raise Wrong(f"{value!r:.80} is not an edge: use [part, relation, part], {fields.NAME_LIMIT} bytes in all")


def _is_short(name: str) -> bool:
    return len(name.encode()) <= fields.NAME_LIMIT


_OTHER: Mapping[str, Callable[[dict[str, object], _Stamp], Event]] = {
    "principal": _principal,
    "member": _member,
    "audience": _audience,
    "entity": _entity,
    "topology": _topology,
}
