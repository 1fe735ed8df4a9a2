"""Reading one field of a JSON event: the value, or a reason that names the field and the value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from muniment.domain.audience import Audience, is_principal, parse_audience
from muniment.domain.events import ItemRef
from muniment.domain.times import parse_day_or_instant, parse_instant

__all__ = [
    "Wrong",
    "audience",
    "clean",
    "day_or_instant",
    "flag",
    "instant",
    "names",
    "principals",
    "references",
    "required_text",
    "text",
]

NAME_LIMIT = 1_024
_SURROGATE = re.compile("[\ud800-\udfff]")


class Wrong(ValueError):
    """One field cannot be read; the message says which, and what was expected."""


def clean(event: Mapping[object, object], notes: list[str]) -> dict[str, object]:
    """The same JSON object with NUL characters removed and lone surrogates replaced, each noted once."""
    return {_clean_text(str(key), notes): _clean(part, notes) for key, part in event.items()}


def _clean(value: object, notes: list[str]) -> object:
    match value:
        case str():
            return _clean_text(value, notes)
        case list():
            return [_clean(part, notes) for part in value]
        case dict():
            return clean(value, notes)
    return value


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


def required_text(event: Mapping[str, object], field: str) -> str:
    """A string that is there, is not blank, and is short enough to be a name."""
    value = text(event, field)
    if value is None or not value.strip():
        raise Wrong(f"{field} is missing")
    if len(value) > NAME_LIMIT:
        raise Wrong(f"{field} is {len(value)} characters long; {NAME_LIMIT} is the limit")
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
    return tuple(value)


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
        return parse_audience(event[field])
    except ValueError as error:
        raise Wrong(str(error)) from None


def flag(event: Mapping[str, object], field: str) -> bool:
    """True or false; absent is false."""
    value = event.get(field, False)
    if not isinstance(value, bool):
        raise Wrong(f"{field} must be true or false, not {value!r:.80}")
    return value
