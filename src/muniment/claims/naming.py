"""Which names mean which entity, over the names one reader can see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.domain.names import normal_name
from muniment.domain.record import NameRow

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Names", "read_names"]

_ROUNDS = 3  # an alias leads to an entity, its title to a namesake declared elsewhere, that to more aliases


@dataclass(frozen=True, slots=True)
class Names:
    """Visible names with what each was given to. Names with one key mean the same entity."""

    rows: Mapping[str, Sequence[NameRow]]
    by_key: Mapping[str, Sequence[str]]

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

    def declared(self, name: str) -> dict[str, NameRow]:
        """The entities declared under a name, by key; those of one title are one entity."""
        found: dict[str, NameRow] = {}
        for row in self.rows.get(name, ()):
            if row.is_alias:
                found.setdefault(self._first_of_title(row), row)
        titled = {key: row for key, row in found.items() if normal_name(row.title) == name}
        return titled if len(titled) == 1 else found

    def _first_of_title(self, row: NameRow) -> str:
        title = normal_name(row.title)
        namesakes = {
            other.entity.hex
            for other in self.rows.get(title, ())
            if other.is_alias and normal_name(other.title) == title
        }
        return min(namesakes | {row.entity.hex})

    def key(self, name: str) -> str:
        """What a name means: the one entity declared under it, else what is titled so, else just the name."""
        plain = normal_name(name)
        declared = self.declared(plain)
        if len(declared) == 1:
            return next(iter(declared))
        titles = {normal_name(row.title) for row in self.rows.get(plain, ())}
        return next(iter(titles)) if len(titles) == 1 and not declared else plain

    def meaning(self, keys: Collection[str]) -> list[str]:
        """The names that mean one of these."""
        return sorted(name for key in set(keys) for name in self.by_key.get(key, ()))


def read_names(reader: Reader, names: Collection[str]) -> Names:
    """These names as the reader can see them, with every other name of what they mean."""
    wanted = {plain for name in names if (plain := normal_name(name))}
    rows: list[NameRow] = []
    seen: set[str] = set()
    for _ in range(_ROUNDS):
        fresh = sorted(wanted - seen)
        if not fresh:
            break
        rows += reader.rows(NameRow, "claims", "distinct_names", names=fresh)
        seen |= wanted
        wanted = _names_of(reader, {row.entity for row in rows})
    return Names.of(rows)


def _names_of(reader: Reader, entities: Collection[UUID]) -> set[str]:
    if not entities:
        return set()
    rows = reader.rows(NameRow, "claims", "names_of_entities", entities=sorted(entities))
    return {row.name for row in rows}
