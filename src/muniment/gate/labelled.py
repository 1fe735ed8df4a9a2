"""An item's derived rows as its tables have them, each with the audience it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.domain.names import normal_name
from muniment.domain.passages import Span
from muniment.index.projection import Edge, Name, Projection, StoredAssertion, StoredPassage, StoredVersion
from muniment.store.rows import Row

__all__ = [
    "UNSHOWN",
    "Quality",
    "assertion_row",
    "edge_row",
    "item_row",
    "mention_row",
    "name_row",
    "passage_row",
    "version_row",
]

UNSHOWN = frozenset(("deleted", "moved"))  # states in which an item's row says nothing of its content


@dataclass(frozen=True, slots=True)
class Quality:
    """How much an item's words count.

    Labels from its source's configuration and its kind, never from its text.
    """

    trust: str
    authority: str


def _range(start: datetime | None, end: datetime | None) -> str:
    """[start, end) as PostgreSQL writes it; empty where they are one instant."""
    if start is not None and start == end:
        return "empty"
    return f"[{start.isoformat() if start else ''},{end.isoformat() if end else ''})"


def _spans(spans: Sequence[Span]) -> list[list[object]]:
    return [[span.start, span.end, span.origin.value] for span in spans]


def item_row(tenant: str, one: Projection, audience: int, quality: Quality) -> Row:
    standing, body = one.standing, one.standing.body
    hidden = standing.state in UNSHOWN
    shown = None if hidden else body
    return {
        "tenant": tenant,
        "item": one.item,
        "source": standing.ref.source,
        "id": standing.ref.id,
        "audience": audience,
        "state": standing.state,
        "inherits": standing.inherits,
        "since": standing.since,
        "seq": standing.seq,
        "kind": body.kind,
        "title": shown and shown.title,
        "author": shown and shown.author,
        "author_name": shown and shown.author_name,
        "at": standing.at,
        "created_at": standing.created_at,
        "version": standing.version,
        "container": standing.container,
        "thread": standing.thread,
        "participants": [] if hidden else list(body.participants),
        "account": shown and shown.account,
        "project": shown and shown.project,
        "service": shown and shown.service,
        "url": shown and shown.url,
        "status": standing.status or _declared_status(one),
        "valid_from": shown and shown.valid_from,
        "valid_to": shown and shown.valid_to,
        "labels": ({} if hidden else dict(body.labels)),
        "metadata": ({} if hidden else dict(body.metadata)),
        "trust": quality.trust,
        "authority": quality.authority,
    }


def _declared_status(one: Projection) -> str | None:
    """What the document says of itself, as a header such as `Status: Rejected` does."""
    status = one.standing.body.metadata.get("status")
    return status.casefold() if isinstance(status, str) and one.standing.state != "deleted" else None


def version_row(tenant: str, item: UUID, audience: int, row: StoredVersion) -> Row:
    version, status = row.version, row.body.metadata.get("status")
    return {
        "tenant": tenant,
        "item": item,
        "seq": version.seq,
        "audience": audience,
        "at": version.at,
        "version": version.version,
        "known": _range(version.known_from, version.known_to),
        "title": row.body.title,
        "status": version.status or (status.casefold() if isinstance(status, str) else None),
        "valid_from": row.body.valid_from,
        "valid_to": row.body.valid_to,
        "change": version.change,
        "passages": list(row.passages),
        "starts": list(row.starts),
    }


def assertion_row(tenant: str, one: Projection, audience: int, row: StoredAssertion, quality: Quality) -> Row:
    said = row.said
    slot = said.slot
    return {
        "tenant": tenant,
        "assertion": row.assertion,
        "revision": row.revision,
        "item": one.item,
        "seq": row.seq,
        "audience": audience,
        "kind": said.kind.value,
        "memory_type": row.memory_type,
        "statement": said.statement,
        "entity": slot and normal_name(slot.entity),
        "attribute": slot and slot.attribute,
        "qualifier": slot and slot.qualifier,
        "value": said.value,
        "terms": ([[term.kind, term.text, term.value] for term in said.terms]),
        "quotes": ([[str(row.passage), said.quote.start, said.quote.end]]),
        "stated_by": said.stated_by or one.standing.body.author_name,
        "stated_at": row.stated_at,
        "extractor": said.extractor,
        "valid": _range(row.valid_from, row.valid_to),
        "known": _range(row.known_from, row.known_to),
        "last_verified_at": row.stated_at,
        "authority": quality.authority,
        "trust": quality.trust,
        "status": "active",
    }


def edge_row(tenant: str, item: UUID, audience: int, edge: Edge) -> Row:
    return {
        "tenant": tenant,
        "item": item,
        "kind": edge.kind,
        "target_source": edge.target.source,
        "target_id": edge.target.id,
        "audience": audience,
        "inverse": edge.inverse,
    }


def name_row(tenant: str, item: UUID, audience: int, name: Name) -> Row:
    return {
        "tenant": tenant,
        "name": name.name,
        "origin": str(item),
        "entity": name.entity,
        "kind": name.kind,
        "title": name.title,
        "is_alias": False,
        "audience": audience,
    }


def mention_row(tenant: str, item: UUID, audience: int, name: Name) -> Row:
    return {"tenant": tenant, "item": item, "role": name.role, "name": name.name, "audience": audience}


def passage_row(tenant: str, item: UUID, audience: int, doc: int, row: StoredPassage) -> Row:
    cut = row.cut
    return {
        "tenant": tenant,
        "passage": row.passage,
        "doc": doc,
        "item": item,
        "audience": audience,
        "era": row.era,
        "ordinal": cut.ordinal,
        "heading": list(cut.heading),
        "speaker": cut.speaker,
        "body": cut.text,
        "spans": _spans(cut.spans),
    }
