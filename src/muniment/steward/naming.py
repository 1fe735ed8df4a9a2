"""What a steward sees of entities: their names, and what was settled about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from muniment.claims.called import Called, named
from muniment.claims.naming import called, entities_given, titles_beside
from muniment.domain.entities import EntityDecision, EntityEntry
from muniment.gate.reader import Reader
from muniment.pages.entities import Entity, all_entities, get_entity
from muniment.steward.desk import Desk

__all__ = [
    "TOKEN",
    "Decided",
    "Side",
    "decided",
    "decisions",
    "entities",
    "entity",
    "places_of",
    "settled_rows",
    "side_of",
    "told",
]

TOKEN: Final = 12  # characters of a digest that are enough to tell one from another


@dataclass(frozen=True, slots=True)
class Decided:
    decision: UUID
    action: str
    into: UUID
    entities: Sequence[UUID]
    others: Sequence[UUID]
    target: str | None
    names: Sequence[str]
    sources: Sequence[str]
    items: Sequence[UUID]
    reason: str | None
    decided_by: str
    decided_at: datetime
    undone_by: str | None
    undone_at: datetime | None

    @property
    def id(self) -> str:
        """As it is shown and typed."""
        return self.decision.hex[:TOKEN]

    def rests_on(self, ids: Collection[UUID], names: Collection[str]) -> bool:
        """Whether what it was settled on is among these: something of both sides, or a name split off."""
        sides = [{self.into, *self.entities}, *([set(self.others)] if self.action == "merge" else [])]
        split = not self.names or not set(names).isdisjoint(self.names)
        return split and not any(side.isdisjoint(ids) for side in sides)


@dataclass(frozen=True, slots=True)
class Side:
    """An entity as it was shown, and the ids by which others may see it."""

    entity: Entity
    ids: frozenset[UUID]


@dataclass(frozen=True, slots=True)
class _Placed:
    item: UUID
    source: str
    id: str


# ── looking ──


def entities(desk: Desk) -> list[EntityEntry]:
    """Every entity this steward can see, with its names."""
    with desk.reading() as reader:
        return [_entry(one, ()) for one in all_entities(reader)]


def entity(desk: Desk, name: str) -> EntityEntry:
    """One of them, and what was settled about it; missing and forbidden are refused alike."""
    with desk.reading() as reader:
        side = side_of(reader, name)
        about = [one for one in decided(reader) if not side.ids.isdisjoint(_ids_of(one))]
        return _entry(side.entity, told(reader, about))


def decisions(desk: Desk, name: str | None) -> list[EntityDecision]:
    """What was settled, and undone, as far as this steward may know; oldest first."""
    if name is not None:
        return list(entity(desk, name).settled)
    with desk.reading() as reader:
        return list(told(reader, decided(reader)))


def _entry(one: Entity, settled: Sequence[EntityDecision]) -> EntityEntry:
    return EntityEntry(one.names[0], one.kind, one.title, one.names, tuple(settled))


def settled_rows(reader: Reader) -> list[Decided]:
    """Every decision whose audience the reader is in, whatever of what it rests on they can still see."""
    return reader.rows(Decided, "deciding", "decisions")


def decided(reader: Reader) -> list[Decided]:
    """What was settled on what can be seen now; its reason may tell what somebody may not read any more."""
    rows = settled_rows(reader)
    seen = _every_name(reader) if rows else []
    ids, names = entities_given(reader, seen), {row.name for row in seen}
    return [one for one in rows if one.rests_on(ids, names)]


def _ids_of(one: Decided) -> frozenset[UUID]:
    return frozenset((one.into, *one.entities, *one.others))


def told(reader: Reader, rows: Sequence[Decided]) -> tuple[EntityDecision, ...]:
    ids = sorted(frozenset[UUID]().union(*map(_ids_of, rows)))
    titles = _titles(reader, ids)
    items = sorted({item for row in rows for item in row.items})
    places = places_of(reader, items)
    return tuple(_decision(row, titles, places) for row in rows)


def _titles(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, str]:
    """What each was called before anything was settled, whoever calls it so."""
    rows = _every_name(reader) if ids else []
    faces = sorted(named(reader.key, rows, ()), key=lambda row: (not row.is_alias, row.title), reverse=True)
    return titles_beside(reader, rows) | {row.entity: row.title for row in faces}


def _every_name(reader: Reader) -> list[Called]:
    return reader.once("every name", lambda: reader.rows(Called, "claims", "all_names"))


def places_of(reader: Reader, items: Sequence[UUID]) -> dict[UUID, str]:
    found = reader.rows(_Placed, "deciding", "places", items=list(items)) if items else []
    return {row.item: f"{row.source}:{row.id}" for row in found}


def _decision(row: Decided, titles: Mapping[UUID, str], places: Mapping[UUID, str]) -> EntityDecision:
    other = row.target or _title(row.others, titles)
    return EntityDecision(
        id=row.id,
        action=row.action,
        entity=_title((row.into, *row.entities), titles),
        other=other,
        names=tuple(row.names),
        sources=tuple(row.sources),
        items=tuple(places[item] for item in row.items if item in places),
        reason=row.reason,
        by=row.decided_by,
        at=row.decided_at,
        undone_by=row.undone_by,
        undone_at=row.undone_at,
    )


def _title(ids: Iterable[UUID], titles: Mapping[UUID, str]) -> str:
    """The first that is still called something."""
    return next((titles[one] for one in ids if one in titles), "(no name any more)")


def side_of(reader: Reader, name: str) -> Side:
    entity_ = get_entity(reader, name)
    ids = entities_given(reader, called(reader, entity_.names))
    return Side(entity_, frozenset({*ids, UUID(entity_.id)}))
