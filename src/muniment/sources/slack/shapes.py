"""Reading Slack's JSON, which is anybody's word: what is not of the expected shape reads as absent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from muniment.domain.regex import regex

__all__ = [
    "EPOCH",
    "Shape",
    "flag",
    "instant_of",
    "is_ts",
    "later",
    "number",
    "objects",
    "order",
    "part",
    "shape",
    "text",
    "texts",
    "ts_of",
]

Shape = Mapping[str, object]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TS = regex(r"\d{1,11}\.\d{1,6}\Z", re.ASCII)


def shape(value: object) -> Shape:
    """An object as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def part(of: Shape, name: str) -> Shape:
    """An object within an object."""
    return shape(of.get(name))


def objects(of: Shape, name: str) -> list[Shape]:
    """The objects in a list within an object."""
    value = of.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(of: Shape, name: str) -> str:
    """A text within an object, or an empty one."""
    value = of.get(name)
    return value if isinstance(value, str) else ""


def texts(of: Shape, name: str) -> list[str]:
    """The texts in a list within an object."""
    value = of.get(name)
    return [one for one in value if isinstance(one, str) and one] if isinstance(value, list) else []


def flag(of: Shape, name: str) -> bool:
    """Whether an object says so; anything but true is no."""
    return of.get(name) is True


def number(of: Shape, name: str) -> int | None:
    """A whole number of seconds within an object; Slack writes some of them as fractions."""
    value = of.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 100_000_000_000:
        return None
    return int(value)


def is_ts(value: object) -> bool:
    """Whether it is one of Slack's time stamps, which are ids: six decimals, never a float."""
    return isinstance(value, str) and _TS.match(value) is not None and order(value) > 0


def order(ts: str) -> Decimal:
    """The place of a time stamp in time; exact."""
    return Decimal(ts)


def later(one: str, other: str) -> str:
    """The later of two time stamps, where an empty one is the earliest."""
    return max((one, other), key=lambda ts: order(ts or "0"))


def instant_of(ts: str) -> datetime:
    """When a time stamp was given, to the microsecond."""
    return EPOCH + timedelta(microseconds=int(order(ts) * 1_000_000))


def ts_of(at: datetime) -> str:
    """An instant in the form of a time stamp."""
    since = at - EPOCH
    return f"{since.days * 86_400 + since.seconds}.{since.microseconds:06d}"
