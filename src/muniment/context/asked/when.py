"""A stretch of time that a question names, in whole days."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from muniment.assertions.calendar import Days, resolve

__all__ = [
    "DAY",
    "FEW",
    "UNITS",
    "Found",
    "Kind",
    "Place",
    "Repeats",
    "When",
    "ago",
    "edge_of",
    "latest_season",
    "on",
    "recent",
    "rolling",
    "season",
    "span",
]

Kind = Literal[
    "day", "week", "weekend", "month", "quarter", "half", "season", "year", "days", "since", "before",
    "between", "recent",
]  # fmt: skip
Repeats = Literal["never", "weekly", "yearly"]
Place = Literal["early", "mid", "late"]

DAY = timedelta(days=1)
FEW = (2, 6)  # what a few, several and 几 may mean
UNITS = {
    "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year", "天": "day",
    "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter", "年": "year",
}  # fmt: skip
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
_SEASONS = {
    "spring": 3,
    "summer": 6,
    "autumn": 9,
    "fall": 9,
    "winter": 12,
    "春": 3,
    "夏": 6,
    "秋": 9,
    "冬": 12,
}
_RECENT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class When:
    """Days from `first` up to and without `after`, either of them open where it is None.

    `words` are the question's own. A month, day or weekday named without its year or week `repeats`: the
    stretch is its latest one that has begun, and another year's may be meant as well.
    """

    first: date | None
    after: date | None
    kind: Kind
    words: str = ""
    repeats: Repeats = "never"

    def __post_init__(self) -> None:
        if self.first is None and self.after is None:
            raise ValueError("a stretch open at both ends is no stretch")
        if self.first is not None and self.after is not None and self.after <= self.first:
            raise ValueError(f"a stretch cannot end at {self.after} before it begins at {self.first}")

    def holds(self, day: date) -> bool:
        """Whether the day is in the stretch."""
        return (self.first is None or self.first <= day) and (self.after is None or day < self.after)

    def may_hold(self, day: date) -> bool:
        """Whether the day is in it, or in another year or week that the words may mean."""
        return self.days_off(day) == 0

    def days_off(self, day: date) -> int:
        """How many days the day is from the nearest stretch that the words may mean; 0 inside."""
        return min(_distance(one, day) for one in self._near(day))

    def _near(self, day: date) -> Iterator[When]:
        yield self
        if self.first is None or self.after is None:
            return
        length = self.after - self.first
        if self.repeats == "weekly":
            back = (day - self.first).days % 7
            yield from (When(first, first + length, self.kind) for first in _weeks(day, back))
        if self.repeats == "yearly":
            for year in range(max(1, day.year - 1), min(9998, day.year + 1) + 1):
                first = _in_year(self.first, year)
                yield When(first, first + length, self.kind)


def _distance(when: When, day: date) -> int:
    if when.first is not None and day < when.first:
        return (when.first - day).days
    return (day - when.after).days + 1 if when.after is not None and day >= when.after else 0


@dataclass(frozen=True, slots=True)
class Found:
    """Where in the text a stretch is named. `other`: the words may as well mean that one."""

    start: int
    end: int
    when: When
    other: When | None = None


def _weeks(day: date, back: int) -> Iterator[date]:
    """The weekday's date up to the day and the one after it, where the calendar has them."""
    last = date.max.toordinal() - 31
    return (
        date.fromordinal(at) for at in (day.toordinal() - back, day.toordinal() - back + 7) if 0 < at < last
    )


def _in_year(day: date, year: int) -> date:
    return date(year, day.month, min(day.day, monthrange(year, day.month)[1]))


def span(value: str, today: date, kind: Kind, repeats: Repeats = "never") -> When | None:
    """The stretch of a date's normal form, its open year taken as the latest that has begun."""
    days = resolve(value, today, "behind")
    return None if days is None else When(days.first, days.after, kind, "", repeats)


def on(day: date, unit: str, count: int) -> date:
    """So many units on from a day, back if below 0; a month's last day leads to the last there is."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    year, month = divmod(day.year * 12 + day.month - 1 + count * _MONTHS_IN[unit], 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def rolling(today: date, unit: str, count: int) -> When:
    """The last so many units up to today if below 0, or the next ones."""
    first, last = sorted((today, on(today, unit, count)))
    return When(first, last + DAY, "days")


def ago(today: date, unit: str, fewest: int, most: int) -> When:
    """So long ago: the day, the days around it for weeks, the calendar's month or year for those."""
    last, first = on(today, unit, -fewest), on(today, unit, -most)
    if unit == "day":
        return When(first, last + DAY, "day" if fewest == most else "days")
    if unit == "week":
        return When(first - 3 * DAY, last + 4 * DAY, "week")
    months = _MONTHS_IN[unit]
    first, last = (date(day.year, 1 if months == 12 else day.month, 1) for day in (first, last))
    kind: Kind = "year" if months == 12 else "month"
    return When(first, on(last, "year" if months == 12 else "month", 1), kind)


def recent(today: date) -> When:
    """What somebody means by recently."""
    return When(today - _RECENT, today + DAY, "recent")


def season(name: str, year: int) -> Days:
    """A season of the northern half, as calendars of work count them; winter is named for its December."""
    month = _SEASONS[name]
    first = date(year, month, 1)
    return Days(first, on(first, "month", 3))


def latest_season(name: str, today: date) -> Days:
    """The latest that has begun."""
    this = season(name, today.year)
    return this if this.first <= today else season(name, today.year - 1)


def edge_of(when: When, place: Place) -> When:
    """Its first, middle or last third; a single day has none."""
    if when.first is None or when.after is None or (when.after - when.first).days < 3:
        return when
    third = (when.after - when.first) // 3
    cuts = (when.first, when.first + third, when.after - third, when.after)
    at = ("early", "mid", "late").index(place)
    return When(cuts[at], cuts[at + 1], "days", when.words, when.repeats)
