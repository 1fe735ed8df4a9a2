"""Who speaks, and for whom: people as this reader knows them, and the side each is on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muniment.domain.accounts import Side
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow
from muniment.index.fields import PERSON
from muniment.lenses.accounts.account import domains_of
from muniment.pages.entities import Entity, entities_called

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Parties", "Party", "read_parties"]

_OUTSIDE = "external_document"  # what a guest, an external, or mail of a stranger counts as


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody: `id` as the record knows them, else as they were named."""

    id: str
    name: str
    side: Side


@dataclass(frozen=True, slots=True)
class Parties:
    """People by every name at hand; `accounts` are the entities whose own people are theirs."""

    known: Mapping[str, Entity]
    accounts: Mapping[str, Entity]

    def of(self, name: str | None, item: ItemRow, *, speaks: bool) -> Party:
        """Who a name means in an item. `speaks`: it is who says it, so the item's own address counts."""
        raw = name or item.author or item.author_name or ""
        person = self._person(raw)
        own = _is_author(raw, item)
        names = _names(person, raw, item, speaks=speaks and own)
        id_ = _principal(person) or (item.author if own and item.author else raw)
        return Party(
            id_, raw if person is None else person.title, self._side(names, item, own=speaks and own)
        )

    def _person(self, raw: str) -> Entity | None:
        plain = normal_name(raw)
        if plain in self.known:
            return self.known[plain]
        first = [one for one in self.people if normal_name(one.title).split()[:1] == [plain]]
        return first[0] if len(first) == 1 else None

    @property
    def people(self) -> list[Entity]:
        """Everybody once."""
        return list({one.id: one for one in self.known.values() if one.kind == PERSON}.values())

    def _side(self, names: Iterable[str], item: ItemRow, *, own: bool) -> Side:
        names = tuple(normal_name(one) for one in names)
        theirs = {name for account in self.accounts.values() for name in account.names}
        if theirs & (domains_of(names) | set(names)):
            return "theirs"
        return "theirs" if own and item.trust == _OUTSIDE else "ours"


def _is_author(raw: str, item: ItemRow) -> bool:
    plain = normal_name(raw)
    return plain in {normal_name(item.author or "-"), normal_name(item.author_name or "-")}


def _names(person: Entity | None, raw: str, item: ItemRow, *, speaks: bool) -> tuple[str, ...]:
    """All they are called; of who wrote the item from an address that one: people change companies."""
    if speaks and item.author and "@" in item.author:
        return (item.author,)
    return (raw, *(() if person is None else person.names))


def _principal(person: Entity | None) -> str | None:
    """The stable id of a person, where the record has one."""
    if person is None:
        return None
    ids = sorted(one for one in person.names if one.startswith(("user:", "service:", "agent:")))
    return ids[0] if ids else None


def read_parties(reader: Reader, names: Iterable[str], accounts: Iterable[Entity]) -> Parties:
    """These people, as the reader can see them, and the accounts they may belong to."""
    wanted = sorted({plain for name in names if (plain := normal_name(name))})
    found = {name: one for name, one in entities_called(reader, wanted).items() if one.kind == PERSON}
    return Parties(found, {one.id: one for one in accounts})
