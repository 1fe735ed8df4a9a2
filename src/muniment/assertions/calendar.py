"""Which days a date means, counted from the day it was said. Pure; the clock has no part.

Weeks begin on Monday. A weekday alone is the next one, never the day of saying; `next Friday` is Friday of
the week after, as 下周五 is. A month counted on from its last day ends on the last day there is. A day that
no calendar has is no day: nothing is rounded to another.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from muniment.assertions.dates import month_number
from muniment.domain.regex import regex

__all__ = ["Days", "Lean", "resolve"]

Lean = Literal["ahead", "behind", "near"]

_DAY = timedelta(days=1)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HAN = {han: number for number, han in enumerate("零一二三四五六七八九十")} | {
    "〇": 0, "两": 2, "半": 6, "十一": 11, "十二": 12,
}  # fmt: skip
_HAN_WEEKDAYS = {**{han: at for at, han in enumerate("一二三四五六日")}, "天": 6}
_STEPS = {"next": 1, "this": 0, "last": -1, "coming": 0, "the": 0, "下": 1, "本": 0, "这": 0, "上": -1}
_UNITS = {"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"} | {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter",
    "年": "year",
}  # fmt: skip
_NAMED = {
    "today": 0, "tonight": 0, "eod": 0, "cob": 0, "end of day": 0, "end of the day": 0, "tomorrow": 1,
    "yesterday": -1, "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2,
    "day before yesterday": -2, "今天": 0, "今日": 0, "今晚": 0, "明天": 1, "明日": 1, "明晚": 1,
    "后天": 2, "大后天": 3,
    "昨天": -1, "昨日": -1, "前天": -2, "大前天": -3,
}  # fmt: skip
_YEARS = {"今年": 0, "本年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2}


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days from `first` up to and without `after`."""

    first: date
    after: date

    @classmethod
    def one(cls, day: date) -> Days:
        """A single day."""
        return cls(day, day + _DAY)

    @property
    def last(self) -> date:
        """The last of them."""
        return self.after - _DAY

    @property
    def text(self) -> str:
        """ISO 8601: a day, or the first and the last."""
        first, last = self.first.isoformat(), self.last.isoformat()
        return first if first == last else f"{first}/{last}"


def resolve(value: str, said: date, lean: Lean = "ahead") -> Days | None:
    """The days that the normal form of a date means; None where it means none, or cannot be told.

    lean: what leaves its year or week open is taken from the day of saying on, up to it, or as the nearest.
    """
    try:
        if value.startswith("relative:"):
            return _relative(value.removeprefix("relative:").strip(), said, lean)
        return _written(value, said, lean)
    except (ValueError, OverflowError):
        return None


def _written(value: str, said: date, lean: Lean) -> Days | None:
    if match := re.fullmatch(r"(\d{4})-Q([1-4])", value):
        return _quarter(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", value):
        return _month_or_day(int(match[1]), int(match[2]), match[3])
    if match := re.fullmatch(r"(\d{4})", value):
        return _year(int(match[1]))
    if match := re.fullmatch(r"--(\d\d)(?:-(\d\d))?", value):
        return _open_year(int(match[1]), match[2], said, lean)
    return None


def _month_or_day(year: int, month: int, day: str | None) -> Days:
    return _month(year, month) if day is None else Days.one(date(year, month, int(day)))


def _open_year(month: int, day: str | None, said: date, lean: Lean) -> Days | None:
    """A day without a year; where the year it falls in does not have it, it is no day."""
    if lean == "near":
        middle = date(2000, month, int(day or 15))
        years = sorted(
            (said.year, said.year - 1, said.year + 1), key=lambda year: _distance(year, middle, said)
        )
        return _month_or_day(years[0], month, day)
    last = monthrange(2000, month)[1] if day is None else int(day)
    passed = (month, last) < (said.month, said.day)
    if lean == "behind":
        return _month_or_day(said.year - ((month, int(day or 1)) > (said.month, said.day)), month, day)
    return _month_or_day(said.year + passed, month, day)


def _distance(year: int, middle: date, said: date) -> int:
    return abs((date(year, middle.month, min(middle.day, 28)) - said).days)


def _year(year: int) -> Days:
    return Days(date(year, 1, 1), date(year + 1, 1, 1))


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]) + _DAY)


def _quarter(year: int, quarter: int) -> Days:
    return Days(date(year, quarter * 3 - 2, 1), _month(year, quarter * 3).after)


def _week(said: date, step: int) -> Days:
    monday = said - timedelta(days=said.weekday()) + timedelta(weeks=step)
    return Days(monday, monday + timedelta(weeks=1))


def _unit(unit: str, said: date, step: int) -> Days:
    """This, the next or the last week, month, quarter or year."""
    if unit == "day":
        return Days.one(said + timedelta(days=step))
    if unit == "week":
        return _week(said, step)
    if unit == "year":
        return _year(said.year + step)
    months = said.year * 12 + said.month - 1 + step * (3 if unit == "quarter" else 1)
    year, month = divmod(months, 12)
    return _quarter(year, month // 3 + 1) if unit == "quarter" else _month(year, month + 1)


def _on(unit: str, said: date, count: int) -> Days:
    """So many days, weeks, months or years on; a month's last day leads to the last there is."""
    if unit in ("day", "week"):
        return Days.one(said + timedelta(**{f"{unit}s": count}))
    months = said.year * 12 + said.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    return Days.one(date(year, month + 1, min(said.day, monthrange(year, month + 1)[1])))


def _weekday(weekday: int, said: date, lean: Lean) -> Days:
    """The next one after the day of saying, or the last one up to it."""
    if lean == "behind":
        return Days.one(said - timedelta(days=(said.weekday() - weekday) % 7))
    return Days.one(said + timedelta(days=(weekday - said.weekday() - 1) % 7 + 1))


def _edge(days: Days, words: str) -> Days:
    """The last day of a stretch, or the first."""
    return Days.one(
        days.first if words.startswith(("start", "beginning")) or words.endswith("初") else days.last
    )


def _relative(words: str, said: date, lean: Lean) -> Days | None:
    if (step := _NAMED.get(words)) is not None:
        return Days.one(said + timedelta(days=step))
    words = "end of week" if words == "eow" else words
    for pattern, read in _READINGS.items():
        if match := pattern.fullmatch(words):
            return read(match, said, lean)
    return None


def _counted(match: re.Match[str], said: date, lean: Lean) -> Days:
    del lean
    count = _number(match["n"])
    if match["unit"] == "年" and match["n"] == "半":
        return _on("month", said, 6 if match["way"][-1] == "后" else -6)
    back = match["way"] == "ago" or match["way"].endswith("前")
    return _on(_UNITS[match["unit"].removesuffix("s")], said, -count if back else count)


def _number(written: str) -> int:
    return int(written) if written.isascii() else _HAN[written]


def _stepped(match: re.Match[str], said: date, lean: Lean) -> Days:
    """Next week, end of next month, 下个月底, 上季度."""
    del lean
    found = match.groupdict()
    step = sum(_STEPS[one] for one in _steps(found.get("step") or "this"))
    days = _unit(_UNITS[match["unit"]], said, step)
    if found.get("day"):
        return Days.one(days.first.replace(day=int(match["day"])))
    if not found.get("edge"):
        return days
    # A week's end is its last working day; on a weekend that is the next week's.
    if match["unit"] == "week":
        return Days.one(_friday(said, step))
    return _edge(days, match["edge"])


def _steps(words: str) -> Iterator[str]:
    """下下 is two steps, next is one."""
    if words.isascii():
        yield words
    else:
        yield from words


def _friday(said: date, step: int) -> date:
    friday = _week(said, step).first + timedelta(days=4)
    return friday + timedelta(weeks=1) if step == 0 and friday < said else friday


def _of_week(match: re.Match[str], said: date, lean: Lean) -> Days:
    """Next Friday, 下周五; coming is the next one there is."""
    weekday = (
        _WEEKDAYS.index(match["weekday"][:3])
        if match["weekday"].isascii()
        else _HAN_WEEKDAYS[match["weekday"]]
    )
    if not match["step"] or match["step"] in ("coming", "this coming"):
        return _weekday(weekday, said, lean)
    step = sum(_STEPS[one] for one in _steps(match["step"]))
    return Days.one(_week(said, step).first + timedelta(days=weekday))


def _weekend(match: re.Match[str], said: date, lean: Lean) -> Days:
    del lean
    saturday = _week(said, sum(_STEPS[one] for one in match["step"] or "")).first + timedelta(days=5)
    return Days(saturday, saturday + timedelta(days=2))


def _end_of(match: re.Match[str], said: date, lean: Lean) -> Days | None:
    days = _written(match["value"], said, lean)
    return None if days is None else _edge(days, match["edge"])


def _han_year(match: re.Match[str], said: date, lean: Lean) -> Days:
    del lean
    year = said.year + _YEARS[match["year"] or "今年"]
    if match["month"]:
        return _month_or_day(year, int(match["month"]), match["day"])
    return _edge(_year(year), match["edge"]) if match["edge"] else _year(year)


def _han_month(match: re.Match[str], said: date, lean: Lean) -> Days | None:
    days = _open_year(int(match["month"]), None, said, lean)
    return days if days is None or not match["edge"] else _edge(days, match["edge"])


def _month_edge(match: re.Match[str], said: date, lean: Lean) -> Days | None:
    month = month_number(match["month"])
    days = _month(int(match["year"]), month) if match["year"] else _open_year(month, None, said, lean)
    return days and _edge(days, match["edge"])


_UNIT = "week|month|quarter|year"
_EDGE = "end|start|beginning"
_HAN_YEARS = "|".join(_YEARS)
_HAN_UNIT = "周|星期|礼拜|月|季度|年"
_HAN_NUMBER = r"\d{1,3}|十[一二]?|[一二两三四五六七八九半]"
_Read = Callable[[re.Match[str], date, Lean], "Days | None"]
_READINGS: Mapping[re.Pattern[str], _Read] = {
    regex(r"(?P<way>in) (?P<n>\d{1,3}) (?P<unit>(?:day|week|month|year)s?)"): _counted,
    regex(r"(?P<n>\d{1,3}) (?P<unit>(?:day|week|month|year)s?) (?P<way>ago)"): _counted,
    regex(
        rf"(?P<n>{_HAN_NUMBER}) ?个?(?P<unit>天|日|{_HAN_UNIT})(?P<way>(?:之|以)?[后前])"
    ): _counted,
    regex(rf"(?P<step>next|this|last) (?P<unit>{_UNIT})"): _stepped,
    regex(
        rf"(?:the )?(?P<edge>{_EDGE}) of (?:(?P<step>the|this|next|last) )?(?P<unit>{_UNIT})"
    ): _stepped,
    regex(r"(?P<step>[下上]{1,2}|[本这])个?(?P<unit>周|星期|礼拜|月|季度)(?P<edge>[底末初])?"): _stepped,
    regex(r"(?P<step>[下上]{1,2}|[本这])个?(?P<unit>月)(?P<day>\d{1,2}) ?[日号]"): _stepped,
    regex(r"(?P<unit>月|季度|年)(?P<edge>[底末初])"): _stepped,
    regex(r"(?:(?P<step>next|this|last|coming|this coming) )?(?P<weekday>[a-z]{3,6}day)"): _of_week,
    regex(r"(?P<step>[下上]{1,2}|[本这])?个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"): _of_week,
    regex(r"(?P<step>[下上]{1,2}|[本这])?个?周末"): _weekend,
    regex(rf"(?P<edge>{_EDGE}) of (?P<value>[\d-]{{4,10}}|\d{{4}}-Q\d)"): _end_of,
    regex(rf"(?P<edge>{_EDGE}) of (?P<month>[a-z]{{3,9}})\.?(?:,? (?P<year>\d{{4}}))?"): _month_edge,
    regex(rf"(?P<year>{_HAN_YEARS})(?P<edge>年?[底末初])?(?P<month>)(?P<day>)"): _han_year,
    regex(
        rf"(?P<year>{_HAN_YEARS})(?P<edge>)(?P<month>\d{{1,2}}) ?月(?:(?P<day>\d{{1,2}}) ?[日号])?"
    ): _han_year,
    regex(r"(?P<month>1[0-2]|[1-9]) ?月(?P<edge>[底末初])?"): _han_month,
}  # fmt: skip
