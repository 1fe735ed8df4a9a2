"""An item's derived rows as its tables have them, each with the audience it was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from muniment.domain.assertions import Term
from muniment.domain.names import normal_name
from muniment.domain.passages import Span
from muniment.domain.trust import is_trusted
from muniment.index.places import Place, traits_of
from muniment.index.prints import Prints
from muniment.index.projection import Projection, StoredAssertion, StoredPassage, StoredVersion
from muniment.index.referred import StoredHandle, StoredReference
from muniment.index.stated import Edge, Known, Name
from muniment.items.echoes import marks
from muniment.store.rows import Row

__all__ = ["UNSHOWN", "Quality", "Word", "item_row", "part_rows", "passage_row"]

# A steward's or a service's; that of the person who feeds the source; that of anybody else.
Word: TypeAlias = Literal["vouched", "fed", "added"]
UNSHOWN = frozenset(("deleted", "moved"))  # states in which an item's row says nothing of its content


@dataclass(frozen=True, slots=True)
class Quality:
    """How much an item's words count, and on whose word they came.

    Labels from its source's configuration and its kind, never from its text.
    """

    trust: str
    authority: str
    word: Word = "vouched"


def _range(start: datetime | None, end: datetime | None) -> str:
    """[start, end) as PostgreSQL writes it; empty where they are one instant."""
    if start is not None and start == end:
        return "empty"
    return f"[{start.isoformat() if start else ''},{end.isoformat() if end else ''})"


def _ranges(known: Known) -> str:
    """Several of them, as PostgreSQL writes a multirange."""
    return f"{{{','.join(_range(start, end) for start, end in known)}}}"


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
        "word": quality.word,
        "level": one.level,
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
        "level": one.level,
        "kind": said.kind.value,
        "memory_type": row.memory_type,
        "statement": said.statement,
        "entity": slot and normal_name(slot.entity),
        "attribute": slot and slot.attribute,
        "qualifier": slot and slot.qualifier,
        "value": said.value,
        "terms": [_term(term) for term in said.terms],
        "quotes": ([[str(row.passage), said.quote.start, said.quote.end]]),
        "stated_by": said.stated_by or one.standing.body.author_name,
        "stated_at": row.stated_at,
        "extractor": said.extractor,
        "valid": _range(row.valid_from, row.valid_to),
        "known": _range(row.known_from, row.known_to),
        "last_verified_at": row.stated_at,
        "authority": row.authority or quality.authority,
        "trust": row.trust or quality.trust,
        "status": row.status,
        "input_hash": None if row.input is None else f"\\x{row.input.hex()}",
        "confidence": row.confidence,
    }


def _term(term: Term) -> list[str | None]:
    plain: list[str | None] = [term.kind, term.text, term.value]
    return plain if term.resolved is None and term.note is None else [*plain, term.resolved, term.note]


def echo_rows(tenant: str, one: Projection, audience: int, quality: Quality) -> Iterator[Row]:
    """Marks of every word that may not act by itself, each as of when the record first held it."""
    if is_trusted(quality.trust) or one.standing.state in UNSHOWN:
        return
    first: dict[int, StoredVersion] = {}
    marked = {row.passage: marks(row.cut.text, _quotes(one, row.passage)) for row in one.passages}
    for version in sorted(one.versions, key=lambda row: (row.version.known_from, row.version.seq)):
        for mark in frozenset[int]().union(*(marked.get(passage, ()) for passage in version.passages)):
            first.setdefault(mark, version)
    for mark, row in sorted(first.items()):
        yield {
            "tenant": tenant,
            "mark": mark,
            "item": one.item,
            "audience": audience,
            "trust": quality.trust,
            "known": row.version.known_from,
            "at": row.version.at,
        }


def _quotes(one: Projection, passage: UUID) -> list[str]:
    return [row.said.quote.text for row in one.assertions if row.passage == passage]


def part_rows(tenant: str, one: Projection, audience: int, quality: Quality) -> dict[str, list[Row]]:
    """Everything an item says of itself but its passages, by the statement that stores it."""
    item = one.item
    return {
        "versions": [version_row(tenant, item, audience, row) for row in one.versions],
        "assertions": [assertion_row(tenant, one, audience, row, quality) for row in one.assertions],
        "echoes": list(echo_rows(tenant, one, audience, quality)),
        "edges": [edge_row(tenant, item, audience, edge) for edge in one.edges],
        "names": [name_row(tenant, item, audience, name) for name in one.names],
        "mentions": [mention_row(tenant, item, audience, name) for name in one.mentions],
        "references": [reference_row(tenant, item, audience, row) for row in one.references],
        "handles": [handle_row(tenant, item, audience, row) for row in one.handles],
        # No audience: no reader's role can see these, and a steward's report asks for rights item by item.
        "fingerprints": [prints_row(tenant, item, prints) for prints in one.prints],
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
        "known": _ranges(edge.known),
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
        "known": _ranges(name.known),
    }


def mention_row(tenant: str, item: UUID, audience: int, name: Name) -> Row:
    return {
        "tenant": tenant,
        "item": item,
        "role": name.role,
        "name": name.name,
        "audience": audience,
        "known": _ranges(name.known),
    }


def reference_row(tenant: str, item: UUID, audience: int, row: StoredReference) -> Row:
    said = row.said
    return {
        "tenant": tenant,
        "reference": row.reference,
        "item": item,
        "kind": said.kind,
        "inverse": said.inverse,
        "name": said.name,
        "section": said.section,
        "edition": said.edition,
        "passage": row.passage,
        "start": said.start,
        "end": said.end,
        "cue": said.cue,
        "audience": audience,
        "known": _ranges(row.known),
    }


def handle_row(tenant: str, item: UUID, audience: int, row: StoredHandle) -> Row:
    return {
        "tenant": tenant,
        "item": item,
        "role": row.said.role,
        "name": row.said.name,
        "edition": row.said.edition,
        "audience": audience,
        "known": _ranges(row.known),
    }


def passage_row(tenant: str, item: UUID, audience: int, doc: int, row: StoredPassage, place: Place) -> Row:
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
        "line": place.line,
        "at": place.at,
        "turn": place.turn,
        "traits": traits_of(cut.text, place),
    }


def prints_row(tenant: str, item: UUID, prints: Prints) -> Row:
    return {"tenant": tenant, "item": item, "seq": prints.seq, "at": prints.at, "hashes": list(prints.hashes)}
