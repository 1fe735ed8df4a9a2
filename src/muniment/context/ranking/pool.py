"""What a question is ranked among: permitted passages side by side, and how they hang together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.index.places import WHOLE

__all__ = ["NONE", "Beside", "Floats", "Indices", "Placed", "Pool", "by_id", "stretches"]

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]

NONE = -1  # no row
# A talk that rests this long is taken up anew: what came before it is another occasion.
REST = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage without its words. `at`: seconds since 1970. `line`, `turn`, `traits`: index/places.py."""

    doc: int
    passage: UUID
    item: UUID
    ordinal: int
    line: int
    at: float
    turn: int
    traits: int
    kind: str
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Beside(Placed):
    """A passage that comes right before (-1) or after (1) the passage numbered `of`."""

    of: int
    step: int


@dataclass(frozen=True, slots=True)
class Pool:
    """Rows in the order of passage ids, so that nothing depends on document numbers.


    `lexical` is 0 where no word matches; `meaning` is a cosine, None where none was asked for.
    `before` and `after` are rows, NONE where unknown or none. `stretch` numbers the occasions.
    """

    rows: tuple[Placed, ...]
    lexical: Floats
    meaning: Floats | None
    before: Indices
    after: Indices
    stretch: Indices
    at: Floats

    @classmethod
    def of(
        cls,
        placed: Sequence[Placed],
        lexical: Mapping[int, float],
        meaning: Mapping[int, float] | None,
        beside: Sequence[Beside],
    ) -> Pool:
        """A row each, what stands beside them among them; scores are by document number."""
        rows = by_id({one.doc: one for one in (*beside, *placed)}.values())
        at = {one.doc: row for row, one in enumerate(rows)}
        least = min(meaning.values(), default=0.0) if meaning is not None else 0.0
        before, after = np.full(len(rows), NONE), np.full(len(rows), NONE)
        for one in beside:
            if one.of in at and one.doc in at:
                first, then = (one.of, one.doc) if one.step > 0 else (one.doc, one.of)
                before[at[then]], after[at[first]] = at[first], at[then]
        return cls(
            rows,
            np.array([lexical.get(one.doc, 0.0) for one in rows]),
            None if meaning is None else np.array([meaning.get(one.doc, least) for one in rows]),
            before,
            after,
            stretches(rows),
            np.array([one.at for one in rows]),
        )

    def __len__(self) -> int:
        return len(self.rows)


def by_id(placed: Iterable[Placed]) -> tuple[Placed, ...]:
    """In the order of passage ids, compared as numbers: an order of UUIDs takes ten times as long."""
    return tuple(sorted(placed, key=lambda one: one.passage.int))


def stretches(rows: Sequence[Placed]) -> Indices:
    """Which occasion each row is of: a thread or text, or what was said in a channel without a long rest."""
    found = np.zeros(len(rows), np.int64)
    order = sorted(range(len(rows)), key=lambda row: (rows[row].line, rows[row].at, row))
    number = 0
    for last, row in pairwise(order):
        one, other = rows[last], rows[row]
        rested = not other.traits & WHOLE and other.at - one.at > REST
        number += one.line != other.line or rested
        found[row] = number
    return found
