"""Entities as one reader names them: resolved from the names that reader can see, and from no others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from muniment.claims.called import Turned
from muniment.claims.naming import Names, called, read_every_name, read_names
from muniment.domain.errors import Refused, Usage
from muniment.domain.names import normal_name
from muniment.domain.record import NameRow
from muniment.domain.regex import regex
from muniment.index.fields import PERSON

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "Ambiguous",
    "Entity",
    "all_entities",
    "entities_called",
    "entities_in",
    "get_entity",
    "longest",
    "resolve",
    "spans",
]

_ID = regex(r"[0-9a-f]{32}")
_KINDS = ("account", "project", "service", "person", "policy", "topic", "incident")

# A question is scanned for names of up to this many words, and as far as this many words go.
_LONGEST_NAME = 8
_LONGEST_SCAN = 400
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af"
_WORD = regex(rf"[{_HAN}]|[^\W{_HAN}]+")
_LONGEST_HAN_NAME = 16


@dataclass(frozen=True, slots=True)
class Parts:
    """Names that are not its own in some sources or items, and others' that are: each with the place."""

    left: tuple[tuple[str, str], ...] = ()
    gained: tuple[tuple[str, str], ...] = ()

    def bound(self, names: Sequence[str]) -> dict[str, object]:
        """What a query for the entity's items is asked with."""
        return {
            "names": sorted({*names, *(name for name, _ in self.gained)}),
            "own": list(names),
            "left_names": [name for name, _ in self.left],
            "left_places": [place for _, place in self.left],
            "gained_names": [name for name, _ in self.gained],
            "gained_places": [place for _, place in self.gained],
        }


WHOLE: Final = Parts()


@dataclass(frozen=True, slots=True)
class Entity:
    """What a name means to this reader. The first of its names means it and nothing else."""

    id: str
    kind: str
    title: str
    names: tuple[str, ...]
    parts: Parts = WHOLE


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A name that several declared entities share; `candidates` are their titles."""

    name: str
    candidates: tuple[str, ...]

    @property
    def which(self) -> str:
        """What to ask back."""
        return f"Which {self.name}: {' or '.join(self.candidates)}?"


def resolve(reader: Reader, name: str) -> Entity | Ambiguous | None:
    """What a name, an alias or an entity's id means; None where nothing visible is called so."""
    plain = normal_name(name)
    if _ID.fullmatch(plain):
        return _by_id(reader, UUID(plain))
    return _resolved(read_names(reader, [plain]), plain)


def entities_called(reader: Reader, names: Collection[str]) -> dict[str, Entity]:
    """What each of many normal names means, without those that mean nothing or more than one thing."""
    if not names:
        return {}
    known = read_names(reader, names)
    found = ((name, _resolved(known, name)) for name in names)
    return {name: one for name, one in found if isinstance(one, Entity)}


def get_entity(reader: Reader, name: str) -> Entity:
    """The same, where one entity is needed. Missing and forbidden are refused alike."""
    match resolve(reader, name):
        case Entity() as entity:
            return entity
        case Ambiguous(candidates=titles):
            raise Usage(f"{name!r} means more than one: {' or '.join(titles)}; say which")
        case None:
            raise Refused(f"no page named {name!r} for this reader")


def _by_id(reader: Reader, entity: UUID) -> Entity | None:
    rows = reader.rows(NameRow, "claims", "names_of_entities", entities=[entity])
    if not rows:
        return _by_key(read_every_name(reader), entity.hex)
    names = read_names(reader, {row.name for row in rows})
    for row in sorted(rows, key=_preference):
        match _resolved(names, row.name):
            case Entity() as found if _means(names, row, found):
                return found
            case _:
                continue
    return None


def _by_key(names: Names, key: str) -> Entity | None:
    """What no item names by itself: somebody a directory tells of, or a thing of the alias file's."""
    own = names.meaning({key})
    found = _resolved(names, own[0]) if own else None
    return found if isinstance(found, Entity) else None


def _means(names: Names, row: NameRow, found: Entity) -> bool:
    """Whether the name leads to the entity the row is about, rather than to one declared under that name."""
    return row.entity.hex == found.id or names.key(row.name) == names.key(row.title)


def _resolved(names: Names, name: str) -> Entity | Ambiguous | None:
    meant = names.meant(name)
    if len(meant) > 1:
        return Ambiguous(name, tuple(sorted(_told_apart(names, meant))))
    if meant:
        ((key, row),) = meant.items()
        return _entity(names, key, key, row)
    rows = names.rows.get(name, ())
    if not rows:
        return None
    own, key = min(rows, key=_preference), names.key(name)
    if key != name and len(names.meant(key)) > 1:
        # Titled what several others are declared as, it means no one of them.
        return _resolved(names, key)
    return _entity(names, key, own.entity.hex, own)


def _told_apart(names: Names, meant: Mapping[str, NameRow]) -> set[str]:
    """Their titles, each with a name that is its own where several have one title."""
    count = Counter(row.title for row in meant.values())
    return {
        row.title if count[row.title] == 1 else f"{row.title} ({next(iter(names.meaning({key})), key)})"
        for key, row in meant.items()
    }


def _entity(names: Names, key: str, id_: str, row: NameRow) -> Entity:
    """`key` is what claims know it by; the title comes first among the names where it means nothing else."""
    title = normal_name(row.title)
    own = names.meaning({key})
    unshared = next(iter(own), id_) if row.kind == PERSON else id_
    first = title if names.key(title) == key else unshared if key == id_ else key
    others = [name for name in own if name != first]
    return Entity(id_, row.kind, row.title, (first, *others), _parts(names, key, own))


def _parts(names: Names, key: str, own: Sequence[str]) -> Parts:
    """What was split off it, and what was split off others to be it."""
    left = {pair for one in names.turned if one.key != key for pair in _pairs(one) if pair[0] in set(own)}
    gained = {pair for one in names.turned if one.key == key for pair in _pairs(one)}
    return Parts(tuple(sorted(left)), tuple(sorted(gained)))


def _pairs(one: Turned) -> Iterator[tuple[str, str]]:
    return ((name, place) for name in one.names for place in one.places)


def _preference(row: NameRow) -> tuple[int, str, str, str]:
    place = _KINDS.index(row.kind) if row.kind in _KINDS else len(_KINDS)
    return (place, row.kind, row.entity.hex, row.title)


def all_entities(reader: Reader) -> list[Entity]:
    """Every entity the reader can see a name of, by title."""
    names = read_every_name(reader)
    found: dict[str, Entity] = {}
    for name in sorted(names.rows):
        match _resolved(names, name):
            case Entity() as entity:
                found.setdefault(entity.names[0], entity)
            case _:
                continue
    return sorted(found.values(), key=lambda one: (one.title.casefold(), one.title, one.kind, one.names[0]))


def entities_in(reader: Reader, text: str) -> list[Entity | Ambiguous]:
    """What a text names, in the order it is named; of names that overlap, the longest counts."""
    found_spans = list(spans(normal_name(text)))
    if not found_spans:
        return []
    asked = sorted({name for _, _, name in found_spans})
    names = read_names(reader, {row.name for row in called(reader, asked)})
    chosen = longest(span for span in found_spans if span[2] in names.rows)
    found: dict[str, Entity | Ambiguous] = {}
    for _, _, name in chosen:
        meant = _resolved(names, name)
        if meant is not None:
            found.setdefault(meant.names[0] if isinstance(meant, Entity) else meant.name, meant)
    return list(found.values())


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Every run of words that could be a name: start, end and the name."""
    words = [match.span() for match in _WORD.finditer(text)][:_LONGEST_SCAN]
    for at, (start, _) in enumerate(words):
        if _is_inside(text, start):
            continue
        limit = _LONGEST_HAN_NAME if _is_han(text[start]) else _LONGEST_NAME
        for _, end in words[at : at + limit]:
            if end - start >= 2 and not _is_inside(text, end):
                yield start, end, text[start:end]


def _is_han(char: str) -> bool:
    return _WORD.fullmatch(char) is not None and re.match(rf"[{_HAN}]", char) is not None


def _is_inside(text: str, at: int) -> bool:
    """Whether a cut here parts an identifier: the INC of INC-31 is no name, the Acme of Acme-Vertrag is."""
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if len(before) == 2 and before[1] in "-./#":
        return before[0].isalnum() and after[:1].isdigit()
    return len(after) == 2 and after[0] in "-./" and after[1].isdigit() and before[-1:].isalnum()


def longest(found: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Of spans that overlap, the longest, in the order they stand."""
    chosen: list[tuple[int, int, str]] = []
    for span in sorted(found, key=lambda span: (span[0] - span[1], span[0])):
        if all(span[1] <= start or end <= span[0] for start, end, _ in chosen):
            chosen.append(span)
    return sorted(chosen)
