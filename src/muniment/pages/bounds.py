"""What looking for a place to begin is bounded to: everything, an item, a passage, what names an entity."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from muniment.claims.cite import quote_of
from muniment.claims.read import items_of
from muniment.domain.record import ItemRow, MentionRow, PassageRow, VersionRow
from muniment.pages.entities import WHOLE, Parts
from muniment.pages.nodes import (
    ClaimAt,
    EntityAt,
    ItemAt,
    PageAt,
    PassageAt,
    Vertex,
    get_node,
)

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Bound", "Within", "bound_of", "find_within"]

_DEPTH = 300  # passages that match the words best; of a narrow reader's, every one is permitted
_ALL = 1 << 40


@dataclass(frozen=True, slots=True)
class Bound:
    """Items, passages, or the names of an entity; None of them: everything."""

    items: frozenset[UUID] | None = None
    passages: frozenset[UUID] | None = None
    names: tuple[str, ...] | None = None
    parts: Parts = WHOLE

    @property
    def is_open(self) -> bool:
        """Whether nothing is left out."""
        return self == Bound()

    def holds(self, node: Vertex) -> bool:
        """Whether the node lies within."""
        if self.is_open:
            return True
        match node:
            case ItemAt(item=item):
                return item.item in (self.items or ())
            case PassageAt(passage=passage, item=item):
                return passage.passage in (self.passages or ()) or item.item in (self.items or ())
            case ClaimAt(claim=claim):
                return any(self._quotes(one.item.item, quote_of(one.row)[0]) for one in claim.supports)
            case EntityAt() | PageAt():
                return False

    def _quotes(self, item: UUID, passage: UUID) -> bool:
        return item in (self.items or ()) or passage in (self.passages or ())


@dataclass(frozen=True, slots=True)
class Within:
    """Passages that may be shown, and the items of all that was found, the levels of values among them."""

    passages: Sequence[PassageAt]
    items: Sequence[ItemRow]


def bound_of(reader: Reader, within: str | None) -> Bound:
    """What a node or an entity bounds to; missing and forbidden are refused alike."""
    if within is None:
        return Bound()
    match get_node(reader, within):
        case ItemAt(item=item):
            return Bound(items=frozenset({item.item}))
        case PassageAt(passage=passage):
            return Bound(passages=frozenset({passage.passage}))
        case ClaimAt(claim=claim):
            return Bound(passages=frozenset(quote_of(one.row)[0] for one in claim.supports))
        case EntityAt(entity=entity) | PageAt(entity=entity):
            rows = reader.rows(MentionRow, "reader", "mentions_of_names", names=list(entity.names))
            return Bound(frozenset(row.item for row in rows), names=entity.names, parts=entity.parts)


def find_within(reader: Reader, bound: Bound, words: Sequence[str]) -> Within:
    """What lies within the bounds and shares a word, the best match first."""
    if not words:
        return Within((), ())
    if bound.passages is not None:
        return _within(reader, _by_id(reader, bound.passages), {})
    if bound.items is not None and bound.names is None:
        return _within(reader, _by_id(reader, _of_items(reader, bound.items)), {})
    scores = _scores(reader, bound, words)
    docs = list(scores)
    rows = reader.rows(PassageRow, "reader", "passages_by_doc", docs=docs) if docs else []
    return _within(reader, rows, scores)


def _by_id(reader: Reader, passages: Collection[UUID]) -> list[PassageRow]:
    return reader.rows(PassageRow, "reader", "passages_by_id", passages=sorted(passages))


def _within(reader: Reader, rows: Sequence[PassageRow], scores: Mapping[int, float]) -> Within:
    items = {one.item: one for one in items_of(reader, {row.item for row in rows})}
    ranked = sorted(rows, key=lambda row: (-scores.get(row.doc, 0.0), row.passage))
    kept = [row for row in ranked if row.item in items]
    shown = [PassageAt(row, items[row.item]) for row in kept if items[row.item].level == "exact"]
    return Within(tuple(shown), tuple(dict.fromkeys(items[row.item] for row in kept)))


def _scores(reader: Reader, bound: Bound, words: Sequence[str]) -> dict[int, float]:
    """The best of what is within the bounds and known at the moment, and all that tie with the last."""
    known_at = reader.moment.known_at
    allowed = None if bound.names is None and known_at is None else _in_scope(reader, bound)
    found: dict[int, float] = {}
    for era in (0,) if known_at is None else (0, 1):
        best = reader.scores(era, words, limit=_DEPTH if allowed is None else _ALL)
        kept = np.ones(len(best.docs), bool) if allowed is None else np.isin(best.docs, allowed)
        docs, scores = best.docs[kept], best.scores[kept]
        if len(docs) > _DEPTH:
            docs, scores = docs[scores >= scores[_DEPTH - 1]], scores[scores >= scores[_DEPTH - 1]]
        found |= dict(zip(docs.tolist(), scores.tolist(), strict=True))
    return found


@dataclass(frozen=True, slots=True)
class _Doc:
    doc: int


def _in_scope(reader: Reader, bound: Bound) -> list[int]:
    values = bound.parts.bound(bound.names or ()) | {"kind": None, "after": None, "before": None}
    if bound.names is None:
        values["names"] = None
    return [row.doc for row in reader.rows(_Doc, "reader", "docs_in_scope", **values)]


def _of_items(reader: Reader, items: Collection[UUID]) -> list[UUID]:
    """The passages of the versions that this reader sees at the moment."""
    known_at = reader.moment.known_at
    if known_at is None:
        rows = reader.rows(PassageRow, "reader", "passages_of_items", items=sorted(items))
        return [row.passage for row in rows]
    versions = reader.rows(VersionRow, "reader", "versions_of_items", items=sorted(items))
    return [
        one
        for row in versions
        if row.known_from is not None and row.known_from <= known_at
        if row.known_to is None or known_at < row.known_to
        for one in row.passages
    ]
