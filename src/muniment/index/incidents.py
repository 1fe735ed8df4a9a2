"""What an item that tells of an incident is called by: its number, its title, an alert's signal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.domain.events import Body
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import is_usable, normal_name
from muniment.domain.regex import regex
from muniment.index.naming import Name

__all__ = ["incident_names"]

_KIND = "incident"
_NUMBER = regex(r"(?:inc|incident|sev|pm|postmortem)[-_ ]?\d{1,9}", re.IGNORECASE)
_BY_NUMBER = frozenset({"issue", "note", "meeting", "observation", "alert"})
_SIGNAL = "alertname"


def incident_names(key: bytes, body: Body, id_: str) -> Iterator[Name]:
    """A finished incident by its id, other items where their id is an incident's number; alerts by signal.

    A title without the number is told with it: two incidents may be titled alike.
    """
    number = id_.rsplit("/", 1)[-1]
    if body.kind == "episode" or (body.kind in _BY_NUMBER and _NUMBER.fullmatch(number)):
        title = _titled(number, body.title)
        yield from _named(key, title, ((number, "id"), (title, "title")))
    signal = body.labels.get(_SIGNAL)
    if body.kind == "alert" and isinstance(signal, str):
        yield from _named(key, signal.strip(), ((signal, "signal"),))


def _titled(number: str, title: str | None) -> str:
    words = " ".join((title or "").split())
    if normal_name(number) in normal_name(words):
        return words
    return f"{number}: {words}" if words else number


def _named(key: bytes, title: str, names: tuple[tuple[str, str], ...]) -> Iterator[Name]:
    entity = keyed_uuid(key, "entity", _KIND, normal_name(title))
    for raw, role in names:
        if is_usable(name := normal_name(raw)):
            yield Name(name, entity, _KIND, title, role)
