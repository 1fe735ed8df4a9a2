"""Which names mean which entity, over the names one reader can see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.called import Called, Settled, Turned, alias_uuid, named, names_beside, turned
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow, NameRow
from muniment.index.fields import PERSON, person_uuid

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Names", "called", "entities_given", "read_every_name", "read_names", "titles_beside"]

# An alias leads to an entity, its title to a namesake declared elsewhere, a decision to another, and so on.
_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Names:
    """Visible names with what each was given to. Names with one key mean the same entity."""

    rows: Mapping[str, Sequence[NameRow]]
    by_key: Mapping[str, Sequence[str]]
    turned: tuple[Turned, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[NameRow]) -> Names:
        """Names from rows in any order."""
        found: dict[str, list[NameRow]] = {}
        for row in rows:
            found.setdefault(row.name, []).append(row)
        alone, by_key = cls(found, {}), dict[str, list[str]]()
        for name in found:
            by_key.setdefault(alone.key(name), []).append(name)
        return cls(found, by_key)

    def meant(self, name: str) -> dict[str, NameRow]:
        """What a name is declared as, by key; those of one title are one entity, people apart.

        People are meant where nothing else is called so.
        """
        rows = self.rows.get(name, ())
        declared = [row for row in rows if row.is_alias]
        if not declared and all(row.kind == PERSON for row in rows):
            declared = list(rows)
        found: dict[str, NameRow] = {}
        for row in declared:
            found.setdefault(self._first_of_title(row), row)
        titled = {key: row for key, row in found.items() if normal_name(row.title) == name}
        is_titled = len(titled) == 1 and all(row.kind != PERSON for row in titled.values())
        return titled if is_titled else found

    def _first_of_title(self, row: NameRow) -> str:
        if row.kind == PERSON:  # two people may be called the same
            return row.entity.hex
        title = normal_name(row.title)
        namesakes = {
            other.entity.hex
            for other in self.rows.get(title, ())
            if other.is_alias and other.kind != PERSON and normal_name(other.title) == title
        }
        return min(namesakes | {row.entity.hex})

    def key(self, name: str) -> str:
        """What a name means: the one entity declared under it, else what is titled so, else just the name."""
        plain = normal_name(name)
        meant = self.meant(plain)
        if len(meant) == 1:
            return next(iter(meant))
        titles = {normal_name(row.title) for row in self.rows.get(plain, ()) if row.kind != PERSON}
        return next(iter(titles)) if len(titles) == 1 and not meant else plain

    def key_in(self, name: str, item: ItemRow) -> str:
        """What a name means in an item, where somebody settled that it means something else there."""
        found = (one.key for one in self.turned if one.holds(normal_name(name), item.source, item.item))
        return next(found, None) or self.key(name)

    def spoken(self, keys: Collection[str]) -> list[str]:
        """The names that mean one of these, in some items at least."""
        theirs = {name for one in self.turned if one.key in keys for name in one.names}
        return sorted({*self.meaning(keys), *theirs})

    def meaning(self, keys: Collection[str]) -> list[str]:
        """The names that mean one of these."""
        return sorted(name for key in set(keys) for name in self.by_key.get(key, ()))


def read_names(reader: Reader, names: Collection[str]) -> Names:
    """These names as the reader can see them, with every other name of what they mean."""
    wanted = {plain for name in names if (plain := normal_name(name))}
    rows: list[Called] = []
    settled: dict[UUID, Settled] = {}
    seen: set[str] = set()
    for _ in range(_ROUNDS):
        fresh = sorted(wanted - seen)
        if not fresh:
            break
        found = called(reader, fresh)
        seen |= wanted
        rows += found
        decided = _settled(reader, found)
        settled |= {one.decision: one for one in decided}
        wanted = names_beside(found, decided) | _names_of(reader, found, decided)
    return _heard(reader, rows, list(settled.values()))


def _heard(reader: Reader, rows: Sequence[Called], settled: Sequence[Settled]) -> Names:
    names = Names.of(named(reader.key, rows, settled))
    return replace(names, turned=turned(rows, settled, names.key))


def read_every_name(reader: Reader) -> Names:
    """Every name the reader can see."""
    rows = reader.rows(Called, "claims", "all_names")
    settled = reader.rows(Settled, "claims", "every_settled")
    return _heard(reader, rows, settled)


def called(reader: Reader, names: Collection[str]) -> list[Called]:
    """What is called by these normal names, as the reader can see it."""
    known: dict[str, list[Called]] = reader.once("called", dict)
    if fresh := sorted(set(names) - known.keys()):
        # What cannot be stored is asked for as the text that is nearest to it, and is called nothing itself.
        found: dict[str, list[Called]] = {name: [] for name in fresh}
        for row in reader.rows(Called, "claims", "distinct_names", names=fresh):
            found.setdefault(row.name, []).append(row)
        known |= found
    return [row for name in sorted(set(names)) for row in known[name]]


def _settled(reader: Reader, rows: Sequence[Called]) -> list[Settled]:
    """What was settled about any of these, of what the reader may know of."""
    entities = entities_given(reader, rows)
    if not entities or not reader.sight.decisions:
        return []
    return reader.rows(Settled, "claims", "settled_of_entities", entities=sorted(entities))


def _names_of(reader: Reader, rows: Sequence[Called], settled: Sequence[Settled]) -> set[str]:
    entities = entities_given(reader, rows).union(*(one.all_entities for one in settled))
    known: dict[UUID, set[str]] = reader.once("names_of_entities", dict)
    if fresh := sorted(entities - known.keys()):
        known |= {entity: set() for entity in fresh}
        for row in reader.rows(NameRow, "claims", "names_of_entities", entities=fresh):
            known[row.entity].add(row.name)
    return set().union(*(known[entity] for entity in entities))


def entities_given(reader: Reader, rows: Sequence[Called]) -> set[UUID]:
    """Every id that these names were given to, whoever gave them."""
    given = {row.entity for row in rows if row.entity is not None}
    return given | titles_beside(reader, rows).keys()


def titles_beside(reader: Reader, rows: Iterable[Called]) -> dict[UUID, str]:
    """What is called something by a directory, the alias file or a decision, and how."""
    return {
        alias_uuid(reader.key, row.title)
        if row.person is None
        else person_uuid(reader.key, row.person): row.title
        for row in rows
        if row.entity is None
    }
