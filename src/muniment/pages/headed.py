"""What stands under a heading that names an entity, in a text that is about something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.domain.names import normal_name
from muniment.domain.record import AssertionRow
from muniment.pages.entities import Parts

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Headed", "headed_passages", "said_under"]


@dataclass(frozen=True, slots=True)
class Headed:
    """A passage, and all that stands above it; `doc` is its number in the index and means nothing else."""

    passage: UUID
    doc: int
    item: UUID
    source: str
    heading: Sequence[str]


def headed_passages(
    reader: Reader,
    names: Sequence[str],
    parts: Parts,
    kind: str | None = None,
    after: datetime | None = None,
    before: datetime | None = None,
) -> list[Headed]:
    """The passages under a heading by one of these names, but for what was split off them."""
    values = {"names": list(names), "kind": kind, "after": after, "before": before}
    rows = reader.rows(Headed, "pages", "headed_passages", **values)
    left = set(parts.left)
    return [row for row in rows if any(_is_above(name, row, left) for name in names)]


def _is_above(name: str, row: Headed, left: set[tuple[str, str]]) -> bool:
    if left & {(name, row.source), (name, str(row.item))}:
        return False
    return name in {normal_name(part) for part in row.heading}


def said_under(reader: Reader, passages: Sequence[Headed]) -> list[AssertionRow]:
    """What these passages state."""
    if not passages:
        return []
    items, own = sorted({one.item for one in passages}), sorted({one.passage for one in passages})
    return reader.rows(AssertionRow, "pages", "assertions_in_passages", items=items, passages=own)
