"""Where a passage stands among others, in which talk and after what, and how it reads at a glance. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from muniment.domain.identity import keyed_digest
from muniment.items.fold import Standing

__all__ = ["ASKS", "COUNTS", "DATES", "WHOLE", "Place", "place_of", "traits_of"]

# Bits of what a passage is like at a glance.
ASKS: Final = 1  # it ends as a question, and has room for little else
DATES: Final = 2  # it names a time
COUNTS: Final = 4  # it names a number
WHOLE: Final = 8  # its line is one occasion, however long it rests: a thread or a text, not a whole channel

# What is said turn by turn; everything else is a text of its own unless its source threads it.
_TALK: Final = frozenset(("message", "email"))
_LAST_NUMBER: Final = re.compile(r"(\d{1,9})\D*\Z")
_MARKS: Final = ("?", "？")
_TAIL: Final = 20  # characters: what may follow the mark is short
_QUESTION: Final = 300  # characters: a longer text that ends in a question says something before
_END: Final = re.compile(r"[?？][\s\"'”’)\]）】」』*_]*\Z")
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
_DATES: Final = re.compile(
    rf"\b(?:{_DAYS}"
    r"|(?:in|of|by|last|next|this) (?:march|may)|(?:march|may) \d"
    rf"|(?:last|next|this|past|few|couple of)\s+(?:{_UNITS}|{_TIMES})s?"
    rf"|(?:\d+|a|one|two|three|four|five|six)\s+(?:{_UNITS})s?|(?:19|20)\d\d)\b"
    r"|\b\d{1,2}[:/.-]\d{1,2}\b|[昨今明前后]天|[上下本这]个?(?:周|星期|月|季度)|[去今明前]年|周[一二三四五六日天末]|\d\s*[年月日号点]",
    re.IGNORECASE,
)
_COUNTS: Final = re.compile(
    rf"\d|\b(?:{_NUMBERS})\b|[一二两三四五六七八九十百千万几半][个次年月天名人元块位台件条份种岁]",
    re.IGNORECASE,
)
# Plain English without a digit and these names no time and no number; to look for words is quicker.
_LATIN: Final = re.compile("[a-z]+")
_DIGIT: Final = re.compile("[0-9]")
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


def place_of(key: bytes, item: UUID, standing: Standing, level: str) -> Place:
    """A thread, else the container of what is said there; a document, and what is disclosed, stand alone."""
    ref = standing.ref
    found = _LAST_NUMBER.search(ref.id)
    parts: tuple[str | bytes, ...] = (item.bytes,)
    is_talk = standing.container is not None and standing.body.kind in _TALK
    if level == "exact" and standing.thread:
        parts = (ref.source, standing.container or "", standing.thread)
    elif level == "exact" and is_talk:
        parts = (ref.source, standing.container or "")
    line = int.from_bytes(keyed_digest(key, "line", *parts)[:8], "big", signed=True)
    is_whole = level != "exact" or not is_talk or bool(standing.thread)
    return Place(line, standing.created_at, int(found[1]) if found else 0, is_whole)


def traits_of(text: str, place: Place) -> int:
    """The bits of a text, and of its place."""
    is_short = len(text) <= _QUESTION
    asks = ASKS if is_short and (text.endswith(_MARKS) or _END.search(text[-_TAIL:])) else 0
    return asks | _says(text) | (WHOLE if place.is_whole else 0)


def _says(text: str) -> int:
    """Whether it names a time, and a number."""
    if text.isascii() and not _DIGIT.search(text):
        words = frozenset(_LATIN.findall(text.lower()))
        dates = not words.isdisjoint(_OF_DATES) and _DATES.search(text)
        counts = not words.isdisjoint(_OF_COUNTS) and _COUNTS.search(text)
    else:
        dates, counts = _DATES.search(text), _COUNTS.search(text)
    return (DATES if dates else 0) | (COUNTS if counts else 0)
