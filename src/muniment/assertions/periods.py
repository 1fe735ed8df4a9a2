"""Months, weekdays, quarters and years by name: they narrow a statement and are never what it is about."""

from __future__ import annotations

import re

from muniment.domain.regex import regex

__all__ = ["PERIOD", "is_period", "normal_period", "take_when"]

_MONTHS = "january february march april may june july august september october november december".split()
_ORDINALS = ("first", "second", "third", "fourth")
_HAN = {han: place for place, han in enumerate("一二三四五六七八九十", start=1)} | {"十一": 11, "十二": 12}
_YEAR = r"(?:19|20|21)\d\d"
# Months keep their capital, and Jan alone is a man as often as a month.
_MONTH = (
    rf"January|Jan(?=\.? {_YEAR})|February|Feb|March|Mar|April|Apr|May|June|Jun|July|Jul|August|Aug"
    "|September|Sept|Sep|October|Oct|November|Nov|December|Dec"
)
PERIOD = (
    rf"(?:(?:{_MONTH})\b\.?(?:,? {_YEAR})?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
    rf"|[QH][1-4](?:[ /-]{_YEAR})?|{_YEAR}[ /-]?[QH][1-4]|FY ?(?:20)?\d\d"
    rf"|(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth) quarter(?: of {_YEAR})?|{_YEAR})(?![\w-])"
)
_HAN_PERIOD = (
    rf"(?:{_YEAR} ?年度?)? ?(?:(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]) ?月份?|第?[一二三四1-4]季度)"
    rf"|{_YEAR} ?年度?|(?:周|星期)[一二三四五六日天]"
)
_WHOLE = regex(rf"{PERIOD}|{_HAN_PERIOD}")
_ANY_CASE = regex(_WHOLE.pattern, re.IGNORECASE)
_WHEN = regex(rf"^(?P<attribute>.+?) (?:in|for|of|on|during) (?:the )?(?P<when>{PERIOD})$")
_FRONT = regex(rf"^(?:[Tt]he |[Oo]ur )?(?P<when>{PERIOD})(?:['’]s)? (?P<attribute>[A-Za-z].+)$")
_A_YEAR = regex(_YEAR)
_A_QUARTER = regex(r"([qh])([1-4])")
_HAN_MONTH = regex(r"(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]) ?月")
_HAN_QUARTER = regex("([一二三四1-4])季度")


def is_period(words: str) -> bool:
    """Whether the words name a stretch of the calendar and nothing else, whatever their case."""
    return _ANY_CASE.fullmatch(words) is not None


def take_when(subject: str) -> tuple[str, str | None]:
    """The words without their period, and the period: forecast for May, May's forecast, May forecast."""
    match = _WHEN.match(subject) or _FRONT.match(subject)
    return (match["attribute"], normal_period(match["when"])) if match else (subject, None)


def normal_period(words: str) -> str:
    """One spelling for each way of naming a period; other words only without regard to case."""
    if not _WHOLE.fullmatch(words):
        return words.casefold()
    year = _A_YEAR.search(words)
    name = _name(_A_YEAR.sub("", words).casefold().strip(" ,./-"))
    return f"{name} {year[0]}".strip() if year else name


def _name(words: str) -> str:
    if match := _HAN_MONTH.search(words):
        return _MONTHS[_number(match[1]) - 1]
    if match := _HAN_QUARTER.search(words):
        return f"q{_number(match[1])}"
    if match := _A_QUARTER.search(words):
        return f"{match[1]}{match[2]}"
    if words.split()[1:2] == ["quarter"]:
        return f"q{_ORDINALS.index(words.split(maxsplit=1)[0]) + 1}"
    if words in ("年", "年度"):
        return ""
    return next((month for month in _MONTHS if len(words) > 2 and month.startswith(words[:3])), words)


def _number(written: str) -> int:
    return int(written) if written.isdecimal() else _HAN[written]
