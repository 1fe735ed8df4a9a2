"""The one door for derived content: projections in, labelled rows out. Rooms never choose who may read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

from muniment.domain.audience import Audience
from muniment.domain.events import ItemRef
from muniment.gate.audiences import new_audience_ids
from muniment.gate.labelled import UNSHOWN, Quality, item_row, part_rows, passage_row
from muniment.gate.watermarks import HEARD, mark, mark_new
from muniment.index import lexical
from muniment.index.projection import Projection, StoredPassage
from muniment.index.words import lexemes
from muniment.store.queries import load
from muniment.store.rows import Row, as_json

__all__ = ["Writer", "index_text"]

Connection = psycopg.Connection[Any]
SQL = load("writer")
_AT_ONCE = 100  # items of a batch that are stored in one statement
_SAID = ("assertions", "echoes", "edges", "references", "handles")
Stored = Mapping[UUID, tuple[str, int, str | None, str | None]]
_Wanted = tuple[Projection, StoredPassage]


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


def index_text(
    title: str | None, author: str | None, heading: Iterable[str], speaker: str | None, body: str
) -> str:
    """What of a passage can be searched for: its words, and where and by whom they were said."""
    return "\n".join(part for part in (title, *heading, speaker or author, body) if part)


class Writer:
    """Writes the derived rows of items in the caller's transaction.

    A label is computed here, for all rows of an item alike.
    """

    def __init__(self, conn: Connection, tenant: str) -> None:
        self._conn = conn
        self._tenant = tenant

    def write(self, projections: Sequence[Projection], qualities: Mapping[ItemRef, Quality]) -> None:
        """Make the stored rows of these items exactly what the projections say."""
        labels, stale, numbers = self._before(projections)
        audiences = {one.item: labels[one.standing.audience] for one in projections}
        kept = self._clear(list(audiences), stale)
        wanted = {row.passage: (one, row) for one in projections for row in one.passages}
        docs = self._numbered(wanted, kept, numbers)
        same = self._cleared(wanted, kept, stale)
        # A part at a time: while the server stores one, the next is being written down.
        for start in range(0, len(projections), _AT_ONCE):
            self._insert(projections[start : start + _AT_ONCE], audiences, qualities, docs, same)
        self._index(wanted, audiences, kept, stale, docs)
        self._mark(projections, audiences, stale)

    def _mark(self, projections: Sequence[Projection], audiences: Mapping[UUID, int], stale: Stored) -> None:
        said = [(one.standing.ref.source, audiences[one.item], one.standing) for one in projections]
        if stale:
            touched = {(source, audience) for source, audience, _ in said}
            touched |= {(source, audience) for source, audience, _, _ in stale.values()}
            mark(self._conn, self._tenant, touched)
            return
        newest: dict[tuple[str, int], datetime] = {}
        for source, audience, standing in said:
            if standing.state in HEARD:
                newest[source, audience] = max(newest.get((source, audience), standing.at), standing.at)
        mark_new(self._conn, self._tenant, newest)

    def withdraw(self, items: Sequence[UUID]) -> None:
        """Take everything derived from these items away, until they can be compiled again."""
        stale = self._stored_items(items)
        kept = self._clear(items, stale)
        self._reindex(
            {passage: (row.era, _document_of(row, stale[row.item])) for passage, row in kept.items()}, {}
        )
        self._drop_passages(list(kept))
        mark(self._conn, self._tenant, {(source, audience) for source, audience, _, _ in stale.values()})

    def _before(self, projections: Sequence[Projection]) -> tuple[dict[Audience, int], Stored, Sequence[int]]:
        """The number of each audience, what is stored of the items, and numbers for passages of new ones."""
        digests = {one.standing.audience.digest(): one.standing.audience for one in projections}
        values = {
            "tenant": self._tenant,
            "items": [one.item for one in projections],
            "digests": list(digests),
            "count": sum(len(one.passages) for one in projections),
        }
        row = self._conn.execute(SQL["before_writing"], values).fetchone()
        stored, found, numbers = row or ((), (), ())
        labels = {
            one: number for one, number in zip(digests.values(), found, strict=True) if number is not None
        }
        if new := digests.values() - labels.keys():
            labels |= new_audience_ids(self._conn, self._tenant, new)
        stale = {UUID(item): (source, audience, *said) for item, source, audience, *said in stored}
        return labels, stale, numbers

    def _stored_items(self, items: Sequence[UUID]) -> Stored:
        """Source, audience, title and author of those that are already stored."""
        rows = self._conn.execute(
            SQL["stored_items"], {"tenant": self._tenant, "items": list(items)}
        ).fetchall()
        return {row[0]: (row[1], row[2], row[3], row[4]) for row in rows}

    def _clear(self, items: Sequence[UUID], stale: Mapping[UUID, object]) -> dict[UUID, _Kept]:
        """Drop what is stored of items that change, all but passages, which keep their numbers."""
        changing = [item for item in items if item in stale]
        if not changing:
            return {}
        values = {"tenant": self._tenant, "items": changing, "origins": [str(item) for item in changing]}
        for name in (
            "drop_versions",
            "drop_assertions",
            "drop_echoes",
            "drop_edges",
            "drop_names",
            "drop_mentions",
            "drop_references",
            "drop_handles",
            "drop_fingerprints",
            "drop_items",
        ):
            self._conn.execute(SQL[name], values)
        rows = self._conn.execute(SQL["stored_passages"], values).fetchall()
        return {
            row[0]: _Kept(row[0], row[1], row[2], row[3], row[4], tuple(row[5]), row[6], row[7])
            for row in rows
        }

    def _insert(
        self,
        projections: Sequence[Projection],
        audiences: Mapping[UUID, int],
        qualities: Mapping[ItemRef, Quality],
        docs: Mapping[UUID, int],
        same: Collection[UUID],
    ) -> None:
        """Everything the items say, in one statement for most of them."""
        rows: dict[str, list[Row]] = defaultdict(list)
        for one in projections:
            quality, audience = qualities[one.standing.ref], audiences[one.item]
            rows["items"].append(item_row(self._tenant, one, audience, quality))
            for name, part in part_rows(self._tenant, one, audience, quality).items():
                rows[name] += part
            for row in one.passages:
                doc = docs[row.passage]
                # Passages that say what they said keep their row, and their vectors with it.
                kind = "moved" if row.passage in same else "passages"
                rows[kind].append(passage_row(self._tenant, one.item, audience, doc, row, one.place))
        if moved := rows.pop("moved", None):
            self._conn.execute(SQL["move_passages"], {"tenant": self._tenant, "rows": as_json(moved)})
        values = {"tenant": self._tenant, "passages": "[]"}
        values |= {name: as_json(part) for name, part in rows.items()}
        self._conn.execute(SQL["insert"], values)
        if any(rows[name] for name in _SAID):
            self._conn.execute(SQL["insert_said"], values)

    def _numbered(
        self, wanted: Mapping[UUID, _Wanted], kept: Mapping[UUID, _Kept], numbers: Sequence[int]
    ) -> dict[UUID, int]:
        """The number of each passage; one that stays keeps its own."""
        fresh = [passage for passage in wanted if passage not in kept]
        numbered = dict(zip(fresh, numbers or self._numbers(len(fresh)), strict=False))
        return {**{passage: row.doc for passage, row in kept.items()}, **numbered}

    def _cleared(
        self, wanted: Mapping[UUID, _Wanted], kept: Mapping[UUID, _Kept], stale: Stored
    ) -> frozenset[UUID]:
        """The passages whose rows stay as they are; the rows of all others are dropped."""
        same = frozenset(
            passage
            for passage, row in kept.items()
            if passage in wanted and _is_same(row, stale, *wanted[passage])
        )
        self._drop_passages([passage for passage in kept if passage not in same])
        return same

    def _index(
        self,
        wanted: Mapping[UUID, _Wanted],
        audiences: Mapping[UUID, int],
        kept: Mapping[UUID, _Kept],
        stale: Stored,
        docs: Mapping[UUID, int],
    ) -> None:
        """The index loses old words and gains new ones."""
        after = {
            passage: (row.era, _document(docs[passage], audiences[one.item], one, row))
            for passage, (one, row) in wanted.items()
        }
        before = {passage: (row.era, _document_of(row, stale[row.item])) for passage, row in kept.items()}
        self._reindex(before, after)

    def _numbers(self, count: int) -> list[int]:
        if not count:
            return []
        return [
            row[0]
            for row in self._conn.execute(SQL["number_passages"], {"tenant": self._tenant, "count": count})
        ]

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


def _document(doc: int, audience: int, projection: Projection, row: StoredPassage) -> lexical.Document:
    title, author = _beside(projection)
    return _counted(doc, audience, index_text(title, author, row.cut.heading, row.cut.speaker, row.cut.text))


def _beside(projection: Projection) -> tuple[str | None, str | None]:
    """Title and author as `stored_items` gives them back: what was indexed is found by what is stored."""
    body = projection.standing.body
    if projection.standing.state in UNSHOWN:
        return None, None
    return body.title, body.author_name or body.author


def _document_of(row: _Kept, item: tuple[str, int, str | None, str | None]) -> lexical.Document:
    _, _, title, author = item
    return _counted(row.doc, row.audience, index_text(title, author, row.heading, row.speaker, row.body))


def _is_same(
    row: _Kept,
    items: Stored,
    one: Projection,
    new: StoredPassage,
) -> bool:
    """Whether a stored passage has the very words of the new one, in its index text and so in its vector."""
    cut = new.cut
    said = (*_beside(one), cut.heading, cut.speaker, cut.text)
    return (*items[row.item][2:], row.heading, row.speaker, row.body) == said


def _counted(doc: int, audience: int, text: str) -> lexical.Document:
    counts = Counter(lexemes(text))
    return lexical.Document(doc, audience, counts, counts.total())
