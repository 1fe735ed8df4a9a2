"""The one door for derived content: projections in, labelled rows out. Rooms never choose who may read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

from muniment.domain.events import ItemRef
from muniment.domain.names import normal_name
from muniment.domain.passages import Span
from muniment.gate.audiences import audience_ids
from muniment.index import lexical
from muniment.index.words import lexemes
from muniment.index.projection import Edge, Name, Projection, StoredAssertion, StoredPassage, StoredVersion
from muniment.store.queries import load
from muniment.store.rows import Row, as_json

__all__ = ["Quality", "Writer", "index_text"]

Connection = psycopg.Connection[Any]
SQL = load("writer")


@dataclass(frozen=True, slots=True)
class Quality:
    """How much an item's words count: labels from its source's configuration and its kind, never from its text."""

    trust: str
    authority: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """A passage row as it is stored now."""

    passage: UUID
    doc: int
    item: UUID
    audience: int
    era: int
    heading: tuple[str, ...]
    speaker: str | None
    body: str


def index_text(title: str | None, author: str | None, heading: Iterable[str], speaker: str | None, body: str) -> str:
    """What of a passage can be searched for: its words, and where and by whom they were said."""
    return "\n".join(part for part in (title, *heading, speaker or author, body) if part)


class Writer:
    """Writes the derived rows of items in the caller's transaction; a label is computed here, for all rows of an item alike."""

    def __init__(self, conn: Connection, tenant: str) -> None:
        self._conn = conn
        self._tenant = tenant

    def write(self, projections: Sequence[Projection], qualities: Mapping[ItemRef, Quality]) -> None:
        """Make the stored rows of these items exactly what the projections say."""
        labels = audience_ids(self._conn, self._tenant, {one.standing.audience for one in projections})
        audiences = {one.item: labels[one.standing.audience] for one in projections}
        stale = self._stored_items([one.item for one in projections])
        kept = self._clear(projections, stale)
        self._insert_items(projections, audiences, qualities)
        self._insert_parts(projections, audiences, qualities)
        self._write_passages(projections, audiences, kept, stale)
        self._mark(projections, audiences, stale)

    def _stored_items(self, items: Sequence[UUID]) -> dict[UUID, tuple[str, int, str | None, str | None]]:
        """Source, audience, title and author of those that are already stored."""
        rows = self._conn.execute(SQL["stored_items"], {"tenant": self._tenant, "items": list(items)}).fetchall()
        return {row[0]: (row[1], row[2], row[3], row[4]) for row in rows}

    def _clear(self, projections: Sequence[Projection], stale: Mapping[UUID, object]) -> dict[UUID, _Kept]:
        """Drop what is stored of items that change, all but passages, which keep their numbers."""
        changing = [one.item for one in projections if one.item in stale]
        if not changing:
            return {}
        values = {"tenant": self._tenant, "items": changing, "origins": [str(item) for item in changing]}
        for name in ("drop_versions", "drop_assertions", "drop_edges", "drop_names", "drop_mentions", "drop_items"):
            self._conn.execute(SQL[name], values)
        rows = self._conn.execute(SQL["stored_passages"], values).fetchall()
        return {row[0]: _Kept(row[0], row[1], row[2], row[3], row[4], tuple(row[5]), row[6], row[7]) for row in rows}

    def _insert_items(
        self, projections: Sequence[Projection], audiences: Mapping[UUID, int], qualities: Mapping[ItemRef, Quality]
    ) -> None:
        self._insert(
            "insert_items",
            [_item_row(self._tenant, one, audiences[one.item], qualities[one.standing.ref]) for one in projections],
        )

    def _insert_parts(
        self, projections: Sequence[Projection], audiences: Mapping[UUID, int], qualities: Mapping[ItemRef, Quality]
    ) -> None:
        tenant = self._tenant
        self._insert(
            "insert_versions",
            [
                _version_row(tenant, one.item, audiences[one.item], version)
                for one in projections
                for version in one.versions
            ],
        )
        self._insert(
            "insert_assertions",
            [
                _assertion_row(tenant, one, audiences[one.item], said, qualities[one.standing.ref])
                for one in projections
                for said in one.assertions
            ],
        )
        self._insert(
            "insert_edges",
            [
                _edge_row(tenant, one.item, audiences[one.item], edge)
                for one in projections
                for edge in one.edges
            ],
        )
        self._insert(
            "insert_names",
            [
                _name_row(tenant, one.item, audiences[one.item], name)
                for one in projections
                for name in one.names
            ],
        )
        self._insert(
            "insert_mentions",
            [
                _mention_row(tenant, one.item, audiences[one.item], name)
                for one in projections
                for name in one.names
            ],
        )

    def _insert(self, name: str, rows: Sequence[Row]) -> None:
        if rows:
            self._conn.execute(SQL[name], {"tenant": self._tenant, "rows": as_json(rows)})

    def _write_passages(
        self,
        projections: Sequence[Projection],
        audiences: Mapping[UUID, int],
        kept: Mapping[UUID, _Kept],
        stale: Mapping[UUID, tuple[str, int, str | None, str | None]],
    ) -> None:
        """Passages that stay keep their number and vector; the index loses old words and gains new ones."""
        wanted = {row.passage: (one, row) for one in projections for row in one.passages}
        fresh = [passage for passage in wanted if passage not in kept]
        numbers = dict(zip(fresh, self._numbers(len(fresh)), strict=True))
        docs = {**{passage: row.doc for passage, row in kept.items()}, **numbers}
        after = {
            passage: (row.era, _document(docs[passage], audiences[one.item], one, row))
            for passage, (one, row) in wanted.items()
        }
        before = {passage: (row.era, _document_of(row, stale[row.item])) for passage, row in kept.items()}
        self._reindex(before, after)
        same = {passage for passage, row in kept.items() if passage in wanted and _is_same(row, stale, *wanted[passage])}
        self._drop_passages([passage for passage in kept if passage not in same])
        rows = {
            passage: _passage_row(self._tenant, one.item, audiences[one.item], docs[passage], row)
            for passage, (one, row) in wanted.items()
        }
        self._insert("insert_passages", [row for passage, row in rows.items() if passage not in same])
        # Passages that say what they said keep their row, and their vectors with it.
        self._insert("move_passages", [row for passage, row in rows.items() if passage in same])

    def _numbers(self, count: int) -> list[int]:
        if not count:
            return []
        return [row[0] for row in self._conn.execute(SQL["number_passages"], {"tenant": self._tenant, "count": count})]

    def _drop_passages(self, passages: Sequence[UUID]) -> None:
        """Vectors go with their passages: a foreign key sees to it, where there are vectors."""
        if passages:
            self._conn.execute(SQL["drop_passages"], {"tenant": self._tenant, "passages": passages})

    def _reindex(
        self,
        before: Mapping[UUID, tuple[int, lexical.Document]],
        after: Mapping[UUID, tuple[int, lexical.Document]],
    ) -> None:
        gone = [pair for passage, pair in before.items() if after.get(passage) != pair]
        come = [pair for passage, pair in after.items() if before.get(passage) != pair]
        for era in (0, 1):
            if old := [document for its_era, document in gone if its_era == era]:
                lexical.remove(self._conn, self._tenant, era, old)
            if new := [document for its_era, document in come if its_era == era]:
                lexical.add(self._conn, self._tenant, era, new)

    def _mark(
        self,
        projections: Sequence[Projection],
        audiences: Mapping[UUID, int],
        stale: Mapping[UUID, tuple[str, int, str | None, str | None]],
    ) -> None:
        """Say how far each source has been heard, for every audience an item joined or left."""
        touched = {(one.standing.ref.source, audiences[one.item]) for one in projections}
        touched |= {(source, audience) for source, audience, _, _ in stale.values()}
        pairs = sorted(touched)
        values = {
            "tenant": self._tenant,
            "sources": [source for source, _ in pairs],
            "audiences": [audience for _, audience in pairs],
        }
        self._conn.execute(SQL["drop_watermarks"], values)
        self._conn.execute(SQL["mark"], values)


def _document(doc: int, audience: int, projection: Projection, row: StoredPassage) -> lexical.Document:
    body = projection.standing.body
    author = body.author_name or body.author
    return _counted(doc, audience, index_text(body.title, author, row.cut.heading, row.cut.speaker, row.cut.text))


def _document_of(row: _Kept, item: tuple[str, int, str | None, str | None]) -> lexical.Document:
    _, _, title, author = item
    return _counted(row.doc, row.audience, index_text(title, author, row.heading, row.speaker, row.body))


def _is_same(
    row: _Kept, items: Mapping[UUID, tuple[str, int, str | None, str | None]], one: Projection, new: StoredPassage
) -> bool:
    """Whether a stored passage has the very words of the new one, in its index text and so in its vector."""
    body, cut = one.standing.body, new.cut
    said = (body.title, body.author_name or body.author, cut.heading, cut.speaker, cut.text)
    return (*items[row.item][2:], row.heading, row.speaker, row.body) == said


def _counted(doc: int, audience: int, text: str) -> lexical.Document:
    counts = Counter(lexemes(text))
    return lexical.Document(doc, audience, counts, counts.total())


def _range(start: datetime | None, end: datetime | None) -> str:
    """[start, end) as PostgreSQL writes it; empty where they are one instant."""
    if start is not None and start == end:
        return "empty"
    return f"[{start.isoformat() if start else ''},{end.isoformat() if end else ''})"


def _spans(spans: Sequence[Span]) -> list[list[object]]:
    return [[span.start, span.end, span.origin.value] for span in spans]


def _item_row(tenant: str, one: Projection, audience: int, quality: Quality) -> Row:
    standing, body = one.standing, one.standing.body
    hidden = standing.state in ("deleted", "moved")
    shown = None if hidden else body
    return {
        "tenant": tenant,
        "item": one.item,
        "source": standing.ref.source,
        "id": standing.ref.id,
        "audience": audience,
        "state": standing.state,
        "inherits": standing.inherits,
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


def _version_row(tenant: str, item: UUID, audience: int, row: StoredVersion) -> Row:
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


def _assertion_row(
    tenant: str, one: Projection, audience: int, row: StoredAssertion, quality: Quality
) -> Row:
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


def _edge_row(tenant: str, item: UUID, audience: int, edge: Edge) -> Row:
    return {
        "tenant": tenant,
        "item": item,
        "kind": edge.kind,
        "target_source": edge.target.source,
        "target_id": edge.target.id,
        "audience": audience,
        "inverse": edge.inverse,
    }


def _name_row(tenant: str, item: UUID, audience: int, name: Name) -> Row:
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


def _mention_row(tenant: str, item: UUID, audience: int, name: Name) -> Row:
    return {"tenant": tenant, "item": item, "role": name.role, "name": name.name, "audience": audience}


def _passage_row(tenant: str, item: UUID, audience: int, doc: int, row: StoredPassage) -> Row:
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
