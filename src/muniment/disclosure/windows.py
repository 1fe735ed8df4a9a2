"""Windows of the calendar: what times are coarsened to, and what a trend compares. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from muniment.domain.regex import regex

__all__ = ["WINDOWS", "Window", "WindowKind", "floor", "split_window"]

WindowKind = Literal["month", "quarter", "year"]
WINDOWS: Final[dict[str, WindowKind]] = {"month": "month", "quarter": "quarter", "year": "year"}
_MONTHS: Final[dict[WindowKind, int]] = {"month": 1, "quarter": 3, "year": 12}
_NAMES = "january february march april may june july august september october november december".split()
_NAMED: Final[dict[WindowKind, re.Pattern[str]]] = {
    "month": regex(rf"(?P<name>{'|'.join(_NAMES)}) (?P<year>(?:19|20|21)\d\d)\Z"),
    "quarter": regex(r"q(?P<name>[1-4]) (?P<year>(?:19|20|21)\d\d)\Z"),
    "year": regex(r"(?P<name>)(?P<year>(?:19|20|21)\d\d)\Z"),
}


def floor(at: datetime, kind: WindowKind) -> datetime:
    """Where the window an instant lies in begins, in UTC."""
    at, months = at.astimezone(UTC), _MONTHS[kind]
    return datetime(at.year, (at.month - 1) // months * months + 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Window:
    """One month, quarter or year, counted in windows of its kind."""

    kind: WindowKind
    number: int

    @property
    def start(self) -> datetime:
        """Its first instant."""
        month = self.number * _MONTHS[self.kind]
        return datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first instant after it: what is said of it before then may still change."""
        return Window(self.kind, self.number + 1).start

    @property
    def before(self) -> Window:
        """The one before it."""
        return Window(self.kind, self.number - 1)


def split_window(qualifier: str | None, kind: WindowKind) -> tuple[Window, str | None] | None:
    """The window a qualifier names, and the rest of it; None where it names none of the kind, or two."""
    parts = (qualifier or "").split(", ")
    matches = [(part, match) for part in parts if (match := _NAMED[kind].match(part))]
    if len(matches) != 1:
        return None
    ((named, match),) = matches
    rest = ", ".join(part for part in parts if part != named) or None
    return Window(kind, _number(kind, match)), rest


def _number(kind: WindowKind, match: re.Match[str]) -> int:
    year = int(match["year"])
    match kind:
        case "month":
            return 12 * year + _NAMES.index(match["name"])
        case "quarter":
            return 4 * year + int(match["name"]) - 1
        case "year":
            return year
