"""What a question names, and the documents that are it or took its place.

Their words are looked at whatever their rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from muniment.claims.read import ItemStanding, item_periods, items_of
from muniment.context.retrieve import Candidate, Found, items_mentioning
from muniment.domain.record import ItemRow, PassageRow
from muniment.gate.reader import Reader
from muniment.pages.entities import Entity

__all__ = ["subjects_of", "with_subjects"]

MOST_ITEMS = 8
MOST_PASSAGES = 40
_DOCUMENTS = frozenset(("policy", "topic"))


def subjects_of(reader: Reader, named: Sequence[Entity]) -> dict[UUID, ItemStanding]:
    """The documents the question names and their successors, with how each stands: a few, in order of ids."""
    names = [name for entity in named if entity.kind in _DOCUMENTS for name in entity.names]
    items = sorted(items_mentioning(reader, names))[:MOST_ITEMS] if names else []
    standings = item_periods(reader, items_of(reader, items))
    later = {
        one.superseded_by.item: one.superseded_by
        for one in standings.values()
        if one.superseded_by is not None
    }
    return standings | item_periods(reader, [row for item, row in later.items() if item not in standings])


def with_subjects(reader: Reader, found: Found, subjects: dict[UUID, ItemStanding]) -> Found:
    """What was found, and before it what the subjects themselves say."""
    if not subjects or reader.moment.known_at is not None:
        # What a subject said then is found by its words; its passages of now are another version's.
        return found
    rows = {row.item: row for row in items_of(reader, list(subjects))}
    passages = reader.rows(PassageRow, "reader", "passages_of_items", items=sorted(rows))
    known = {one.passage.passage: one for one in found.candidates}
    firsts = [_candidate(row, rows, subjects, known) for row in passages if row.ordinal < MOST_PASSAGES]
    rest = [one for one in found.candidates if one.item.item not in rows]
    return Found((*firsts, *rest), found.frequencies, found.documents, frozenset(rows))


def _candidate(
    passage: PassageRow,
    items: dict[UUID, ItemRow],
    standings: dict[UUID, ItemStanding],
    known: dict[UUID, Candidate],
) -> Candidate:
    if passage.passage in known:
        return known[passage.passage]
    return Candidate(passage, items[passage.item], standings[passage.item], 0.0, {})
