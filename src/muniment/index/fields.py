"""Whom and what an item's own fields name: its subjects, its people, the places it stands in. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final
from uuid import UUID

from muniment.domain.audience import is_principal
from muniment.domain.events import Body
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import is_usable, normal_name
from muniment.domain.regex import regex
from muniment.domain.remembered import forgettable

__all__ = ["PERSON", "author_of", "called_as", "participants_of", "person_uuid", "places_of", "subjects_of"]

PERSON: Final = "person"
MOST_PARTICIPANTS: Final = 50  # of a mail to everybody, the first ones
_ADDRESS: Final = regex(r"[^\s@:<>]+@(?P<domain>[^\s@:<>]+\.[^\s@:<>]+)\Z")
# Labels that say what something is about as plainly as the field of that name does.
_SUBJECTS: Final[Mapping[str, str]] = {
    "account": "account",
    "customer": "account",
    "project": "project",
    "service": "service",
}
_PLACES: Final[Mapping[str, str]] = {"channel": "channel", "repo": "repository", "repository": "repository"}
_LEADING: Final = 2  # words of a channel's name that may name whom it is for: acme-corp-renewal


def subjects_of(body: Body) -> Iterator[tuple[str, str]]:
    """Account, project and service as role and raw name: of the fields, else of labels that say the same."""
    said = {"account": body.account, "project": body.project, "service": body.service}
    for label, role in _SUBJECTS.items():
        said[role] = said[role] or next(_texts(body.labels.get(label)), None)
    return ((role, raw) for role, raw in said.items() if raw)


def author_of(body: Body) -> str | None:
    """By what its author can be known again: the id, else the name it gives them."""
    found = body.author or body.author_name
    return found if found is not None and is_usable(normal_name(found)) else None


def called_as(body: Body) -> Iterator[str]:
    """What its author is called by it, which is not what somebody else is known by."""
    shown = body.author_name
    if body.author is not None and shown and not is_principal(shown) and not _ADDRESS.match(shown.strip()):
        yield shown.strip()


def participants_of(body: Body) -> list[str]:
    """Who takes part besides its author."""
    known = {normal_name(body.author or ""), ""}
    found = {normal_name(one): one for one in body.participants if is_usable(normal_name(one))}
    return [one for name, one in found.items() if name not in known][:MOST_PARTICIPANTS]


@forgettable
@lru_cache(maxsize=4096)
def person_uuid(key: bytes, id_: str) -> UUID:
    """The id of a person by what they are known as."""
    return keyed_uuid(key, "entity", PERSON, normal_name(id_))


def places_of(body: Body) -> dict[tuple[str, str], None]:
    """Where it stands, by role and normal name: channel, repository, container, its people's mail domains."""
    found: dict[tuple[str, str], None] = {}
    for label, role in _PLACES.items():
        for text in _texts(body.labels.get(label)):
            found |= dict.fromkeys((role, name) for name in _names_of_place(role, normal_name(text)))
    if body.container:
        found["container", normal_name(body.container)] = None
    for one in (body.author, body.author_name, *participants_of(body)):
        if one and (match := _ADDRESS.match(normal_name(one))):
            found["domain", match["domain"]] = None
    return {place: None for place in found if is_usable(place[1])}


def _names_of_place(role: str, name: str) -> list[str]:
    """The whole name; of a repository what follows its owner; of a channel the words that it begins with."""
    if role == "repository":
        return [name, name.rpartition("/")[2]]
    parts = name.lstrip("#").split("-")
    leading = ["-".join(parts[:count]) for count in range(1, min(len(parts), _LEADING + 1))]
    return [name.lstrip("#"), *leading, *(one.replace("-", " ") for one in leading[1:])]


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield from (value,) if value.strip() else ()
        case list() | tuple():
            yield from (one for one in value if isinstance(one, str) and one.strip())
