"""A rule by which an appointment repeats, in words, and its next dates: a few, however long it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from muniment.domain.regex import regex

__all__ = ["in_words", "occurrences"]

_MOST: Final = 20
_HORIZON: Final = timedelta(days=366)
_UNIT: Final = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_DAYS: Final = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_NTH: Final = {"1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last"}
_WEEKS: Final = 4  # of every month; a fifth Monday may be long in coming
_DAY: Final = regex(r"((?:[+-]?\d{1,2})?)(MO|TU|WE|TH|FR|SA|SU)\Z")


def _parts(rule: str) -> Mapping[str, str]:
    pairs = (part.partition("=") for part in rule.upper().split(";"))
    return {name: value for name, _, value in pairs if value}


def in_words(rule: str) -> str:
    """The rule as a person says it; as it stands where there is more to it than we have words for."""
    parts = _parts(rule)
    unit, every = _UNIT.get(parts.get("FREQ", "")), parts.get("INTERVAL", "1")
    if unit is None or parts.keys() - {"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "COUNT", "UNTIL", "WKST"}:
        return rule
    said = [f"every {unit}" if every == "1" else f"every {every} {unit}s"]
    if days := [_day(day) for day in parts.get("BYDAY", "").split(",") if day]:
        said.append(f"on {', '.join(days)}")
    if month_days := parts.get("BYMONTHDAY"):
        said.append(f"on day {month_days}")
    if until := parts.get("UNTIL"):
        said.append(f"until {until[:4]}-{until[4:6]}-{until[6:8]}")
    if count := parts.get("COUNT"):
        said.append(f"{count} times")
    return " ".join(said)


def _day(said: str) -> str:
    match = _DAY.match(said)
    if match is None:
        return said
    which = match[1].lstrip("+")
    return f"{_NTH.get(which, which)} {_DAYS[match[2]]}".strip()


def occurrences(rule: str, start: str) -> list[str]:
    """The first dates, by the clock on the wall, within a year; none for a rule of hours or less.

    Only rules of days in a week, or none, are followed: others may name days that never come, which the
    library looks for until the year 9999.
    """
    from dateutil.rrule import rrulestr  # noqa: PLC0415  # comes with the library, and heavy

    parts = _parts(rule)
    begin = datetime.fromisoformat(start)
    if not _is_followed(parts):
        return []
    kept = ";".join(f"{name}={value}" for name, value in parts.items() if name not in ("COUNT", "UNTIL"))
    try:
        end = min(begin + _HORIZON, _until(parts.get("UNTIL"), begin + _HORIZON))
        dates = rrulestr(f"{kept};UNTIL={end:%Y%m%dT%H%M%S}", dtstart=begin)
        many = min(int(parts["COUNT"]), _MOST) if parts.get("COUNT", "").isdecimal() else _MOST
        shown = "%Y-%m-%d" if len(start) == len("2026-03-25") else "%Y-%m-%d %H:%M"
        return [f"{one:{shown}}" for one in islice(dates, many)]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, ZeroDivisionError):
        return []


def _is_followed(parts: Mapping[str, str]) -> bool:
    days = (_DAY.match(day) for day in parts.get("BYDAY", "MO").split(","))
    are_real = all(day is not None and abs(int(day[1] or 0)) <= _WEEKS for day in days)
    is_simple = not parts.keys() - {"FREQ", "INTERVAL", "BYDAY", "COUNT", "UNTIL", "WKST"}
    return is_simple and are_real and parts.get("FREQ") in _UNIT and _is_number(parts.get("INTERVAL", "1"))


def _is_number(said: str) -> bool:
    return said.isdecimal() and said.isascii() and int(said[:4]) > 0 and len(said) < 4


def _until(said: str | None, otherwise: datetime) -> datetime:
    """The end that a rule names, by its day alone, for zones move it less than that."""
    if not said:
        return otherwise
    return datetime.strptime(said[:8], "%Y%m%d").replace(hour=23, minute=59)  # noqa: DTZ007  # on the wall
