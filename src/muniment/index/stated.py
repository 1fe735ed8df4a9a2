"""What an item states of others: ties to items, names of entities, and when the record held each. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from muniment.domain.events import Body, ItemRef
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import is_usable, normal_name
from muniment.domain.regex import regex
from muniment.index.fields import (
    PERSON,
    author_of,
    called_as,
    participants_of,
    person_uuid,
    places_of,
    subjects_of,
)
from muniment.index.incidents import incident_names
from muniment.index.naming import Known, Name
from muniment.items.fold import Standing, Version

__all__ = [
    "Edge",
    "Known",
    "Name",
    "edges_of",
    "headings_given",
    "held",
    "names_and_mentions",
    "stretches",
]

HEADING: Final = "heading"
LONGEST_HEADING: Final = 80  # characters; a longer one is a sentence, and names nothing
MOST_HEADINGS: Final = 200  # of one item
Word = tuple[str, str]
_NUMBERED = regex(r"([a-z]+)[-_ ]0*(\d+)\Z")
_POLICY_TITLE = regex(r"polic|regulation|handbook|规定|制度|政策|办法|细则", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed relation this item states; `inverse` where it says so of itself."""

    kind: str
    target: ItemRef
    inverse: bool = False
    known: Known = ()


def edges_of(standing: Standing) -> tuple[Edge, ...]:
    """Every edge that a version stated, with the stretches in which the record held one that did."""
    known: dict[Edge, list[Version]] = {}
    for version in held(standing):
        for edge in _stated(standing.bodies[version.text_seq], version.merged_into):
            known.setdefault(edge, []).append(version)
    edges = [replace(edge, known=stretches(versions)) for edge, versions in known.items()]
    return (*edges, *_lineage(standing))


def _lineage(standing: Standing) -> list[Edge]:
    """What any of its texts was made from, late ones too: it limits who may read, and is never taken back.

    A deleted item's are known at no time, but still lead to it, and through it to what was made from it.
    """
    targets = [target for body in standing.bodies.values() for target in body.derived_from]
    since = tuple((first.known_from, None) for first in standing.versions[:1])
    return [Edge("derived_from", target, known=since) for target in dict.fromkeys(targets)]


def _stated(body: Body, merged_into: ItemRef | None) -> dict[Edge, None]:
    stated = [Edge("supersedes", target) for target in body.supersedes]
    stated += [Edge("amends", target) for target in body.amends]
    stated += [Edge("supersedes", target, inverse=True) for target in body.superseded_by]
    if merged_into is not None:
        stated.append(Edge("supersedes", merged_into, inverse=True))
    return dict.fromkeys(stated)


def held(standing: Standing) -> list[Version]:
    """The versions that were ever current; what came and went in one instant was not."""
    return [one for one in standing.versions if one.change != "late" and one.known_from != one.known_to]


def stretches(versions: Sequence[Version]) -> Known:
    """When the record held these versions, joined where one follows on another."""
    joined: list[tuple[datetime, datetime | None]] = []
    for version in versions:
        if joined and joined[-1][1] == version.known_from:
            joined[-1] = (joined[-1][0], version.known_to)
        else:
            joined.append((version.known_from, version.known_to))
    return tuple(joined)


def names_and_mentions(key: bytes, standing: Standing) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
    """Every name that the item gives an entity, and every word of its for what it is about, by role.

    Words that name nothing by themselves are among the second.
    """
    versions = held(standing)
    bodies = {version.text_seq: standing.bodies[version.text_seq] for version in versions}
    given = {seq: _given(key, body, standing.ref.id) for seq, body in bodies.items()}
    mentioned = {seq: _mentioned(body, given[seq]) for seq, body in bodies.items()}
    return _ever(versions, given, _as_name), _ever(versions, mentioned, _as_mention)


def _ever(
    versions: Iterable[Version], given: Mapping[int, Sequence[Name]], which: Callable[[Name], Word]
) -> tuple[Name, ...]:
    """Every name that a version gave, one for each `which`, as the last that gave it wrote it."""
    known: dict[Word, list[Version]] = {}
    last: dict[Word, Name] = {}
    for version in versions:
        names = {which(name): name for name in given[version.text_seq]}
        last |= names
        for one in names:
            known.setdefault(one, []).append(version)
    return tuple(name.held(stretches(known[one])) for one, name in last.items())


def _mentioned(body: Body, given: Iterable[Name]) -> list[Name]:
    # An author is mentioned by id alone: others may be called the same.
    own = [name for name in given if name.role != "called"]
    return own + [_mention(role, name) for role, name in places_of(body)]


def headings_given(standing: Standing, headed: Mapping[int, Sequence[str]]) -> tuple[Name, ...]:
    """The headings of each version's text, by its number: what stands under one is about what it names."""
    known: dict[str, list[Version]] = {}
    for version in held(standing):
        for name in dict.fromkeys(map(normal_name, headed.get(version.seq, ()))):
            if is_usable(name) and len(name) <= LONGEST_HEADING:
                known.setdefault(name, []).append(version)
    kept = list(known.items())[:MOST_HEADINGS]
    return tuple(_mention(HEADING, name).held(stretches(versions)) for name, versions in kept)


def _mention(role: str, name: str) -> Name:
    return Name(name, UUID(int=0), role, name, role)


def _as_name(name: Name) -> Word:
    """Which name of an entity it is."""
    return name.name, name.kind


def _as_mention(name: Name) -> Word:
    """Which word of the item it is."""
    return name.name, name.role


def _given(key: bytes, body: Body, id_: str) -> list[Name]:
    names = [_name(key, role, raw) for role, raw in subjects_of(body) if is_usable(normal_name(raw))]
    if body.kind == "document" and body.title and is_usable(normal_name(body.title)):
        names += _title_names(key, body.title, id_)
    return [*names, *incident_names(key, body, id_), *_people(key, body)]


def _name(key: bytes, role: str, raw: str) -> Name:
    name = normal_name(raw)
    return Name(name, keyed_uuid(key, "entity", role, name), role, raw.strip(), role)


def _people(key: bytes, body: Body) -> list[Name]:
    """Whoever wrote it, by id and by the name it gives them, and who else takes part."""
    author, others = author_of(body), participants_of(body)
    found = [_person(key, one, one, "participant") for one in others]
    if author is not None:
        found.append(_person(key, author, author, "author"))
        found += [_person(key, author, shown, "called") for shown in called_as(body)]
    return [one for one in found if is_usable(one.name)]


def _person(key: bytes, id_: str, shown: str, role: str) -> Name:
    return Name(normal_name(shown), person_uuid(key, id_), PERSON, shown.strip(), role)


def _title_names(key: bytes, title: str, id_: str) -> list[Name]:
    """The title, and the document's own id where it is a number such as pep-0204."""
    kind = "policy" if _POLICY_TITLE.search(title) else "topic"
    named = normal_name(title)
    entity = keyed_uuid(key, "entity", "title", named)
    names = [Name(named, entity, kind, title.strip(), "title")]
    stem = normal_name(id_.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    match = _NUMBERED.match(stem)
    if match and (number := f"{match[1]} {match[2]}") != named:
        names.append(Name(number, entity, kind, title.strip(), "id"))
    return names
