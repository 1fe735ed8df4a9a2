"""Grids: the fixed bands a value may be disclosed by, and what keeps a band from being narrowed. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from muniment.domain.regex import regex

__all__ = ["LEAST_WIDTH", "MOST_BANDS", "Band", "Grid", "Quantity", "quantity", "same_unit"]

LEAST_WIDTH: Final = Decimal("0.05")  # of a band's larger edge: a narrower one is nearly the value
MOST_BANDS: Final = 200

_NUMBER = r"(?P<number>-?\d+(?:\.\d+)?)"
_FORMS = (
    regex(rf"(?P<unit>[A-Z]{{3}}|¥) {_NUMBER}\Z"),
    regex(rf"{_NUMBER}(?P<unit>%)\Z"),
    regex(rf"{_NUMBER}(?P<unit>)\Z"),
    regex(rf"{_NUMBER} (?P<unit>[^\d\s].*)\Z"),
)
_CURRENCY = regex(r"[A-Z]{3}\Z|¥\Z")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of something: `unit` is a currency's code, `%`, a word as a value writes it, or empty."""

    number: Decimal
    unit: str


def quantity(value: str) -> Quantity | None:
    """An assertion's value as a quantity; None for a range, a bound, a denial, a date or a name."""
    for form in _FORMS:
        if match := form.match(value):
            return Quantity(Decimal(match["number"]), match["unit"])
    return None


def same_unit(one: str, other: str) -> bool:
    """Whether two units are one: `day` and `days` are, `day` and `week` are not."""
    return _plain(one) == _plain(other)


def _plain(unit: str) -> str:
    word = unit.casefold()
    return word.removesuffix("s") if len(word) > 3 else word


@dataclass(frozen=True, slots=True)
class Band:
    """One stretch of a grid, [low, high): all that a reader of the range may know."""

    low: Decimal
    high: Decimal
    unit: str

    @property
    def value(self) -> str:
        """Its normal form, which two statements are compared by."""
        low, high = f"{self.low.normalize():f}", f"{self.high.normalize():f}"
        if _CURRENCY.match(self.unit):
            return f"{self.unit} {low}..{high}"
        return f"{low}..{high}{_after(self.unit)}"

    @property
    def words(self) -> str:
        """As a sentence has it."""
        low, high = f"{self.low.normalize():,f}", f"{self.high.normalize():,f}"
        if _CURRENCY.match(self.unit):
            return f"between {self.unit} {low} and {high}"
        return f"between {low}{'%' if self.unit == '%' else ''} and {high}{_after(self.unit)}"


def _after(unit: str) -> str:
    return unit if unit in ("", "%") else f" {unit}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Fixed edges in one unit.

    Every edge is a multiple of the narrowest band, or the bands of a sum and of its parts could narrow each
    other to less than that (docs/decisions/0007).
    """

    unit: str
    edges: tuple[Decimal, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.edges) <= MOST_BANDS + 1:
            raise ValueError(f"a grid has 1 to {MOST_BANDS} bands, not {len(self.edges) - 1}")
        for low, high in pairwise(self.edges):
            if high <= low:
                raise ValueError(f"edge {high} does not come after {low}: edges rise")
            if high - low < LEAST_WIDTH * max(abs(low), abs(high)):
                raise ValueError(
                    f"the band {low} to {high} is too narrow: a band takes at least {LEAST_WIDTH:.0%} of its "
                    f"larger edge"
                )
        for edge in self.edges:
            if edge % self.narrowest:
                raise ValueError(
                    f"edge {edge} is no multiple of the narrowest band, {self.narrowest}: bands of sums "
                    f"could narrow it further"
                )

    @property
    def narrowest(self) -> Decimal:
        """The width of its narrowest band."""
        return min(high - low for low, high in pairwise(self.edges))

    def band(self, value: str) -> Band | None:
        """Where a value lies; None for what the grid cannot place."""
        found = quantity(value)
        if found is None or not same_unit(found.unit, self.unit):
            return None
        at = bisect_right(self.edges, found.number)
        return self.band_at(at - 1) if 0 < at < len(self.edges) else None

    def band_at(self, place: int) -> Band:
        """The band at a place, from 0."""
        return Band(self.edges[place], self.edges[place + 1], self.unit)

    def is_no_finer_than(self, other: Grid) -> bool:
        """Whether whoever saw the other learns nothing new from this one: its edges are some of those."""
        return same_unit(self.unit, other.unit) and set(self.edges) <= set(other.edges)

    @classmethod
    def stepped(cls, unit: str, steps: Sequence[Decimal]) -> Grid:
        """Equal bands: `steps` are where it begins, the width of a band, and where it ends."""
        start, step, end = steps
        if step <= 0 or end <= start or (end - start) % step:
            raise ValueError(f"steps of {step} do not lead from {start} to {end}")
        count = int((end - start) / step)
        if count > MOST_BANDS:
            raise ValueError(f"a grid has 1 to {MOST_BANDS} bands, not {count}")
        return cls(unit, tuple(start + step * number for number in range(count + 1)))
