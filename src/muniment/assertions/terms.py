"""Typed terms: what a sentence says that can be compared with what another says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from muniment.assertions import dates, numerals, spelled, words
from muniment.assertions.roles import Mention, role_of
from muniment.domain.assertions import Term
from muniment.domain.regex import regex

__all__ = ["Mention", "find_terms"]

Normal = Callable[[re.Match[str]], str | None]


@dataclass(frozen=True, slots=True)
class Scan:
    """One kind of term, how it is written, and its normal form."""

    kind: str
    pattern: re.Pattern[str]
    normal: Normal


_URL = Scan("url", words.URL, words.normal_link)
_EMAIL = Scan("email", words.EMAIL, words.normal_link)
_SPELLED = Scan("duration", numerals.DURATION, numerals.normal_duration)
# Before the numeric ones: the figures of "five hundred dollars ($500)" are no amount of their own.
_IN_WORDS = (
    Scan("amount", spelled.SPELLED_AMOUNT, spelled.normal_spelled_amount),
    Scan("percent", spelled.SPELLED_PERCENT, spelled.normal_spelled_percent),
    Scan("duration", spelled.SPELLED_DURATION, spelled.normal_spelled_duration),
    Scan("count", spelled.SPELLED_COUNT, spelled.normal_spelled_count),
)
_IN_HAN = (
    Scan("amount", spelled.HAN_AMOUNT, spelled.normal_spelled_amount),
    Scan("duration", spelled.HAN_DURATION, spelled.normal_spelled_duration),
)
_MONTH = Scan("date", dates.MONTHS, dates.normal_month)
_STATE = Scan("state", words.STATE, words.normal_state)
_OWNER = Scan("owner", words.OWNER, words.normal_owner)
_RELATIVE = Scan("date", dates.RELATIVE, dates.normal_relative)
_UNREAD = Scan("undated", dates.UNREAD, dates.why_unread)
# Tried where a digit is near, earlier first: the 3 of "3 March" is no count, the 443 of INC-443 no number.
_NUMERIC = (
    _UNREAD,
    Scan("date", dates.DATES, dates.normal_date),
    Scan("time", dates.TIMES, dates.normal_time),
    Scan("amount", numerals.AMOUNT, numerals.normal_amount),
    Scan("percent", numerals.PERCENT, numerals.normal_percent),
    Scan("duration", numerals.DURATION, numerals.normal_duration),
    Scan("identifier", numerals.IDENTIFIER, numerals.normal_identifier),
    Scan("count", numerals.COUNT, numerals.normal_count),
    Scan("number", numerals.BARE, numerals.normal_bare),
)
_BEGIN_WITH_A_WORD = frozenset({"date", "undated", "amount", "identifier"})
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_WORD = regex(r"[a-z]+")
_RUN = regex(r"(?<![0-9.,])-?[0-9]")
_TOKEN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$€£¥￥.&#-")
_MAX_TOKEN = 32
_MAX_PLACES = 90  # a sentence of forty numbers is data; a row of twelve dates has 72 places
_HAN_PREFIXES = ("人民币", "上午", "早上", "下午", "晚上", "中午")
_HAN_NUMBER = regex(
    "(?:百分之)?[一二两三四五六七八九十半](?=[一二两三四五六七八九十]{0,2}(?:个?[天周月年]|小时|分钟|秒"
    "|工作日|星期|季度|个|$|[，。]))|百分之"
)
_HAN_YEAR = regex("[〇零○一二三四五六七八九]{4}年")
_HAN_RELATIVE = regex(
    "[下本这上][个周月星季礼]|[今明后前昨]天|[今明]晚|[今明后去前]年|[年月]底|季度末|周[末一二三四五六日天]|星期|礼拜"
    "|月[底末初起开]|年[底初]"
)
_HAN_STATE = regex("已|状态")


def find_terms(text: str) -> tuple[Mention, ...]:
    """Terms in the order they are written; no two share a character, but for the role a date plays."""
    found: list[Mention] = []
    taken = bytearray(len(text))
    for scan, matches in _matches(text):
        found.extend(_claim(taken, text, scan, matches))
    found.extend(role for mention in tuple(found) if (role := role_of(text, mention)))
    return tuple(sorted(found, key=lambda mention: (mention.start, mention.term.kind)))


def _claim(taken: bytearray, text: str, scan: Scan, matches: Iterable[re.Match[str]]) -> Iterator[Mention]:
    """The matches whose characters nobody has, which they then have."""
    for match in matches:
        start, end = _core(match)
        if 1 in taken[start:end]:
            continue
        kind, value = scan.kind, scan.normal(match)
        if value is None and scan.pattern is dates.DATES:
            kind, value = "undated", dates.why_unread(match)
        if value is not None:
            taken[start:end] = b"\1" * (end - start)
            yield Mention(start, end, Term(kind, text[start:end], value))


def _matches(text: str) -> Iterator[tuple[Scan, Iterable[re.Match[str]]]]:
    if "://" in text:
        yield _URL, words.URL.finditer(text)
    if "@" in text:
        yield _EMAIL, words.EMAIL.finditer(text)
    own = frozenset(_WORD.findall(text.lower()))
    for scan in _spelled(text, own):
        yield scan, scan.pattern.finditer(text)
    places = _places(text)
    if 0 < len(places) <= _MAX_PLACES:
        bare = [place for place in places if text[place] not in _LETTERS]
        for scan in _NUMERIC:
            here = places if scan.kind in _BEGIN_WITH_A_WORD else bare
            if matches := [match for place in here if (match := scan.pattern.match(text, place))]:
                yield scan, matches
    for scan in _worded(text, own):
        yield scan, scan.pattern.finditer(text)


def _places(text: str) -> tuple[int, ...]:
    """Where a term with a digit may begin: at the digits, at the token they stand in, at the word before."""
    places: set[int] = set()
    for run in _RUN.finditer(text):
        places.add(run.start())
        places.add(run.end() - 1)
        token = _token(text, run.start())
        places.add(token)
        if token and text[token - 1] == " ":
            places.add(_token(text, token - 1))
    if not text.isascii():
        places.update(match.start() for match in _HAN_YEAR.finditer(text))
        places.update(match.start() for match in _HAN_NUMBER.finditer(text))
        places.update(
            place - len(prefix)
            for place in tuple(places)
            for prefix in _HAN_PREFIXES
            if text.endswith(prefix, 0, place)
        )
    return tuple(sorted(places))


def _token(text: str, end: int) -> int:
    """Where the token that ends here begins."""
    start = end
    while start > max(0, end - _MAX_TOKEN) and text[start - 1] in _TOKEN:
        start -= 1
    return start


def _spelled(text: str, own: frozenset[str]) -> Iterator[Scan]:
    """The scans for numbers in words, where there are such words."""
    if not own.isdisjoint(spelled.NUMBER_WORDS):
        yield from _IN_WORDS
    if not text.isascii() and spelled.HAN_SPELLED.search(text):
        yield from _IN_HAN


def _worded(text: str, own: frozenset[str]) -> Iterator[Scan]:
    """The scans some word of the text calls for."""
    han = not text.isascii()
    if not own.isdisjoint(numerals.SPELLED_WORDS):
        yield _SPELLED
    if not own.isdisjoint(dates.MONTH_WORDS):
        yield _MONTH
    if not own.isdisjoint(words.STATE_WORDS) or (han and _HAN_STATE.search(text)):
        yield _STATE
    if not own.isdisjoint(words.OWNER_WORDS) or "@" in text or (han and words.HAN_OWNER.search(text)):
        yield _OWNER
    if not own.isdisjoint(dates.RELATIVE_WORDS) or (han and _HAN_RELATIVE.search(text)):
        yield _RELATIVE


def _core(match: re.Match[str]) -> tuple[int, int]:
    """The characters of the term itself: an owner's name without the words that make it an owner."""
    if match.re.pattern != words.OWNER.pattern:
        return match.span()
    name = next(name for name, text in match.groupdict().items() if text)
    return match.span(name)
