"""Reading one field of a JSON event: the value, or a reason that names the field and the value."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from muniment.domain.audience import Audience, is_principal, parse_audience
from muniment.domain.events import ItemRef
from muniment.domain.record import DISCLOSURE
from muniment.domain.regex import regex
from muniment.domain.times import parse_day_or_instant, parse_instant
from muniment.sources.unseen import visible

__all__ = [
    "Wrong",
    "audience",
    "bounded",
    "clean",
    "day_or_instant",
    "flag",
    "instant",
    "names",
    "principals",
    "references",
    "required_text",
    "seen",
    "source",
    "text",
]

NAME_LIMIT = 768  # bytes: two names, a source and a version must fit into one entry of an index
SHORT_LIMIT = 256  # bytes of a source or a version
NESTED_LIMIT = 200  # lists and objects within each other; Python and PostgreSQL both hold more
_BITS = 13_000  # of a whole number, about 3,900 digits; Python writes 4,300
_SURROGATE = regex("[\ud800-\udfff]")


class Wrong(ValueError):
    """One field cannot be read; the message says which, and what was expected."""


def clean(event: Mapping[object, object], notes: list[str]) -> dict[str, object]:
    """The same JSON object with NUL characters removed and lone surrogates replaced, each noted once.

    Wrong for what JSON cannot say: it could be taken in and never be written down.
    """
    return _clean_object(event, notes, 0)


def _clean_object(value: Mapping[Any, object], notes: list[str], depth: int) -> dict[str, object]:
    return {_clean_text(str(key), notes): _clean(part, notes, depth + 1) for key, part in value.items()}


def _clean(value: object, notes: list[str], depth: int) -> object:
    if depth > NESTED_LIMIT:
        raise Wrong(f"nested more than {NESTED_LIMIT} deep")
    match value:
        case str():
            return _clean_text(value, notes)
        case list() | tuple():
            return [_clean(part, notes, depth + 1) for part in value]
        case dict():
            return _clean_object(value, notes, depth)
        case None | bool():
            return value
        case int() if value.bit_length() <= _BITS:
            return value
        case float() if math.isfinite(value):
            return value
        case int() | float():
            raise Wrong("a number is not finite, or longer than can be kept")
    raise Wrong(f"a value is of type {type(value).__name__}, which JSON has no form for")


def _clean_text(value: str, notes: list[str]) -> str:
    if "\x00" in value:
        value = value.replace("\x00", "")
        _note(notes, "NUL characters were removed")
    # Text that encodes has no lone surrogate; the search is for the rest.
    if not value.isascii() and _SURROGATE.search(value):
        value = _SURROGATE.sub("\ufffd", value)
        _note(notes, "lone surrogates were replaced")
    return value


def _note(notes: list[str], note: str) -> None:
    if note not in notes:
        notes.append(note)


def text(event: Mapping[str, object], field: str) -> str | None:
    """A string, or None where the field is absent or null."""
    value = event.get(field)
    if value is None or isinstance(value, str):
        return value
    raise Wrong(f"{field} must be text, not {value!r:.80}")


def seen(event: Mapping[str, object], field: str) -> str | None:
    """The same without the characters in it that only a program reads."""
    value = text(event, field)
    return None if value is None else visible(value, None)


def required_text(event: Mapping[str, object], field: str) -> str:
    """A string that is there, is not blank, and is short enough to be a name."""
    value = text(event, field)
    if value is None or not value.strip():
        raise Wrong(f"{field} is missing")
    return _short(field, value, NAME_LIMIT)


def bounded(event: Mapping[str, object], field: str, limit: int = NAME_LIMIT) -> str | None:
    """A string that is short enough to be a name, or None where the field is absent or null."""
    value = text(event, field)
    return None if value is None else _short(field, value, limit)


def _short(what: str, value: str, limit: int) -> str:
    size = len(value.encode())
    if size > limit:
        raise Wrong(f"{what} is {size} bytes long; {limit} is the limit")
    return value


def source(event: Mapping[str, object]) -> str:
    """The source's name: short, and without the colon that separates it from an id."""
    value = _short("source", required_text(event, "source"), SHORT_LIMIT)
    if ":" in value:
        raise Wrong(f"source {value!r} holds a colon, which separates a source from an id")
    if value == DISCLOSURE:
        raise Wrong(f"source {value!r} is the record's own: it holds what policies disclose")
    return value


def instant(event: Mapping[str, object], field: str) -> datetime | None:
    """An RFC 3339 instant with its zone, or None."""
    value = event.get(field)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Wrong(f"{field} must be an RFC 3339 time with a zone, not {value!r:.80}")
    try:
        return parse_instant(value)
    except ValueError as error:
        raise Wrong(f"{field}: {error}") from None


def day_or_instant(event: Mapping[str, object], field: str) -> datetime | None:
    """When something begins or ends to hold: an instant, or a bare day as its first moment in UTC."""
    value = event.get(field)
    if isinstance(value, str) and len(value) == len("2026-06-03"):
        try:
            return parse_day_or_instant(value)
        except ValueError as error:
            raise Wrong(f"{field}: {error}") from None
    return instant(event, field)


def names(event: Mapping[str, object], field: str) -> tuple[str, ...] | None:
    """A list of strings, or None where the field is absent."""
    value = event.get(field)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise Wrong(f"{field} must be a list of names, not {value!r:.80}")
    return tuple(_short(f"a name in {field}", part, NAME_LIMIT) for part in value)


def principals(event: Mapping[str, object], field: str) -> tuple[str, ...] | None:
    """A list of principals and groups, or None where the field is absent."""
    found = names(event, field)
    for name in found or ():
        if not is_principal(name) and not name.startswith("group:"):
            raise Wrong(f"{field}: {name!r} is neither user:…, service:…, agent:… nor group:…")
    return found


def references(event: Mapping[str, object], field: str, source: str) -> tuple[ItemRef, ...]:
    """Items by id, in the event's own source unless `source:id` names another by a known prefix."""
    return tuple(_reference(name, source) for name in names(event, field) or ())


def _reference(name: str, source: str) -> ItemRef:
    prefix, colon, rest = name.partition(":")
    # An id of the same source may hold a colon itself; only a plain word before it names a source.
    if colon and rest and re.fullmatch(r"[a-z][\w.-]*", prefix) and not rest.startswith("//"):
        return ItemRef(prefix, rest)
    return ItemRef(source, name)


def audience(event: Mapping[str, object], field: str = "audience") -> Audience | None:
    """Clauses, or None where the field is absent; an empty list is refused."""
    if event.get(field) is None:
        return None
    try:
        found = parse_audience(event[field])
    except ValueError as error:
        raise Wrong(str(error)) from None
    for name in frozenset[str]().union(*found.clauses):
        _short(f"a name in {field}", name, NAME_LIMIT)
    return found


def flag(event: Mapping[str, object], field: str) -> bool:
    """True or false; absent is false."""
    value = event.get(field, False)
    if not isinstance(value, bool):
        raise Wrong(f"{field} must be true or false, not {value!r:.80}")
    return value
