"""What names are given to, and by whom. Pure: visible rows in, names out.

By items and sources, by a directory, by the organisation's alias file, and by what stewards settled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.domain.identity import keyed_uuid
from muniment.domain.names import normal_name
from muniment.domain.record import NameRow
from muniment.index.fields import PERSON, person_uuid

__all__ = ["Called", "Settled", "Turned", "alias_uuid", "named", "names_beside", "turned"]


@dataclass(frozen=True, slots=True)
class Called:
    """A name as the record holds it.

    An item or a source gives an `entity`. A directory gives a `person`, and as `names` all ids of theirs.
    The alias file gives an `entry`, whose `names` all mean its `title`. Without any, it was split off.
    """

    name: str
    entity: UUID | None
    kind: str | None
    title: str
    is_alias: bool
    person: str | None = None
    names: Sequence[str] = ()
    entry: UUID | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What a steward settled: that `others` are `into`, or that these names of `entities` mean `target`.

    A split may be about the mentions of these sources or items alone.
    """

    decision: UUID
    action: str
    into: UUID
    entities: Sequence[UUID]
    others: Sequence[UUID]
    target: str | None
    names: Sequence[str]
    sources: Sequence[str]
    items: Sequence[UUID]
    decided_at: datetime

    @property
    def all_entities(self) -> frozenset[UUID]:
        """Every entity it is about."""
        return frozenset((self.into, *self.entities, *self.others))


@dataclass(frozen=True, slots=True)
class Turned:
    """Names that mean something else, `key`, where they are said in these sources or items."""

    names: frozenset[str]
    places: frozenset[str]
    key: str

    def holds(self, name: str, source: str, item: UUID) -> bool:
        """Whether it is so of a name in an item."""
        return name in self.names and not self.places.isdisjoint((source, str(item)))


def turned(
    rows: Sequence[Called], settled: Iterable[Settled], key_of: Callable[[str], str]
) -> tuple[Turned, ...]:
    """What was settled of sources and items, newest first: of several that hold the first counts."""
    splits = [one for one in settled if one.action == "split" and one.target and (one.sources or one.items)]
    ordered = sorted(splits, key=lambda one: (one.decided_at, one.decision), reverse=True)
    return tuple(_turned(rows, one, key_of) for one in ordered)


def _turned(rows: Sequence[Called], one: Settled, key_of: Callable[[str], str]) -> Turned:
    target = normal_name(one.target or "")
    names = frozenset(row.name for row in rows if row.entity in one.all_entities) - {target, *one.names}
    return Turned(names, frozenset((*one.sources, *map(str, one.items))), key_of(target))


def alias_uuid(key: bytes, means: str) -> UUID:
    """The id of what the alias file alone knows of."""
    return keyed_uuid(key, "entity", "alias", normal_name(means))


def names_beside(rows: Iterable[Called], settled: Iterable[Settled]) -> set[str]:
    """Other names by which what these names mean may be called."""
    found = {normal_name(one) for row in rows for one in (*row.names, row.title)}
    found.update(*(one.names for one in settled))
    return found | {normal_name(one.target) for one in settled if one.target}


def named(key: bytes, rows: Sequence[Called], settled: Sequence[Settled]) -> list[NameRow]:
    """The names of entities, once directory, alias file and decisions have been heard, in this order."""
    said = [
        NameRow(row.name, row.entity, row.kind or "", row.title, row.is_alias) for row in rows if row.entity
    ]
    people = _people(key, [row for row in rows if row.person is not None], said)
    aliased = _aliased(key, [row for row in rows if row.entry is not None], people)
    return _decided(key, aliased, settled)


# ── a directory ──


def _people(key: bytes, directory: Sequence[Called], said: Sequence[NameRow]) -> list[NameRow]:
    """Each person once, by every id that is theirs alone among those this reader can see."""
    claimed: dict[str, set[str]] = defaultdict(set)
    for row in directory:
        for id_ in row.names:
            claimed[id_].add(row.person or "")
    owners = {
        person_uuid(key, id_): person_uuid(key, next(iter(people)))
        for id_, people in claimed.items()
        if len(people) == 1
    }
    titles = {person_uuid(key, row.person or ""): row.title for row in directory}
    listed = [
        NameRow(row.name, person_uuid(key, row.person or ""), PERSON, row.title, is_alias=False)
        for row in directory
    ]
    theirs = [_of_owner(row, owners, titles) for row in said if not _is_borrowed(row, claimed, key)]
    return _titled([*listed, *theirs])


def _of_owner(row: NameRow, owners: Mapping[UUID, UUID], titles: Mapping[UUID, str]) -> NameRow:
    entity = owners.get(row.entity, row.entity)
    return replace(row, entity=entity, title=titles.get(entity, row.title))


def _is_borrowed(row: NameRow, claimed: Mapping[str, set[str]], key: bytes) -> bool:
    """Whether somebody is called by what is an id of others: that name is theirs."""
    return row.kind == PERSON and row.name in claimed and row.entity != person_uuid(key, row.name)


def _titled(rows: Sequence[NameRow]) -> list[NameRow]:
    """People under one title each, and rather by a name than by an id."""
    titles: dict[UUID, list[tuple[bool, str]]] = defaultdict(list)
    for row in rows:
        if row.kind == PERSON:
            titles[row.entity].append((_is_id(row.title), row.title))
    best = {entity: min(found)[1] for entity, found in titles.items()}
    return list(
        dict.fromkeys(replace(row, title=best[row.entity]) if row.kind == PERSON else row for row in rows)
    )


def _is_id(title: str) -> bool:
    return ":" in title or "@" in title


# ── the alias file ──


def _aliased(key: bytes, entries: Sequence[Called], rows: Sequence[NameRow]) -> list[NameRow]:
    """The rows, and each alias given to what its meaning means; ambiguous where that is."""
    by_name: dict[str, list[NameRow]] = defaultdict(list)
    for row in rows:
        by_name[row.name].append(row)
    added = [new for entry in entries for new in _alias(key, entry, by_name)]
    return list(dict.fromkeys([*rows, *added]))


def _alias(key: bytes, entry: Called, by_name: Mapping[str, Sequence[NameRow]]) -> Iterator[NameRow]:
    means = normal_name(entry.title)
    meant = _meant(by_name.get(means, ()))
    if not meant and entry.kind is not None:
        own = NameRow(means, alias_uuid(key, means), entry.kind, entry.title, is_alias=True)
        meant = [replace(own, is_alias=entry.kind != PERSON)]
    for row in meant:
        yield replace(row, name=entry.name)


def _meant(rows: Sequence[NameRow]) -> list[NameRow]:
    """What a name is declared as, else what it is used for; the file declares that, people apart."""
    declared = [row for row in rows if row.is_alias]
    used = [replace(row, is_alias=True) for row in rows if row.kind != PERSON]
    return declared or used or list(rows)


# ── what stewards settled ──


def _decided(key: bytes, rows: Sequence[NameRow], settled: Sequence[Settled]) -> list[NameRow]:
    for one in sorted(settled, key=lambda one: (one.decided_at, one.decision)):
        rows = _merged(rows, one) if one.action == "merge" else _split(key, rows, one)
    return list(dict.fromkeys(rows))


def _merged(rows: Sequence[NameRow], one: Settled) -> Sequence[NameRow]:
    """The names of both sides given to one of them, for a reader who can see something of each."""
    kept = [row for row in rows if row.entity in {one.into, *one.entities}]
    other = [row for row in rows if row.entity in set(one.others)]
    if not kept or not other:
        return rows
    face = min(
        kept, key=lambda row: (row.entity != one.into, not row.is_alias, row.title, row.kind, row.entity)
    )
    both = {row.entity for row in (*kept, *other)}
    return [_as(row, face) if row.entity in both else row for row in rows]


def _as(row: NameRow, face: NameRow) -> NameRow:
    return replace(row, entity=face.entity, kind=face.kind, title=face.title, is_alias=face.kind != PERSON)


def _split(key: bytes, rows: Sequence[NameRow], one: Settled) -> Sequence[NameRow]:
    """The rows with the names that went to the other side, where the split is about names.

    What was settled on names that can be seen no more, settles nothing and does not tell them.
    """
    parted = {one.into, *one.entities}
    whole = [row for row in rows if row.entity in parted]
    moved = {row.name for row in whole}.intersection(one.names)
    if not whole or one.target is None or (one.names and not moved and not one.sources and not one.items):
        return rows
    target = normal_name(one.target)
    meant = _meant([row for row in rows if row.name == target and row.entity not in parted])
    kind = whole[0].kind
    new = meant or [NameRow(target, alias_uuid(key, target), kind, one.target, is_alias=kind != PERSON)]
    gone = {*moved, target}
    kept = [row for row in rows if not (row.entity in parted and row.name in gone)]
    return [*kept, *(replace(row, name=name) for row in new for name in sorted(gone))]
