"""Numbers, percentages and dates as one lexeme each, however they are written.

三百五十, 350 and ３５０ meet at 350; 3.5万, 35k and 35,000 at 35000; 百分之五 and 5 percent at 5%;
2024年3月5日 and March 5, 2024 at 2024-03-05. They stand beside the words as written, in what is stored and in
what is asked. Text comes here in lower case, its Chinese simplified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from muniment.assertions.spelled import han_value
from muniment.domain.regex import regex

__all__ = ["Figure", "figures", "has_figures", "numbers"]

_YEAR = r"(?:19|20|21)\d\d"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# As lexemes of English text; May is a stop word there.
_STEMS = (
    "januari", "februari", "march", "april", None, "june", "juli", "august", "septemb", "octob", "novemb",
    "decemb",
)  # fmt: skip
_SCALES = {
    "k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "b": 10**9, "bn": 10**9,
    "billion": 10**9, "千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12,
}  # fmt: skip
# A digit first and then what may not stand before it: the search for digits is the fast part.
_NUMBER = regex(r"[0-9](?<![a-z0-9.,/_:+-].)[0-9.,/-]*")
_DECIMAL = regex(r"\d{1,15}(?:\.\d{1,6})?|\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?")
_BIG_ENDIAN = regex(rf"({_YEAR})([-/.])(\d\d?)\2(\d\d?)")
_LITTLE_ENDIAN = regex(rf"(\d\d?)([/.])(\d\d?)\2({_YEAR})")
_YEAR_MONTH = regex(rf"({_YEAR})[-/](0[1-9]|1[0-2])")
_AFTER = regex(
    rf"(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})(?:,? (?P<year>{_YEAR})\b)?"
    rf"|(?P<ordinal>st|nd|rd|th)?,? (?P<only_year>{_YEAR})\b"
    r"| ?(?P<percent>%|per ?cent\b)| ?(?P<scale>k|thousand|million|mn|m|billion|bn|b)\b"
    "| ?(?P<han_scale>[百千]?万亿?|[千亿])(?!分)"
)
_BEFORE = regex(rf"\b(?P<month>{_MONTH}) (?:the )?\Z")
_REACH = 14  # characters of the longest month and what may follow it

_DIGITS = "零〇一二三四五六七八九两壹贰叁肆伍陆柒捌玖"
_HAN_DIGITS = f"{_DIGITS}十百千万亿拾佰仟"
_12 = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_31 = (
    r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])"
)
_HAN = regex(
    rf"(?:(?P<year>{_YEAR}|[〇零一二三四五六七八九]{{4}}) ?年 ?)?(?<![\d{_DIGITS}十个第])(?P<month>{_12}) ?月"
    rf"(?:份| ?(?P<day>{_31}) ?[日号])?"
    r"|(?P<only_year>[〇零一二三四五六七八九]{4})(?=年)"
    rf"|百分之(?P<percent>[{_HAN_DIGITS}]{{1,12}}|\d{{1,3}}(?:\.\d{{1,6}})?)(?:点(?P<part>[{_DIGITS}]{{1,6}}))?"
    rf"|(?<![几数{_HAN_DIGITS}])(?P<number>[{_DIGITS}十拾][{_HAN_DIGITS}]{{1,15}})(?:点(?P<fraction>[{_DIGITS}]{{1,6}}))?"
    rf"|(?<![几数{_HAN_DIGITS}])(?P<single>[二两三四五六七八九十])"
    "(?=个|天|年|周|次|位|名|人|台|件|份|条|倍|元|块|万|小时|分钟|工作日|星期|季度|轮|页|米|公里|岁|条|章|节|款)"
)
_MAY_BE_HAN = regex(rf"[0-9{_HAN_DIGITS}]+(?: ?[年月])?")


@dataclass(frozen=True, slots=True)
class Figure:
    """Where a number or date stands and its forms; a number has one."""

    start: int
    end: int
    forms: tuple[str, ...]
    is_number: bool


def has_figures(text: str) -> bool:
    """Whether there may be any; for plain text, an order of magnitude faster than looking for them."""
    if not text.isascii():
        return True
    plain = text.encode()
    return len(plain.translate(None, b"0123456789")) < len(plain)


def figures(text: str) -> list[str]:
    """The distinct normal forms of the text's numbers and dates that its words do not already have."""
    found = [form for one in _read(text) for form in one.forms]
    return list(dict.fromkeys(found)) if found else found


def numbers(text: str) -> list[Figure]:
    """The numbers written otherwise than in their normal form, in order; 第三季度 is a word of its own."""
    found = (one for one in _read(text) if one.is_number and not text.startswith("第", one.start - 1))
    return sorted(found, key=lambda one: one.start)


def _read(text: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        yield from _figure(match)
    if not text.isascii():
        for match in _han_matches(text):
            forms = tuple(_han_forms(match))
            if forms:
                yield Figure(match.start(), match.end(), forms, match["month"] is None)


def _han_matches(text: str) -> Iterator[re.Match[str]]:
    """Where numerals or a month and day in Chinese begin."""
    end = 0
    for start in _MAY_BE_HAN.finditer(text):
        if start.start() < end or (start[0][-1] not in "年月" and start[0].isascii()):
            continue
        if match := _HAN.match(text, start.start()):
            end = match.end()
            yield match


def _figure(match: re.Match[str]) -> Iterator[Figure]:
    written = match[0].rstrip(".,/-")
    start, end = match.start(), match.start() + len(written)
    if _DECIMAL.fullmatch(written):
        yield from _number(written, match.string, start)
    elif forms := tuple(_dates(written)):
        yield Figure(start, end, forms, is_number=False)


def _dates(written: str) -> Iterator[str]:
    if big := _BIG_ENDIAN.fullmatch(written):
        yield from (form for form in _date(int(big[1]), int(big[3]), int(big[4])) if form != written)
    elif little := _LITTLE_ENDIAN.fullmatch(written):
        yield from _either_way(int(little[1]), int(little[3]), int(little[4]), little[2])
    elif (month := _YEAR_MONTH.fullmatch(written)) and month[0][4] == "/":
        yield f"{month[1]}-{month[2]}"


def _number(written: str, text: str, start: int) -> Iterator[Figure]:
    """A number with the month, year, scale or percent sign that stands beside it."""
    end = start + len(written)
    after = _AFTER.match(text, end)
    spaced = start > 0 and text[start - 1] == " "
    before = _BEFORE.search(text, max(0, start - _REACH), start) if spaced else None
    if written.isdecimal() and len(written) <= 4 and (before or (after and after["month"])):
        if forms := tuple(_beside_month(int(written), before, after)):
            yield Figure(start, end, forms, is_number=False)
    elif form := _scaled(written, after):
        yield Figure(
            start, after.end() if after and form != _plain(written) else end, (form,), is_number=True
        )


def _scaled(written: str, after: re.Match[str] | None) -> str | None:
    """The number's form where it is another than its digits."""
    if after and after["percent"]:
        return f"{_plain(written)}%"
    if after and (scale := after["scale"] or after["han_scale"]):
        return _plain(written, _SCALES[scale])
    form = _plain(written)
    return form if form != written else None


def _beside_month(number: int, before: re.Match[str] | None, after: re.Match[str] | None) -> Iterator[str]:
    """March 5, 2024; 5 March; March 2024."""
    if after and after["month"] and number <= 31:
        year = int(after["year"]) if after["year"] else None
        yield from _date(year, _month(after["month"]), number)
    elif before and number > 31:
        if 1900 <= number < 2200:
            yield f"{number}-{_month(before['month']):02}"
    elif before:
        year = int(after["only_year"]) if after and after["only_year"] else None
        yield from _date(year, _month(before["month"]), number)


def _month(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def _either_way(first: int, second: int, year: int, mark: str) -> Iterator[str]:
    """Day and month as far as they can be told apart; with dots the day is first."""
    if mark == "." or first > 12 or first == second:
        yield from _date(year, second, first)
    elif second > 12:
        yield from _date(year, first, second)


def _date(year: int | None, month: int, day: int) -> Iterator[str]:
    """The day, its month and year, and the day of whatever year."""
    try:
        date(year or 2000, month, day)
    except ValueError:
        return
    if year is not None:
        yield f"{year}-{month:02}-{day:02}"
        yield f"{year}-{month:02}"
    yield f"--{month:02}-{day:02}"


def _plain(written: str, scale: int = 1) -> str:
    """Without separators and trailing zeros."""
    value = Decimal(written.replace(",", "")) * scale
    return f"{value.normalize():f}" if value % 1 else str(int(value))


def _han_forms(match: re.Match[str]) -> Iterator[str]:
    kind = match.lastgroup
    if match["month"]:
        yield from _han_date(match)
    elif kind == "only_year":
        yield _spelled_year(match["only_year"])
    elif match["percent"]:
        value = _han_number(match["percent"], match["part"])
        if value is not None:
            yield f"{value}%"
    else:
        value = _han_number(match["number"] or match["single"], match["fraction"])
        if value is not None:
            yield value


def _han_date(match: re.Match[str]) -> Iterator[str]:
    month = _small(match["month"])
    stem = _STEMS[month - 1]
    if stem is not None:
        yield stem
    year = _spelled_year(match["year"]) if match["year"] else None
    if match["day"]:
        yield from _date(int(year) if year else None, month, _small(match["day"]))
    elif year:
        yield f"{year}-{month:02}"


def _spelled_year(written: str) -> str:
    return "".join(one if one.isdecimal() else str(han_value(one)) for one in written)


def _small(written: str) -> int:
    return int(written) if written.isdecimal() else han_value(written) or 0


def _han_number(written: str, fraction: str | None) -> str | None:
    if written[0].isdecimal():
        return _plain(written)
    whole = han_value(written)
    if whole is None or fraction is None:
        return None if whole is None else str(whole)
    return _plain(f"{whole}.{''.join(str(han_value(one)) for one in fraction)}")
