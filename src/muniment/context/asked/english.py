"""Stretches of time as English names them, each by itself; `times` joins what belongs together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import get_args

from muniment.assertions.calendar import Days, resolve
from muniment.assertions.dates import DATES, month_number, normal_date
from muniment.context.asked.when import (
    DAY,
    FEW,
    Found,
    Kind,
    When,
    ago,
    latest_season,
    on,
    recent,
    rolling,
    season,
    span,
)
from muniment.domain.regex import regex

__all__ = ["NUMBERS", "NUMBER_PATTERN", "UNIT_PATTERN", "WEEKDAY_PATTERN", "english"]

NUMBERS: Mapping[str, tuple[int, int]] = {
    word: (count, count)
    for count, words in enumerate(
        (
            "",
            "a an one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
    for word in words.split()
} | {"a couple of": (2, 2), "couple of": (2, 2), "a few": FEW, "few": FEW, "several": FEW}
NUMBER_PATTERN = rf"(?:\d{{1,3}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
UNIT_PATTERN = r"(?:day|week|month|quarter|year)"
WEEKDAY_PATTERN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_YEAR = r"(?:19[5-9]|20[0-9])\d"
_STEP = r"last|past|previous|prior|this|current|next|coming|upcoming"
_BACK = frozenset(("last", "past", "previous", "prior"))
_AHEAD = frozenset(("next", "coming", "upcoming"))
_FULL = "january|february|march|april|may|june|july|august|september|october|november|december"
_NAME = rf"(?:{_FULL}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
# Names of months that are also words or people: they need a word before them that says when.
_DOUBTFUL = frozenset("may march mar april june august jan jun aug dec sep".split())
_WHEN = regex(
    r"\b(?:in|of|since|until|till|before|after|during|through|throughout|between|by|for|from|to|last|this"
    r"|next"
    r"|early|late|mid|end|start|beginning|around|back in|and|the|our|each|every|on)[ -]\Z|[-–]\Z",
    re.IGNORECASE,
)
# What a person does or owns, after what may be a month's name.
_PERSON = regex(r"['’]s\b|[ ](?:said|says|say|wrote|and (?!\w+ (?:\d|figures|numbers))[A-Z])")
_LOWER_MONTH = regex(
    rf"\b(?:(?<=\bin )|(?<=\bof )|(?<=\bsince )|(?<=\buntil )|(?<=\blast )|(?<=\bnext )|(?<=\bduring )"
    rf"|(?<=\bearly )|(?<=\blate )|(?<=\bmid[- ])|(?<=\bbefore )|(?<=\bafter )|(?<=\bto )|(?<=\bbetween )"
    rf"|(?<=\bfrom )|(?<=\bthis )|(?<=\band )|(?<=\bby )){_NAME}\b(?! (?:i|we|you|be|not|on)\b)"
    rf"|\b{_NAME}(?=\.? \d{{1,2}}(?:st|nd|rd|th)\b|\.? \d{{1,2}},? {_YEAR}\b|,? {_YEAR}\b)"
    rf"|(?<=\d ){_NAME}(?= {_YEAR}\b)|(?:(?<=\dth )|(?<=\dst )|(?<=\dnd )|(?<=\drd )|(?<=\bon )){_NAME}\b"
    rf"|(?<=\bon \d ){_NAME}\b|(?<=\bon \d\d ){_NAME}\b|\b(?:january|february|september|october|november)\b"
)
# Without any of these a text names no time.
_ANY = regex(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|today|tonight|tomorrow|yesterday|ago\b|back\b"
    r"|last|past|previous|prior|this (?:w|m|q|y|s|f|t|a|e)|current|next|coming|upcoming|first|second|third"
    r"|fourth"
    r"|spring|summer|autumn|fall|winter|recent|late|of late|christmas|halloween|new year|valentine)|day\b",
    re.IGNORECASE,
)
_Read = Callable[[re.Match[str], date], "When | None"]


def english(text: str, today: date) -> Iterator[Found]:
    """Every stretch of time that English words in the text name; they may overlap, the surest first."""
    if not _ANY.search(text):
        return
    plain = _LOWER_MONTH.sub(lambda match: match[0].title(), text)
    for pattern, read in _READINGS.items():
        for match in pattern.finditer(plain):
            when = read(match, today)
            if when is not None:
                start = match.start("core") if "core" in pattern.groupindex else match.start()
                yield Found(start, match.end(), when)
    for match in DATES.finditer(plain):
        found = list(_dates(match, today))
        if found:
            yield Found(match.start(), match.end(), found[0], *found[1:])


def _dates(match: re.Match[str], today: date) -> Iterator[When]:
    """A date; 03/04/2024 may be either of two days."""
    value = normal_date(match)
    if value is None and match["a5"]:
        first, second = int(match["a5"]), int(match["b5"])
        values = [f"{match['y5']}-{month:02}-{day:02}" for month, day in ((first, second), (second, first))]
    else:
        values = [value] if value else []
    for one in values:
        kind: Kind = "quarter" if "Q" in one else "month" if len(one) == 7 and one[0] != "-" else "day"
        when = span(one, today, kind, "yearly" if one.startswith("-") else "never")
        if when is not None:
            yield when


def _as_date(match: re.Match[str], today: date) -> When | None:
    return span(f"{match['y']}-{int(match['m']):02}-{int(match['d']):02}", today, "day")


def _iso_month(match: re.Match[str], today: date) -> When | None:
    return span(match[0], today, "month")


def _days_of(match: re.Match[str], today: date) -> When | None:
    """May 3-7, 2024; 3 to 7 May."""
    month, year = month_number(match["month"]), match["y"]
    values = [f"{year or '-'}-{month:02}-{int(match[name]):02}" for name in ("d1", "d2")]
    first, last = (resolve(value, today, "behind") for value in values)
    if first is None or last is None or last.after <= first.first:
        return None
    return When(first.first, last.after, "between", "", "never" if year else "yearly")


def _month(match: re.Match[str], today: date) -> When | None:
    """A month by name, where it is no other word."""
    name, text = match["month"].rstrip("."), match.string
    doubtful = name.casefold() in _DOUBTFUL
    before = text[max(0, match.start() - 12) : match.start()]
    if doubtful and (not _WHEN.search(before) or _PERSON.match(text, match.end())):
        return None
    return span(f"--{month_number(name):02}", today, "month", "yearly")


def _stepped_month(match: re.Match[str], today: date) -> When | None:
    """Last May ended before this month; next May is after it."""
    month, step = month_number(match["month"]), match["step"].lower()
    if step in _BACK:
        year = today.year - (month >= today.month)
    else:
        year = today.year + (step in _AHEAD and month <= today.month)
    return span(f"{year}-{month:02}", today, "month")


def _quarter(match: re.Match[str], today: date) -> When | None:
    """Q3 of a year, of last year, or the latest."""
    ordinals = ("first", "second", "third", "fourth")
    number = int(match["n"]) if match["n"] else ordinals.index(match["ordinal"].lower()) + 1
    half = (match["q"] or match["part"])[0].lower() == "h"
    if half and number > 2:
        return None
    length = 6 if half else 3
    year = _year_of(match, today)
    open_year = year is None
    first = date(year or today.year, 1 + length * (number - 1), 1)
    if open_year and first > today:
        first = first.replace(year=today.year - 1)
    kind: Kind = "half" if half else "quarter"
    return When(first, on(first, "month", length), kind, "", "yearly" if open_year else "never")


def _year_of(match: re.Match[str], today: date) -> int | None:
    found = match.groupdict()
    if found.get("y"):
        return int(found["y"])
    step = (found.get("step") or "").lower()
    return today.year + _way(step) if step else None


def _way(step: str) -> int:
    return -1 if step in _BACK else 1 if step in _AHEAD else 0


def _stepped(match: re.Match[str], today: date) -> When | None:
    """Last quarter, this week, next year."""
    word = {-1: "last", 0: "this", 1: "next"}[_way(match["step"].lower())]
    unit = match["unit"].lower()
    if unit == "weekend":
        return _weekend(today, _way(match["step"].lower()))
    if match["step"].lower() == "past":
        return rolling(today, unit, -1)
    return span(f"relative:{word} {unit}", today, next(kind for kind in get_args(Kind) if kind == unit))


def _weekend(today: date, step: int) -> When:
    saturday = today - timedelta(days=today.weekday()) + timedelta(days=5 + 7 * step)
    return When(saturday, saturday + 2 * DAY, "weekend")


def _stepped_season(match: re.Match[str], today: date) -> When:
    name, step = match["season"].lower(), match["step"].lower()
    this = season(name, today.year)
    if step in _BACK:
        days = this if this.after <= today else season(name, today.year - 1)
    elif step in _AHEAD:
        days = this if this.first > today else season(name, today.year + 1)
    else:
        days = this
    return When(days.first, days.after, "season")


def _season(match: re.Match[str], today: date) -> When:
    name, year = match["season"].lower(), _year_of(match, today)
    days: Days = latest_season(name, today) if year is None else season(name, year)
    return When(days.first, days.after, "season", "", "yearly" if year is None else "never")


def _weekday(match: re.Match[str], today: date) -> When | None:
    return span(f"relative:{match['weekday'].lower()}", today, "day", "weekly")


def _stepped_weekday(match: re.Match[str], today: date) -> When | None:
    """Last Friday is the latest before today; next Friday, as the calendar of the record has it."""
    step, weekday = match["step"].lower(), match["weekday"].lower()
    if step in _BACK:
        return span(f"relative:{weekday}", today - DAY, "day")
    return span(f"relative:{'next' if step == 'next' else 'this'} {weekday}", today, "day")


_NAMED = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "earlier today": 0,
    "yesterday": -1, "last night": -1, "tomorrow": 1, "day before yesterday": -2, "day after tomorrow": 2,
}  # fmt: skip


def _named(match: re.Match[str], today: date) -> When:
    return _one(today + timedelta(days=_NAMED[match["day"].lower()]))


def _one(day: date) -> When:
    return When(day, day + DAY, "day")


def _count(words: str) -> tuple[int, int]:
    return (int(words), int(words)) if words.isdecimal() else NUMBERS[words.lower()]


def _ago(match: re.Match[str], today: date) -> When | None:
    fewest, most = _count(match["n"])
    unit = match["unit"].lower()
    if unit in ("hour", "minute"):
        return When(today - DAY, today + DAY, "days")
    return ago(today, unit, fewest, most) if fewest else _one(today)


def _rolling(match: re.Match[str], today: date) -> When | None:
    most = _count(match["n"])[1]
    if match["unit"].lower() == "hour":
        return rolling(today, "day", _way(match["step"].lower()) * (-(-most // 24)))
    return rolling(today, match["unit"].lower(), _way(match["step"].lower()) * most)


def _year(match: re.Match[str], today: date) -> When | None:
    del today
    year = int(match["y"])
    year += 2000 if year < 100 else 0
    return When(date(year, 1, 1), date(year + 1, 1, 1), "year")


def _recent(match: re.Match[str], today: date) -> When:
    del match
    return recent(today)


def _week_of_month(match: re.Match[str], today: date) -> When | None:
    month = span(f"{match['y'] or '-'}-{month_number(match['month']):02}", today, "month")
    if month is None or month.first is None or month.after is None:
        return None
    at = ("first", "second", "third", "fourth", "last").index(match["nth"].lower())
    first = month.after - 7 * DAY if at == 4 else month.first + 7 * at * DAY
    return When(first, first + 7 * DAY, "week", "", "never" if match["y"] else "yearly")


def _holiday(match: re.Match[str], today: date) -> When | None:
    month, first, length = _HOLIDAYS[match["holiday"].lower().replace("’", "'")]
    found = span(f"{match['y'] or '-'}-{month:02}-{first:02}", today, "days")
    if found is None or found.first is None:
        return None
    return When(found.first, found.first + length * DAY, "days", "", "never" if match["y"] else "yearly")


_HOLIDAYS = {
    "christmas": (12, 24, 3), "halloween": (10, 31, 1), "new year's eve": (12, 31, 1),
    "new year's day": (1, 1, 1),
    "valentine's day": (2, 14, 1),
}  # fmt: skip
_CAPITAL = (
    r"(?P<month>(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?)"
)
_OF_YEAR = (
    rf"(?:(?:,? | of (?:the year )?|,? in )(?P<y>{_YEAR})\b| (?:of )?(?P<step>last|this|next) year\b"
    rf"| of the year\b)"
)
_I = re.IGNORECASE
_READINGS: Mapping[re.Pattern[str], _Read] = {
    regex(rf"(?<![\w./-])(?P<y>{_YEAR})\.(?P<m>\d\d?)\.(?P<d>\d\d?)(?![\w.])"): _as_date,
    regex(rf"(?<![\w./-])(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>{_YEAR})(?![\w.])"): _as_date,
    regex(rf"(?<![\w./-]){_YEAR}-(?:0[1-9]|1[0-2])(?![\w/]|-\d)"): _iso_month,
    regex(
        rf"\b{_CAPITAL} (?P<d1>\d\d?)(?:st|nd|rd|th)? ?(?:-|–|to|through|and) ?(?P<d2>\d\d?)(?:st|nd|rd"
        rf"|th)?(?![\d:])"
        rf"(?:,? (?P<y>{_YEAR})\b)?"
    ): _days_of,
    regex(
        rf"(?<![\w./-])(?P<d1>\d\d?)(?:st|nd|rd|th)? ?(?:-|–|to|through|and) ?(?P<d2>\d\d?)(?:st|nd|rd"
        rf"|th)? (?:of )?{_CAPITAL}"
        rf"(?:,? (?P<y>{_YEAR})\b)?"
    ): _days_of,
    regex(rf"\b(?P<nth>(?i:first|second|third|fourth|last)) week (?:of"
        rf"|in) {_CAPITAL}(?:,? (?P<y>{_YEAR})\b)?"): (
        _week_of_month
    ),
    regex(
        rf"\b(?P<ordinal>first|second|third|fourth) (?P<part>quarter(?![- ]final)|half(?= of"
        rf"|,? (?:{_YEAR})))(?P<n>)(?P<q>)"
        rf"{_OF_YEAR}?",
        _I,
    ): _quarter,
    regex(rf"(?<![\w-])(?P<q>[Qq]"
        rf"|H(?=[12]))(?P<n>[1-4])(?P<ordinal>)(?P<part>)(?![\w-]){_OF_YEAR}?"): _quarter,
    regex(rf"(?<![\w-])(?P<y>{_YEAR})[ -]?(?P<q>[QqH])(?P<n>[1-4])(?P<ordinal>)(?P<part>)"
        rf"(?![\w-])"): _quarter,
    regex(rf"\b(?P<step>{_STEP}) (?P<unit>week(?:end)?|month|quarter|year)(?![\w-])", _I): _stepped,
    regex(rf"\b(?P<step>(?i:{_STEP})) {_CAPITAL}(?![\w-])"): _stepped_month,
    regex(rf"\b(?P<step>{_STEP}) (?P<season>spring|summer|autumn|fall|winter)\b", _I): _stepped_season,
    regex(
        rf"\b(?:(?:in|during|over|since|until|before|after|by)(?: the)? (?P<core>(?P<season>spring|summer"
        rf"|autumn|fall|winter)\b"
        rf"(?! (?:boot|cleaning)){_OF_YEAR}?))",
        _I,
    ): _season,
    regex(rf"\b(?P<season>spring|summer|autumn|fall|winter){_OF_YEAR}", _I): _season,
    regex(rf"\b(?P<step>{_STEP}) (?P<weekday>{WEEKDAY_PATTERN})\b", _I): _stepped_weekday,
    regex(
        rf"(?<!\bblack )(?<!\bgood )(?<!\bevery )(?<!\beach )(?<!\bcasual )\b"
        rf"(?P<weekday>{WEEKDAY_PATTERN})\b(?!\.com)", _I
    ): _weekday,
    regex(rf"\b(?P<day>{'|'.join(sorted(_NAMED, key=len, reverse=True))})\b", _I): _named,
    regex(rf"\b(?P<n>{NUMBER_PATTERN}) (?P<unit>{UNIT_PATTERN}|hour|minute)s? (?:ago"
        rf"|back)\b", _I): _ago,
    regex(rf"\b(?P<step>last|past|previous|next"
        rf"|coming) (?P<n>{NUMBER_PATTERN}) (?P<unit>{UNIT_PATTERN}|hour)s?\b", _I): (
        _rolling
    ),
    regex(r"\b(?:recently|lately|of late|(?<!most )recent)\b", _I): _recent,
    regex(rf"(?<![\w-]){_CAPITAL}(?![\w-]|(?:,? (?:\d)))"): _month,
    regex(r"\b(?:FY ?|fiscal (?:year )?|financial year )['’]?(?P<y>20\d\d|\d\d)(?![\w-])", _I): _year,
    regex(
        rf"\b(?:in|since|of|before|after|during|until|till|by|between|from|to|through|and|around|the year"
        rf"|year|back in"
        rf"|(?:the|our|my|their|its|whole|all|early|late|mid)) (?:(?:early|late|mid|all of"
        rf"|the year)[ -])?(?P<core>(?P<y>{_YEAR}))"
        r"(?![\w-]|[.,/:]\d| ?%| (?:\w+ )?(?:\w+(?<!s)s|people|percent"
        r"|times)\b(?<! sales)(?<! results)(?<! figures))",
        _I,
    ): _year,
    regex(rf"(?<![\w./-])(?P<y>{_YEAR})['’]s\b"): _year,
    regex(
        rf"\b(?P<holiday>christmas|halloween|new year['’]s (?:eve|day)|valentine['’]s day)\b(?: (?:of "
        rf"|in )?(?P<y>{_YEAR})\b)?",
        _I,
    ): _holiday,
}  # fmt: skip
