"""The sections of visible items, by every name their headings carry."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.domain.remembered import forgettable
from muniment.graph.sections import section_keys

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["PartRow", "Parts", "read_parts"]


@dataclass(frozen=True, slots=True)
class PartRow:
    """A passage and the headings it stands under."""

    item: UUID
    passage: UUID
    ordinal: int
    heading: Sequence[str]


@dataclass(frozen=True, slots=True)
class Parts:
    """Where each section of an item begins; None where two sections are called the same."""

    begins: Mapping[tuple[UUID, str], UUID | None]

    @classmethod
    def of(cls, rows: Iterable[PartRow]) -> Parts:
        """From passages in the order of their text."""
        begins: dict[tuple[UUID, str], UUID | None] = {}
        seen: set[tuple[object, ...]] = set()
        for row in rows:
            for depth, heading in enumerate(row.heading, 1):
                path = (row.item, *row.heading[:depth])
                if path not in seen:
                    seen.add(path)
                    _begin(begins, row, heading)
        return cls(begins)

    def find(self, item: UUID, section: str) -> UUID | None:
        """The passage in which a section begins, where there is one of that name."""
        return self.begins.get((item, section))


def _begin(begins: dict[tuple[UUID, str], UUID | None], row: PartRow, heading: str) -> None:
    for name in _keys(heading):
        place = (row.item, name)
        begins[place] = None if place in begins and begins[place] != row.passage else row.passage


def read_parts(reader: Reader, items: Collection[UUID]) -> Parts:
    """The sections of these items."""
    if not items:
        return Parts({})
    return Parts.of(reader.rows(PartRow, "references", "parts_of_items", items=sorted(items)))


@forgettable
@lru_cache(maxsize=50_000)
def _keys(heading: str) -> frozenset[str]:
    return section_keys(heading)
