"""Dates a document's header gives. Only those that can be read one way are read."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from muniment.domain.regex import regex
from muniment.domain.times import parse_day_or_instant

__all__ = ["find_instant"]

_MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)
}
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_WRITTEN = (
    regex(rf"(?P<day>\d{{1,2}})[-\s]{_MONTH}[-\s,]\s?(?P<year>\d{{4}})\Z", re.IGNORECASE),
    regex(rf"{_MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<year>\d{{4}})\Z", re.IGNORECASE),
    regex(r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})\Z"),
    regex(r"(?P<year>\d{4})\s?年\s?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日\Z"),
)


def find_instant(value: object) -> datetime | None:
    """The instant a field names: RFC 3339, or a day, from midnight UTC. None where it names none."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    try:
        return parse_day_or_instant(text)
    except ValueError:
        return _written(text)


def _written(text: str) -> datetime | None:
    for pattern in _WRITTEN:
        match = pattern.match(text)
        if match is not None:
            month = match["month"].lower()
            return _day(int(match["year"]), _MONTHS.get(month) or int(month), int(match["day"]))
    return None


def _day(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
