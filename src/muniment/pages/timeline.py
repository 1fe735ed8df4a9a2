"""What happened to what is known of an entity, oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_passage, cite_statement, passages_of
from muniment.claims.claim import Claim, Statement
from muniment.claims.read import ItemStanding, item_periods
from muniment.domain.record import ItemRow, PassageRow, VersionRow
from muniment.domain.values import Citation, TimelineEntry
from muniment.pages.about import claims_about, items_about
from muniment.pages.entities import get_entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["timeline"]

Keyed = tuple[datetime, str, TimelineEntry]
_LONGEST_QUOTE = 200
_SAID, _CLOSED = "said", "closed"
_UNTOLD = ("late", "stamped")  # never current, or the same words under another stamp


@dataclass(frozen=True, slots=True)
class _Story:
    """What the entries are made from. `said`: each statement with its claim, by item."""

    claims: Sequence[Claim]
    items: Mapping[UUID, ItemRow]
    said: Mapping[UUID, Sequence[tuple[Statement, Claim]]]
    quoted: Mapping[UUID, PassageRow]
    openings: Mapping[UUID, Citation]


def timeline(reader: Reader, name: str) -> tuple[TimelineEntry, ...]:
    """What was said, edited, closed, recalled and superseded up to the moment of the read."""
    entity = get_entity(reader, name)
    about = items_about(reader, entity)
    claims = claims_about(reader, entity, about)
    story = _story(reader, about, claims)
    versions = _known(reader, list(story.items)) if story.items else []
    as_of = reader.moment.as_of
    entries = [*_versions(versions, story), *_statements(story), *_superseded(story)]
    return tuple(entry for at, _, entry in sorted(entries, key=lambda one: one[:2]) if at <= as_of)


def _story(reader: Reader, about: Sequence[ItemRow], claims: Sequence[Claim]) -> _Story:
    items = {item.item: item for item in about}
    said: dict[UUID, list[tuple[Statement, Claim]]] = {}
    for claim in claims:
        for support in claim.supports:
            items[support.item.item] = support.item
            said.setdefault(support.item.item, []).append((support, claim))
    for statements in said.values():
        statements.sort(key=lambda one: one[0].order)
    quoted = passages_of(reader, (one for claim in claims for one in claim.supports))
    silent = [item for item in items.values() if item.item not in said]
    return _Story(claims, items, said, quoted, _openings(reader, silent))


def _openings(reader: Reader, items: Sequence[ItemRow]) -> dict[UUID, Citation]:
    """The first words of items that state nothing."""
    if not items:
        return {}
    named = [item.item for item in items]
    first: dict[UUID, PassageRow] = {}
    for row in reader.rows(PassageRow, "reader", "passages_of_items", items=named):
        first.setdefault(row.item, row)
    standings = item_periods(reader, items)
    return {
        item.item: _opening(first[item.item], item, standings[item.item], reader.moment.as_of)
        for item in items
        if item.item in first and first[item.item].body
    }


def _opening(passage: PassageRow, item: ItemRow, standing: ItemStanding, as_of: datetime) -> Citation:
    return cite_passage(passage, (0, min(len(passage.body), _LONGEST_QUOTE)), item, standing, as_of)


def _known(reader: Reader, items: Sequence[UUID]) -> list[VersionRow]:
    """Versions the record held by the moment that changed what is read."""
    rows = reader.rows(VersionRow, "reader", "versions_of_items", items=list(items))
    limit = reader.moment.known_at
    return [row for row in rows if row.change not in _UNTOLD and (limit is None or _by(row, limit))]


def _by(row: VersionRow, limit: datetime) -> bool:
    return row.known_from is not None and row.known_from <= limit


def _versions(versions: Iterable[VersionRow], story: _Story) -> Iterator[Keyed]:
    """A change of each item; that it was first said is told by its statements, where it makes any."""
    for row in versions:
        item = story.items[row.item]
        if row.change == _SAID and row.item in story.said:
            continue
        what = row.title or item.title or _opening_of(row, story) or item.id
        if row.change == _CLOSED and row.status is not None:
            what = f"{what} ({row.status})"
        entry = TimelineEntry(row.at, what, row.change, _cited(row.item, story))
        yield row.at, f"{row.item.hex} {row.seq:012}", entry


def _opening_of(row: VersionRow, story: _Story) -> str | None:
    opening = story.openings.get(row.item)
    return None if opening is None else opening.statement


def _cited(item: UUID, story: _Story) -> Citation | None:
    for statement, claim in story.said.get(item, ()):
        return cite_statement(statement, story.quoted, claim)
    return story.openings.get(item)


def _statements(story: _Story) -> Iterator[Keyed]:
    for said in story.said.values():
        for statement, claim in said:
            citation = cite_statement(statement, story.quoted, claim)
            at = citation.said_at or statement.row.stated_at
            yield at, citation.id, TimelineEntry(at, statement.row.statement, _SAID, citation)


def _superseded(story: _Story) -> Iterator[Keyed]:
    for claim in story.claims:
        if claim.status != "superseded" or claim.valid_to is None:
            continue
        citation = cite_statement(claim.supports[0], story.quoted, claim)
        at = citation.valid_to or claim.valid_to
        yield at, f"superseded {claim.id.hex}", TimelineEntry(at, claim.statement, "superseded", citation)
