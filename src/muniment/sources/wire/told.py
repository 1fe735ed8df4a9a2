"""Reading JSON that somebody else wrote: a field that is absent, null or of another type reads as absent."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from muniment.domain.errors import Malformed
from muniment.domain.times import format_instant, parse_instant

__all__ = [
    "Object", "as_object", "clipped", "instant", "listed", "name", "part", "read", "text", "whole", "written",
]  # fmt: skip

Object = Mapping[str, object]
NAME_BYTES = 300  # of one name; an id of ours is made of at most two, and the front door takes 768
BODY_CHARACTERS = 3_900_000  # the front door takes 4,000,000; what is cut off is said
_DEEPEST = 150  # lists and objects within each other; the front door takes 200, and we put them into ours


def read(raw: bytes) -> object:
    """The JSON in the bytes; Malformed says why there is none."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {str(error)[:200]}") from None
    if _is_deeper(value, _DEEPEST):
        raise Malformed(f"not readable: nested more than {_DEEPEST} deep")
    return value


def _is_deeper(value: object, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return False
    return True


def _parts(value: object) -> Sequence[object]:
    match value:
        case dict():
            return [part for part in value.values() if isinstance(part, dict | list)]
        case list():
            return [part for part in value if isinstance(part, dict | list)]
    return ()


def as_object(value: object) -> Object:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def _at(value: object, path: Sequence[str]) -> object:
    for step in path:
        value = as_object(value).get(step)
    return value


def part(value: object, *path: str) -> Object:
    """The object at the path, empty where there is none."""
    return as_object(_at(value, path))


def text(value: object, *path: str) -> str | None:
    """The text at the path."""
    found = _at(value, path)
    return found if isinstance(found, str) else None


def whole(value: object, *path: str) -> int | None:
    """The whole number at the path; true and false are none."""
    found = _at(value, path)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def name(value: object, *path: str) -> str | None:
    """A short text or a whole number at the path, as text that can be part of an id."""
    found = _at(value, path)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**24:
        return str(found)
    if not isinstance(found, str):
        return None
    plain = " ".join(found.replace("\0", "").encode("utf-8", "replace").decode().split())
    return plain if plain and len(plain.encode()) <= NAME_BYTES else None


def listed(value: object, *path: str) -> Sequence[Object]:
    """The objects in the list at the path; what is no object is passed by."""
    found = _at(value, path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else ()


def instant(value: object, *path: str) -> str | None:
    """The time at the path, in UTC, as RFC 3339; None for what is no time with a zone, or is no time yet."""
    found = _at(value, path)
    try:
        read_at = _instant(found)
    except (ValueError, OverflowError, OSError):
        return None
    # The year 1 is how Go programs write that there is no time.
    return None if read_at is None or read_at.year <= 1 else format_instant(read_at)


def _instant(found: object) -> datetime | None:
    if isinstance(found, str):
        return parse_instant(_with_colon(found))
    if isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found):
        # Seconds or milliseconds since 1970; ten digits of seconds last until the year 2286.
        return datetime.fromtimestamp(found / 1000 if abs(found) >= 1e11 else found, UTC)
    return None


def _with_colon(said: str) -> str:
    """Zones such as +0200, as Jira writes them, in the form RFC 3339 has."""
    if len(said) > 5 and said[-5] in "+-" and said[-4:].isdecimal() and "T" in said[:11]:
        return f"{said[:-2]}:{said[-2:]}"
    return said


def clipped(body: str) -> tuple[str, bool]:
    """The text, as much of it as an item may hold, and whether anything was cut off."""
    return body[:BODY_CHARACTERS], len(body) > BODY_CHARACTERS


def written(value: object) -> str:
    """The value as JSON again, whole, for who looks into what could not be read."""
    return json.dumps(value, ensure_ascii=True, default=str)
