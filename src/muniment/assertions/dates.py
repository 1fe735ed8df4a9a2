"""Dates and times as people write them. Only the item's own time resolves relative ones."""

from __future__ import annotations

import re

__all__ = [
    "DATES", "MONTHS", "MONTH_WORDS", "RELATIVE", "RELATIVE_WORDS", "TIMES", "normal_date",
    "normal_month", "normal_relative", "normal_time",
]  # fmt: skip

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Months keep their capital: "may 3 of us" and "march on" are not dates.
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"

DATES = re.compile(
    r"(?<![\w/.-])(?P<y1>(?:19|20|21)\d\d)-(?P<m1>\d\d)-(?P<d1>\d\d)(?!\d|-\d)"
    rf"|(?<![\w/.-])(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?(?P<M2>{_MONTH})(?:,?[ -](?P<y2>(?:19|20"
    r"|21)\d\d)\b)?"
    rf"|\b(?P<M3>{_MONTH}) (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,? (?P<y3>(?:19|20|21)\d\d)\b)?"
    rf"|\b(?P<M4>{_MONTH}),? (?P<y4>(?:19|20|21)\d\d)\b"
    r"|(?<![\w/.-])(?P<a5>\d{1,2})/(?P<b5>\d{1,2})/(?P<y5>(?:19|20|21)\d\d)(?![\w/])"
    r"|(?<![\w/.-])(?P<y6>(?:19|20|21)\d\d)/(?P<m6>\d{1,2})/(?P<d6>\d{1,2})(?![\w/])"
    r"|(?<!\d)(?P<y7>(?:19|20|21)\d\d) ?年 ?(?P<m7>\d{1,2}) ?月(?: ?(?P<d7>\d{1,2}) ?[日号])?"
    r"|(?<!\d)(?P<m8>\d{1,2}) ?月 ?(?P<d8>\d{1,2}) ?[日号]"
    r"|\bQ(?P<q9>[1-4])[ /](?P<y9>(?:19|20|21)\d\d)\b|\b(?P<y10>(?:19|20|21)\d\d)[ -]?Q(?P<q10>[1-4])\b"
)
# A month alone is a date only where it says when: "in March", not "the March release".
MONTHS = re.compile(rf"{_MONTH}(?! ?\d)")
_WHEN = (" in ", " by ", " of ", " until ", " since ", " from ", " before ", " mid-")
MONTH_WORDS = frozenset(
    "january february march april may june july august september october november december jan feb apr jun "
    "jul aug sep oct nov dec".split()
)
RELATIVE_WORDS = frozenset(
    "today tomorrow tonight eod eow cob day days week weeks month months quarter year monday tuesday "
    "wednesday thursday friday saturday sunday".split()
)
RELATIVE = re.compile(
    rf"\b(?:today|tomorrow|tonight|EOD|EOW|COB|end of (?:the |this |next )?(?:day|week|month|quarter|year)"
    rf"|(?:next|this|last|coming) (?:week|month|quarter|year|{_WEEKDAY})|{_WEEKDAY}|in \d{{1,3}} (?:days?"
    r"|weeks?|months?))\b"
    "|[下本这上]个?(?:周|星期)[一二三四五六日天末]?|(?:下|本|这|上)个?(?:月底|月|季度)|[今明后]天|今晚"
    "|明晚|明年|年底|月底|季度末|周末"
    r"|(?:周|星期)[一二三四五六日天](?!期)",
    re.IGNORECASE,
)
TIMES = re.compile(
    r"(?<![\w:.,/-])(?P<h1>[01]?\d|2[0-3]):(?P<m1>[0-5]\d)(?::[0-5]\d)?(?: ?(?P<p1>[ap])(?:m\b"
    r"|\.m\b\.?))?(?: (?P<z1>UTC|GMT|CET|CEST|EST|EDT|PST|PDT|ET|PT)\b)?(?![\d:])"
    r"|(?<![\w:.,/$€£-])(?P<h2>1[0-2]|[1-9]) ?(?P<p2>[ap])(?:m\b|\.m\b\.?)(?: (?P<z2>UTC|GMT|CET|CEST|EST"
    r"|EDT|PST|PDT|ET|PT)\b)?"
    r"|(?P<p3>上午|早上|下午|晚上|中午)(?P<h3>\d{1,2})(?:[:：](?P<m3>[0-5]\d)|[点时](?P<half>半)?)"
    r"|(?<![\d:])(?P<h4>1\d|2[0-3]|[1-9])点(?![\d左赞击])",
    re.IGNORECASE,
)


def normal_date(match: re.Match[str]) -> str | None:
    """ISO 8601 where the words fix the day, `--MM-DD` without a year, None where they are ambiguous."""
    found = {name[0]: text for name, text in match.groupdict().items() if text}
    if "a" in found:
        return _slashed(int(found["a"]), int(found["b"]), found["y"])
    if "q" in found:
        return f"{found['y']}-Q{found['q']}"
    month = _MONTHS.index(found["M"][:3].lower()) + 1 if "M" in found else int(found["m"])
    return _iso(found.get("y"), month, int(found["d"]) if "d" in found else None)


def normal_month(match: re.Match[str]) -> str | None:
    """A month without year or day, where the word before says that something happens in it."""
    before = f" {match.string[max(0, match.start() - 8) : match.start()].lower()}"
    return f"--{_MONTHS.index(match[0][:3].lower()) + 1:02}" if before.endswith(_WHEN) else None


def normal_relative(match: re.Match[str]) -> str:
    """The words, marked as what only the item's own time resolves."""
    return f"relative:{match[0].casefold()}"


def normal_time(match: re.Match[str]) -> str | None:
    """Twenty-four hours, with the zone where one is written."""
    found = {name[0]: text for name, text in match.groupdict().items() if text and name != "half"}
    hour, minute = int(found["h"]), int(found.get("m", 30 if match["half"] else 0))
    hour = _afternoon(hour) if found.get("p", "").lower() in ("p", "下午", "晚上") else hour
    if found.get("p", "").lower() == "a" and hour == 12:
        hour = 0
    zone = f" {found['z'].upper()}" if "z" in found else ""
    return f"{hour:02}:{minute:02}{zone}" if hour < 24 else None


def _afternoon(hour: int) -> int:
    return hour + 12 if hour < 12 else hour


def _slashed(first: int, second: int, year: str) -> str | None:
    if first > 12:
        return _iso(year, second, first)
    return _iso(year, first, second) if second > 12 or first == second else None


def _iso(year: str | None, month: int, day: int | None) -> str | None:
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    tail = "" if day is None else f"-{day:02}"
    return f"{year or '-'}-{month:02}{tail}"
