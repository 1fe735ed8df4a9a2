"""What nodes of the graph say: words from their sources, marked where nothing may act on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_claim, cite_passage, passages_of
from muniment.claims.claim import Claim
from muniment.claims.read import ItemStanding, item_periods
from muniment.claims.shown import shown
from muniment.claims.told import told
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow, PassageRow
from muniment.domain.trust import is_trusted, minimum
from muniment.domain.values import Citation
from muniment.pages.entities import Entity
from muniment.pages.nodes import ClaimAt, EntityAt, ItemAt, PageAt, PassageAt, Vertex
from muniment.pages.page import page

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["texts_of"]

_OPENING = 6  # passages of an item that may be told
_SIDES = 5  # citations of a claim that its trust is taken from
_STANDINGS = {
    "stale": "stale: its source no longer stands behind it",
    "superseded": "superseded",
    "recalled": "recalled by its source",
    "candidate": "a candidate: nobody approved it, so it is no rule to act by",
}

Cited = tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class _Openings:
    """The passages an item begins with."""

    item: UUID
    passages: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class _Words:
    """What the nodes' texts are made from, read at once for all of them."""

    openings: Mapping[UUID, Sequence[PassageRow]]
    standings: Mapping[UUID, ItemStanding]
    quoted: Mapping[UUID, PassageRow]


def texts_of(reader: Reader, nodes: Sequence[Vertex], most: int) -> list[str]:
    """The first words of each node, up to so many characters."""
    words = _read(reader, nodes)
    cited = told(reader, [_cite(one, words, reader) for one in nodes])
    return [_cut(_text(reader, node, words, mine), most) for node, mine in zip(nodes, cited, strict=True)]


def _read(reader: Reader, nodes: Sequence[Vertex]) -> _Words:
    items = {one.item.item: one.item for one in nodes if isinstance(one, ItemAt | PassageAt)}
    whole = [one.item.item for one in nodes if isinstance(one, ItemAt)]
    supports = [one for node in nodes if isinstance(node, ClaimAt) for one in node.claim.supports]
    return _Words(
        _openings(reader, whole), item_periods(reader, list(items.values())), passages_of(reader, supports)
    )


def _openings(reader: Reader, items: Sequence[UUID]) -> dict[UUID, list[PassageRow]]:
    """As the version that this reader sees at the moment has them."""
    if not items:
        return {}
    rows = reader.rows(_Openings, "pages", "openings", items=list(items), most=_OPENING)
    wanted = sorted({one for row in rows for one in row.passages})
    found = reader.rows(PassageRow, "reader", "passages_by_id", passages=wanted) if wanted else []
    by_id = {one.passage: one for one in found}
    return {row.item: [by_id[one] for one in row.passages if one in by_id] for row in rows}


def _cite(node: Vertex, words: _Words, reader: Reader) -> Cited:
    match node:
        case ItemAt(item=item):
            return _cite_all(words.openings.get(item.item, ()), item, words, reader)
        case PassageAt(passage=passage, item=item):
            return _cite_all([passage], item, words, reader)
        case ClaimAt(claim=claim):
            return cite_claim(claim, words.quoted, limit=_SIDES)
        case EntityAt() | PageAt():
            return ()


def _cite_all(passages: Iterable[PassageRow], item: ItemRow, words: _Words, reader: Reader) -> Cited:
    standing, as_of = words.standings[item.item], reader.moment.as_of
    return tuple(cite_passage(one, (0, len(one.body)), item, standing, as_of) for one in passages if one.body)


def _text(reader: Reader, node: Vertex, words: _Words, cited: Cited) -> str:
    match node:
        case ItemAt(item=item):
            body = "\n".join(shown(one).strip("\n") for one in words.openings.get(item.item, ()))
            return f"{_head(item, words, cited)}\n{body.strip()}"
        case PassageAt(passage=passage, item=item):
            return f"{_head(item, words, cited)}\n{shown(passage).strip()}"
        case ClaimAt(claim=claim):
            return _claim(claim, cited)
        case EntityAt(entity=entity):
            return _names(entity)
        case PageAt(entity=entity):
            return told(reader, page(reader, entity.names[0])).markdown


def _head(item: ItemRow, words: _Words, cited: Cited) -> str:
    """Which of the items of one title it is, when it holds, and whether anything may act on it."""
    standing = words.standings[item.item]
    valid = standing.valid
    notes = [
        f"{item.source}:{item.id}",
        item.at.date().isoformat(),
        "" if valid is None else _between(valid.start, valid.end),
        "" if standing.is_in_force else f"{standing.status}, not in force",
        "recalled" if item.state == "recalled" else "",
        _mark(cited, item.trust),
    ]
    return f"[{' · '.join(' '.join(note.split()) for note in notes if note)}]"


def _mark(cited: Cited, trust: str) -> str:
    least = minimum([trust, *(one.trust for one in cited)])
    return "" if is_trusted(least) else f"{least}, no rule to act by"


def _claim(claim: Claim, cited: Cited) -> str:
    """What it says, and as its citation tells it, when: a coarse level stays coarse."""
    trust = claim.supports[0].item.trust
    period = _between(cited[0].valid_from, cited[0].valid_to) if cited else ""
    notes = [note for note in (period, _STANDINGS.get(claim.status, ""), _mark(cited, trust)) if note]
    return f"{claim.statement}\n[{' · '.join(notes)}]" if notes else claim.statement


def _between(start: datetime | None, end: datetime | None) -> str:
    parts = [f"from {start.date().isoformat()}"] if start is not None else []
    parts += [f"until {end.date().isoformat()}"] if end is not None else []
    return " ".join(parts)


def _names(entity: Entity) -> str:
    others = [name for name in entity.names if name not in (normal_name(entity.title), entity.id)]
    return f"{entity.kind}; also {', '.join(others)}" if others else entity.kind


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
