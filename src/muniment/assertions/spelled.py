"""Numbers in words, with or without figures in brackets: thirty (30) days, 三十（30）天.

Where words and figures disagree nobody knows what was meant, and there is no term.
"""

from __future__ import annotations

import re
from decimal import Decimal

from muniment.domain.regex import regex

__all__ = [
    "HAN_AMOUNT", "HAN_DURATION", "HAN_SPELLED", "NUMBER_WORDS", "SPELLED_AMOUNT", "SPELLED_COUNT",
    "SPELLED_DURATION", "SPELLED_PERCENT", "han_value",
    "normal_spelled_amount", "normal_spelled_count", "normal_spelled_duration", "normal_spelled_percent",
]  # fmt: skip

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_VALUES = {word: value for value, word in enumerate(_SMALL)} | _TENS
_SCALES = {"thousand": 10**3, "million": 10**6}
NUMBER_WORDS = frozenset(_VALUES) | frozenset(_SCALES) | {"hundred"}
_ONE = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_WORDS = rf"(?:{_ONE})(?:(?:-| and | )(?:{_ONE})){{0,9}}"
_FIGURE = r"\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,2})?"
_NUMBER = (
    rf"(?<![-'’\w])(?:(?P<words>{_WORDS})(?: ?\((?P<figure>{_FIGURE})\))?"
    rf"|(?P<figure_first>{_FIGURE}) ?\((?P<words_after>{_WORDS})\))"
)
SPELLED_DURATION = regex(
    rf"{_NUMBER}[ -](?:(?:full|consecutive|calendar)[ -])?"
    r"(?P<unit>(?:(?:business|working)[ -])?days?|minutes?|hours?|weeks?|months?|quarters?|years?)"
    "(?![A-Za-z])",
    re.IGNORECASE,
)
SPELLED_AMOUNT = regex(
    rf"{_NUMBER} (?:US )?(?P<unit>dollars?|euros?|pounds?(?: sterling)?|yuan)(?![A-Za-z])"
    rf"(?: ?\((?:US\$|[$€£¥]|(?:USD|EUR|GBP|CNY|RMB) ?)?(?P<figure_after>{_FIGURE})\))?",
    re.IGNORECASE,
)
SPELLED_PERCENT = regex(
    rf"{_NUMBER} (?P<unit>per ?cent)(?![A-Za-z])(?: ?\((?P<figure_after>{_FIGURE}) ?%\))?", re.IGNORECASE
)
# Without figures beside them, words before a noun count nothing that could be compared: "two sides".
SPELLED_COUNT = regex(
    rf"(?<![-'’\w])(?P<words>{_WORDS}) \((?P<figure>{_FIGURE})\) (?P<unit>[a-z]{{2,18}}s)(?![A-Za-z])",
    re.IGNORECASE,
)
_CURRENCIES = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "yuan": "CNY"}

_HAN_DIGITS = {
    character: value
    for value, characters in enumerate(
        ("零〇", "一壹", "二两贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
    )
    for character in characters
}
_HAN_SCALES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_HAN_GROUPS = {"万": 10**4, "亿": 10**8}
_HAN = rf"[{''.join(_HAN_DIGITS)}{''.join(_HAN_SCALES)}万亿]"
_HAN_NUMBER = rf"(?<![几数上第\d.·])(?<!\d )(?<!{_HAN})[{''.join(_HAN_DIGITS)}十拾]{_HAN}{{0,11}}"
_OPEN, _CLOSE = "[（(]", "[)）]"
HAN_DURATION = regex(
    rf"(?P<words>{_HAN_NUMBER})(?: ?{_OPEN}(?P<figure>{_FIGURE}){_CLOSE} ?"
    rf"|(?<=[百佰千仟]{_HAN}{_HAN})|(?<=[百佰])"
    r"|(?<=[四五六七八九]十)(?=日)|(?=个?(?:自然日|日历日)))"
    "个?(?P<unit>分钟|小时|工作日|自然日|日历日|天|日|周|星期|月|年)"
)
HAN_AMOUNT = regex(
    rf"(?:人民币)?(?P<words>{_HAN_NUMBER}) ?(?P<unit>[元圆])(?![素件组数店])整?"
    rf"(?: ?{_OPEN}(?:人民币|RMB ?|CNY ?|[¥￥])?(?P<figure>{_FIGURE}) ?元?整?{_CLOSE})?"
)
# What calls for the two above.
HAN_SPELLED = regex(rf"{_HAN}(?:[元圆]|{_OPEN}\d|[百佰]|[天日个月年自])")
_HAN_UNITS = {
    "分钟": "minute", "小时": "hour", "工作日": "business day", "自然日": "day", "日历日": "day", "天": "day",
    "日": "day", "周": "week", "星期": "week", "月": "month", "年": "year",
}  # fmt: skip


def normal_spelled_duration(match: re.Match[str]) -> str | None:
    """The number in figures and the unit in full."""
    unit = match["unit"].lower().replace("-", " ").removesuffix("s").replace("working", "business")
    number = _number(match)
    return number and f"{number} {_HAN_UNITS.get(unit, unit)}{'' if number == '1' else 's'}"


def normal_spelled_amount(match: re.Match[str]) -> str | None:
    """Currency code, space, number."""
    unit = match["unit"].lower().split()[0].removesuffix("s")
    number = _number(match)
    return number and f"{_CURRENCIES.get(unit, 'CNY')} {number}"


def normal_spelled_percent(match: re.Match[str]) -> str | None:
    """The number in figures and a percent sign."""
    number = _number(match)
    return number and f"{number}%"


def normal_spelled_count(match: re.Match[str]) -> str | None:
    """The number in figures and what is counted."""
    number = _number(match)
    return number and f"{number} {match['unit'].lower()}"


def _number(match: re.Match[str]) -> str | None:
    """The number in figures; None where the words are none, or the figures say another."""
    parts = match.groupdict()
    words = (parts.get("words") or parts.get("words_after") or "").lower()
    value = _value(words) if words.isascii() else han_value(words)
    figures = [parts[name] for name in ("figure", "figure_first", "figure_after") if parts.get(name)]
    agree = all(Decimal(figure.replace(",", "")) == value for figure in figures)
    return str(value) if value is not None and agree else None


def _value(words: str) -> int | None:
    """Two thousand five hundred is 2500; "one two" is no number."""
    total = part = 0
    last = 0
    for word in re.split(r"[ -]+", words.replace(" and ", " ")):
        if scale := _SCALES.get(word):
            total, part, last = total + (part or 1) * scale, 0, 0
        elif word == "hundred":
            part, last = (part or 1) * 100, 0
        elif last and not (last >= 20 and _VALUES[word] < 10):
            return None
        else:
            last = _VALUES[word]
            part += last
    return total + part


def han_value(words: str) -> int | None:
    """三十 is 30, 伍仟 is 5000, 一万二千 is 12000, 三百五 is 350, 三百零五 is 305; 三五 is no number."""
    total = part = digit = 0
    was_digit = False
    for sign in words:
        if sign in _HAN_DIGITS:
            if was_digit and digit:
                return None
            digit, was_digit = _HAN_DIGITS[sign], True
            continue
        if scale := _HAN_SCALES.get(sign):
            part += (digit if was_digit else 1) * scale
        elif sign == "万":
            total, part = total + (part + digit) * _HAN_GROUPS[sign], 0
        else:
            total, part = (total + part + digit) * _HAN_GROUPS[sign], 0
        digit, was_digit = 0, False
    return total + part + digit * _left_out(words)


def _left_out(words: str) -> int:
    """The scale that the last digit goes without: the tens of 三百五, the thousands of 一万二."""
    before = words[-2:-1]
    return max(_HAN_SCALES.get(before, _HAN_GROUPS.get(before, 10)) // 10, 1)
