"""What is already said at an instant, so that nothing says it twice. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.domain.assertions import Assertion
from muniment.domain.names import normal_name
from muniment.index.projection import StoredAssertion

__all__ = ["SlotKey", "Told", "slot_key"]

SlotKey = tuple[str, str, str]
_Said = tuple[UUID, Assertion]


def slot_key(said: Assertion) -> SlotKey | None:
    """What a statement is about, as it is compared within its item."""
    slot = said.slot
    return None if slot is None else (normal_name(slot.entity), slot.attribute, slot.qualifier or "")


@dataclass(frozen=True, slots=True)
class Told:
    """Slots that are filled, their values, and the words of each passage that were read."""

    slots: frozenset[SlotKey]
    values: frozenset[tuple[SlotKey, str | None]]
    quotes: Mapping[UUID, tuple[tuple[int, int], ...]]

    @classmethod
    def of(cls, said: Iterable[_Said]) -> Told:
        """What these say, each in its passage."""
        quotes: dict[UUID, tuple[tuple[int, int], ...]] = {}
        values: set[tuple[SlotKey, str | None]] = set()
        for passage, one in said:
            quotes[passage] = (*quotes.get(passage, ()), (one.quote.start, one.quote.end))
            if (key := slot_key(one)) is not None:
                values.add((key, one.value))
        return cls(frozenset(key for key, _ in values), frozenset(values), quotes)

    @classmethod
    def by_rules(cls, rows: Iterable[StoredAssertion], now: datetime) -> Told:
        """What rules had read by then."""
        return cls.of((row.passage, row.said) for row in rows if _is_held(row, now))

    def has(self, passage: UUID, said: Assertion) -> bool:
        """Whether it adds nothing: its slot has that value, or, without a slot, its words were read."""
        key = slot_key(said)
        return self._overlaps(passage, said) if key is None else (key, said.value) in self.values

    def covers(self, passage: UUID, said: Assertion) -> bool:
        """Whether its slot is filled or its words were read."""
        return slot_key(said) in self.slots or self._overlaps(passage, said)

    def _overlaps(self, passage: UUID, said: Assertion) -> bool:
        start, end = said.quote.start, said.quote.end
        return any(begin < end and start < stop for begin, stop in self.quotes.get(passage, ()))


def _is_held(row: StoredAssertion, now: datetime) -> bool:
    return row.known_from <= now and (row.known_to is None or now < row.known_to)
