"""Dates and times as people write them. Only the item's own time resolves relative ones."""

from __future__ import annotations

import re
from datetime import date

from muniment.domain.regex import regex

__all__ = [
    "DATES", "MONTHS", "MONTH_WORDS", "RELATIVE", "RELATIVE_WORDS", "TIMES", "UNREAD", "month_number",
    "normal_date", "normal_month", "normal_relative", "normal_time", "why_unread",
]  # fmt: skip

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Months keep their capital: "may 3 of us" and "march on" are not dates.
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_HAN_DIGITS = {**{han: digit for digit, han in enumerate("零一二三四五六七八九")}, "〇": 0, "○": 0}
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"

_HAN_12 = "十[一二]?|[一二三四五六七八九]"
_HAN_31 = "三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九]"
_NO_YEAR = r"(?:[ ,-]{1,2}['’]?\d\d(?=$|[.,;)\]\n])|,? (?!(?:19|20|21)\d\d\b)\d{4,7}\b|,? 0\b)"

DATES = regex(
    r"(?<![\w/.-])(?P<y1>(?:19|20|21)\d\d)-(?P<m1>\d\d)-(?P<d1>\d\d)(?!\d|-\d)"
    rf"|(?<![\w/.-])(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?(?P<M2>{_MONTH})(?:,?[ -](?P<y2>(?:19|20"
    r"|21)\d\d)\b)?"
    rf"|\b(?P<M3>{_MONTH}) (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,? (?P<y3>(?:19|20|21)\d\d)\b)?"
    rf"|\b(?P<M4>{_MONTH}),? (?P<y4>(?:19|20|21)\d\d)\b"
    r"|(?<![\w/.-])(?P<a5>\d{1,2})/(?P<b5>\d{1,2})/(?P<y5>(?:19|20|21)\d\d)(?![\w/])"
    r"|(?<![\w/.-])(?P<y6>(?:19|20|21)\d\d)/(?P<m6>\d{1,2})/(?P<d6>\d{1,2})(?![\w/])"
    r"|(?<!\d)(?P<y7>(?:19|20|21)\d\d) ?年 ?(?P<m7>\d{1,2}) ?月(?: ?(?P<d7>\d{1,2}) ?[日号])?"
    r"|(?<![\d年])(?<!年 )(?P<m8>\d{1,2}) ?月 ?(?P<d8>\d{1,2}) ?[日号]"
    r"|\bQ(?P<q9>[1-4])[ /](?P<y9>(?:19|20|21)\d\d)\b|\b(?P<y10>(?:19|20|21)\d\d)[ -]?Q(?P<q10>[1-4])\b"
    f"|(?P<y11>[〇零○一二三四五六七八九]{{4}})年(?P<m11>{_HAN_12})月(?:(?P<d11>{_HAN_31})[日号])?"
)
# What looks like a date, in a year that is none or not of our time: never the same day of another year.
UNREAD = regex(
    rf"(?<![\w/.-])\d{{1,2}}(?:st|nd|rd|th)?[ -](?:of )?{_MONTH}{_NO_YEAR}"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?{_NO_YEAR}"
    r"|(?<![\w/.-])\d{1,2}/\d{1,2}/\d\d(?![\w/])"
    r"|(?<![\w/.-])(?!(?:19|20|21)\d\d-)(?:0\d{3}|\d{4,7})-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])(?![\w-])"
    r"|(?<!\d)(?!(?:19|20|21)\d\d ?年)\d{1,7} ?年 ?\d{1,2} ?月 ?\d{1,2} ?[日号]"
)
_LUNAR = regex("(?:农历|阴历|旧历|闰) ?(?:[^ ，。]{0,6}年)? ?$")
# A month alone is a date only where it says when: "in March", not "the March release".
MONTHS = regex(rf"{_MONTH}(?! ?\d)")
_WHEN = (" in ", " by ", " of ", " until ", " since ", " from ", " before ", " mid-")
MONTH_WORDS = frozenset(
    "january february march april may june july august september october november december jan feb apr jun "
    "jul aug sep oct nov dec".split()
)
RELATIVE_WORDS = frozenset(
    "today tomorrow yesterday tonight eod eow cob day days week weeks month months quarter year monday "
    "tuesday wednesday thursday friday saturday sunday".split()
)
RELATIVE = regex(
    rf"\b(?:(?:the )?day (?:after tomorrow|before yesterday)|today|tomorrow|yesterday|tonight|EOD|EOW|COB"
    r"|end of (?:the |this |next |last )?(?:day|week|month|quarter|year)"
    rf"|(?:next|this|last|coming) (?:week|month|quarter|year|{_WEEKDAY})|{_WEEKDAY})\b"
    r"|(?:[下上]{1,2}|[本这])个?月\d{1,2} ?[日号]|(?:今年|明年|后年|去年|前年)\d{1,2} ?月(?:\d{1,2} ?[日号])?"
    "|(?:[下上]{1,2}|[本这])个?(?:周|星期|礼拜)[一二三四五六日天末]?|(?:[下上]{1,2}|[本这])个?(?:月[底初]?|季度[末初]?)"
    "|大?[后前]天|[今明昨]天|今晚|明晚|(?:今年|明年|后年|去年|前年)年?[底初末]?|年[底初]|月底|季度末|周末"
    r"|(?:周|星期|礼拜)[一二三四五六日天](?!期)"
    r"|(?<![\d年])(?:1[0-2]|[1-9]) ?月(?:[底末初]|(?=起|开始))",
    re.IGNORECASE,
)
TIMES = regex(
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
    if _LUNAR.search(match.string, max(0, match.start() - 10), match.start()):
        return None
    if "a" in found:
        return _slashed(int(found["a"]), int(found["b"]), found["y"])
    if "q" in found:
        return f"{found['y']}-Q{found['q']}"
    month = month_number(found["M"]) if "M" in found else _number(found["m"])
    return _iso(_year(found.get("y")), month, _number(found["d"]) if "d" in found else None)


def why_unread(match: re.Match[str]) -> str:
    """Why what looks like a date is none. It is kept as written and never taken for another day."""
    if match.re.pattern == UNREAD.pattern:
        return "its year is not one of four digits between 1900 and 2199"
    if match["a5"]:
        first, second = int(match["a5"]), int(match["b5"])
        if first <= 12 and second <= 12:
            return "day and month may be either way round"
    if _LUNAR.search(match.string, max(0, match.start() - 10), match.start()):
        return "it is a day of the lunar calendar"
    return "no calendar has that day"


def month_number(name: str) -> int:
    """1 for January, by its first three letters."""
    return _MONTHS.index(name[:3].lower()) + 1


def _year(written: str | None) -> str | None:
    if written is None or written.isascii():
        return written
    return "".join(str(_HAN_DIGITS[digit]) for digit in written)


def _number(written: str) -> int:
    """十二 is twelve, 二十 twenty, 三十一 thirty-one."""
    if written.isascii():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (_HAN_DIGITS[tens] if tens else 1 if ten else 0) * 10 + (_HAN_DIGITS[ones] if ones else 0)


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
    try:
        date(int(year or 2000), month, 1 if day is None else day)
    except ValueError:
        return None
    tail = "" if day is None else f"-{day:02}"
    return f"{year or '-'}-{month:02}{tail}"
