"""Where a passage stands among others, in which talk and after what, and how it reads at a glance. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from muniment.domain.events import Body
from muniment.domain.identity import keyed_digest
from muniment.domain.names import normal_name
from muniment.domain.regex import regex
from muniment.items.fold import Standing

__all__ = ["ASKS", "COUNTS", "DATES", "LOOSE", "WHOLE", "Place", "place_of", "traits_of"]

# Bits of what a passage is like at a glance.
ASKS: Final = 1  # it ends as a question, and has room for little else
DATES: Final = 2  # it names a time
COUNTS: Final = 4  # it names a number
WHOLE: Final = 8  # its line is one occasion, however long it rests: a thread or a text, not a whole channel
LOOSE: Final = (
    16  # nobody named its line: what stands beside it there counts for it, and is not what was asked for
)

# What is said turn by turn, as are notes without a title; the rest are texts of their own unless threaded.
_TALK: Final = frozenset(("message", "email"))
_JOTTED: Final = "note"
_ANSWERING: Final = regex(r"\A(?:\s*(?:re|fwd?|aw|wg|回复|答复|转发)\s*[:：])+", re.IGNORECASE)
_LAST_NUMBER: Final = regex(r"(\d{1,9})\D*\Z")
_MARKS: Final = ("?", "？")
_TAIL: Final = 20  # characters: what may follow the mark is short
_QUESTION: Final = 300  # characters: a longer text that ends in a question says something before
_END: Final = regex(r"[?？][\s\"'”’)\]）】」』*_]*\Z")
_DAYS = (
    "yesterday|today|tonight|tomorrow|ago|recently|since"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    "|january|february|april|june|july|august|september|october|november|december"
)
_UNITS = "minute|hour|day|week|month|year|quarter|weekend"
_TIMES = "night|morning|summer|winter|spring|fall|autumn"
_NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand"
    "|dozen|couple|twice|once|several|many|few|half|first|second|third"
)
_DATES: Final = regex(
    rf"\b(?:{_DAYS}"
    r"|(?:in|of|by|last|next|this) (?:march|may)|(?:march|may) \d"
    rf"|(?:last|next|this|past|few|couple of)\s+(?:{_UNITS}|{_TIMES})s?"
    rf"|(?:\d+|a|one|two|three|four|five|six)\s+(?:{_UNITS})s?|(?:19|20)\d\d)\b"
    r"|\b\d{1,2}[:/.-]\d{1,2}\b|[昨今明前后]天|[上下本这]个?(?:周|星期|月|季度)|[去今明前]年|周[一二三四五六日天末]|\d\s*[年月日号点]",
    re.IGNORECASE,
)
_COUNTS: Final = regex(
    rf"\d|\b(?:{_NUMBERS})\b|[一二两三四五六七八九十百千万几半][个次年月天名人元块位台件条份种岁]",
    re.IGNORECASE,
)
# Plain English without a digit and these names no time and no number; to look for words is quicker.
_LATIN: Final = regex("[a-z]+")
_DIGIT: Final = regex("[0-9]")
_OF_DATES: Final = frozenset(
    word + ending for word in f"{_DAYS}|{_UNITS}|{_TIMES}|march|may".split("|") for ending in ("", "s")
)
_OF_COUNTS: Final = frozenset(_NUMBERS.split("|"))


@dataclass(frozen=True, slots=True)
class Place:
    """The talk or text a passage is part of, and its turn there: by time, then by the number in its id."""

    line: int
    at: datetime
    turn: int
    is_whole: bool
    is_loose: bool = False


def place_of(key: bytes, item: UUID, standing: Standing, level: str) -> Place:
    """Which talk it is part of by its own item's fields alone, and where in it."""
    talk = _talk(standing) if level == "exact" else None
    line = int.from_bytes(keyed_digest(key, "line", *(talk or (item.bytes,)))[:8], "big", signed=True)
    found = _LAST_NUMBER.search(standing.ref.id)
    is_whole = talk is None or bool(standing.thread)
    is_loose = not is_whole and standing.container is None
    return Place(line, standing.created_at, int(found[1]) if found else 0, is_whole, is_loose)


def _talk(standing: Standing) -> tuple[str | bytes, ...] | None:
    """A thread; else what is said in one container, or in none to the same readers. None: it stands alone."""
    source, body = standing.ref.source, standing.body
    if standing.thread:
        return source, standing.container or "", standing.thread
    if body.kind not in _TALK and (body.kind != _JOTTED or body.title):
        return None
    if standing.container is not None:
        return source, standing.container
    readers = standing.audience.digest()
    return source, readers, body.kind, _subject(body.title or ""), *_people(body)


def _subject(title: str) -> str:
    """Without what is put before it each time it is answered or passed on."""
    return " ".join(_ANSWERING.sub("", title).casefold().split())


def _people(body: Body) -> list[str]:
    """Those it is between, where it says so; an author alone may be one of many who speak there."""
    others = {normal_name(one) for one in body.participants}
    return sorted(others | {normal_name(body.author or "")}) if others else []


def traits_of(text: str, place: Place) -> int:
    """The bits of a text, and of its place."""
    is_short = len(text) <= _QUESTION
    asks = ASKS if is_short and (text.endswith(_MARKS) or _END.search(text[-_TAIL:])) else 0
    where = (WHOLE if place.is_whole else 0) | (LOOSE if place.is_loose else 0)
    return asks | _says(text) | where


def _says(text: str) -> int:
    """Whether it names a time, and a number."""
    if text.isascii() and not _DIGIT.search(text):
        words = frozenset(_LATIN.findall(text.lower()))
        dates = not words.isdisjoint(_OF_DATES) and _DATES.search(text)
        counts = not words.isdisjoint(_OF_COUNTS) and _COUNTS.search(text)
    else:
        dates, counts = _DATES.search(text), _COUNTS.search(text)
    return (DATES if dates else 0) | (COUNTS if counts else 0)
