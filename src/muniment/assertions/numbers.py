"""Numbers as people write them, and one normal form for each."""

from __future__ import annotations

from decimal import Decimal

from muniment.domain.regex import regex

__all__ = ["EDGE", "HAN_NUMBER", "NUMBER", "RANGE", "normal_number", "normal_range"]

# Every repetition is bounded and every number starts at an edge, so a scan is linear in the text.
NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)"
RANGE = rf"{NUMBER}(?: ?(?:-|–|~|至|到|to) ?{NUMBER})?"
EDGE = r"(?<![A-Za-z0-9_.,/\-–~])"
HAN_NUMBER = "[一二两三四五六七八九十半]{1,3}"

_SPLIT = regex(r" ?(?:-|–|~|至|到|to) ?")
_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip


def normal_number(text: str, scale: int = 1) -> str:
    """A number has one spelling: no separators, no trailing zeros."""
    number = _decimal(text) * scale
    return f"{number.normalize():f}" if number % 1 else str(int(number))


def normal_range(text: str, scale: int = 1) -> str:
    """A range is its two ends joined by two dots; a lone number is itself."""
    return "..".join(normal_number(end, scale) for end in _SPLIT.split(text))


def _decimal(text: str) -> Decimal:
    if text.lower() in _WORDS:
        return Decimal(_WORDS[text.lower()])
    if text[0] in "一二两三四五六七八九十半":
        return _han(text)
    return Decimal(text.replace(",", ""))


def _han(text: str) -> Decimal:
    if text == "半":
        return Decimal("0.5")
    tens, ten, units = text.replace("半", "").rpartition("十")
    high = 10 * _DIGITS.get(tens[-1:], 1) if ten else 0
    return Decimal(high + _DIGITS.get(units[-1:], 0))
