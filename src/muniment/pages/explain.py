"""Where a citation comes from, and why this reader may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import find_citation
from muniment.claims.read import items_of
from muniment.domain.record import ItemRow, VersionRow
from muniment.domain.times import format_instant
from muniment.domain.values import Explain

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["explain"]

_OPEN, _CLOSE = "⟦", "⟧"
_UNMARKED = str.maketrans({_OPEN: "[", _CLOSE: "]"})  # a source cannot draw the mark itself


@dataclass(frozen=True, slots=True)
class _Label:
    audience: int


@dataclass(frozen=True, slots=True)
class _Origin:
    item: UUID
    origin: UUID


def explain(reader: Reader, citation_id: str) -> Explain:
    """The passage with the quote marked. A level other than exact has no passage and no lineage but that."""
    found = find_citation(reader, citation_id)
    if found.item is None or found.passage is None:
        return Explain(found.citation, "", (), (f"disclosed as a {found.citation.level} by policy",))
    return Explain(
        citation=found.citation,
        passage=_marked(found.passage.body, found.start, found.end),
        why_visible=_why(reader, found.item),
        lineage=_lineage(reader, found.item),
    )


def _marked(body: str, start: int, end: int) -> str:
    before, quote, after = (part.translate(_UNMARKED) for part in (body[:start], body[start:end], body[end:]))
    return f"{before}{_OPEN}{quote}{_CLOSE}{after}"


def _why(reader: Reader, item: ItemRow) -> tuple[str, ...]:
    labels = reader.rows(_Label, "pages", "audience_of_item", item=item.item)
    return tuple(why for label in labels for why in reader.why_visible(label.audience))


def _lineage(reader: Reader, item: ItemRow) -> tuple[str, ...]:
    """What the item was made from, and its versions the record has held by the moment, oldest first."""
    rows = reader.rows(VersionRow, "reader", "versions_of_items", items=[item.item])
    limit = reader.moment.known_at
    known = (row for row in rows if limit is None or (row.known_from is not None and row.known_from <= limit))
    return (*(f"made from {one}" for one in _origins(reader, item)), *(_step(item, row) for row in known))


def _origins(reader: Reader, item: ItemRow) -> list[str]:
    """What it was made from, at however many removes; who may read it may read all of that."""
    rows = reader.rows(_Origin, "claims", "lineage", items=[item.item])
    return sorted(f"{one.source}:{one.id}" for one in items_of(reader, {row.origin for row in rows}))


def _step(item: ItemRow, row: VersionRow) -> str:
    version = f" version {row.version}" if row.version is not None else ""
    return f"{item.source}:{item.id}{version} {row.change} {format_instant(row.at)}"
