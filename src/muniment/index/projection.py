"""Everything derived from one item's events.

A pure function of them, so that a rebuild is the same act as the first build.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.assertions.extract import extract
from muniment.domain.assertions import Assertion, Context, Kind
from muniment.domain.events import Body, ItemRef
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import is_usable, normal_name
from muniment.domain.passages import Passage
from muniment.items.fold import Standing, Version
from muniment.items.passages import cut
from muniment.items.text import structure

__all__ = [
    "Edge",
    "Name",
    "Projection",
    "StoredAssertion",
    "StoredPassage",
    "StoredVersion",
    "item_uuid",
    "project",
]

_NUMBERED = re.compile(r"([a-z]+)[-_ ]0*(\d+)\Z")
_POLICY_TITLE = re.compile(r"polic|regulation|handbook|规定|制度|政策|办法|细则", re.IGNORECASE)
_MEMORY = {
    Kind.PROCEDURE: "procedural",
    Kind.OBSERVATION: "episodic",
    Kind.ATTEMPT: "episodic",
    Kind.ROOT_CAUSE: "episodic",
}


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its id; era 0 where the current version holds it, 1 where only past ones do."""

    passage: UUID
    era: int
    cut: Passage


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version and the passages its text is made of, with the character at which each starts."""

    version: Version
    body: Body
    passages: tuple[UUID, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredAssertion:
    """A statement with its id and the stretch in which the record held it.

    `revision` counts such stretches.
    """

    assertion: UUID
    revision: int
    seq: int
    said: Assertion
    memory_type: str
    passage: UUID
    stated_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    known_from: datetime
    known_to: datetime | None


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed relation this item states; `inverse` where it says so of itself."""

    kind: str
    target: ItemRef
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A name this item gives an entity."""

    name: str
    entity: UUID
    kind: str
    title: str
    role: str


@dataclass(frozen=True, slots=True)
class Projection:
    """One item's derived rows, still without an audience: the writer labels them all alike."""

    item: UUID
    standing: Standing
    versions: tuple[StoredVersion, ...]
    passages: tuple[StoredPassage, ...]
    assertions: tuple[StoredAssertion, ...]
    edges: tuple[Edge, ...]
    names: tuple[Name, ...]


def item_uuid(key: bytes, ref: ItemRef) -> UUID:
    """The item's public id: from its source and the source's id alone."""
    return keyed_uuid(key, "item", ref.source, ref.id)


def project(key: bytes, standing: Standing) -> Projection:
    """All derived rows of the item."""
    item = item_uuid(key, standing.ref)
    texts = {
        seq: _Text.read(key, item, standing.bodies[seq])
        for seq in sorted({version.text_seq for version in standing.versions})
    }
    return Projection(
        item=item,
        standing=standing,
        versions=tuple(_stored_version(version, texts[version.text_seq]) for version in standing.versions),
        passages=_passages(standing, texts),
        assertions=tuple(_assertions(key, item, standing.versions, texts)),
        edges=_edges(standing) if standing.versions else (),
        names=_names(key, standing) if standing.versions else (),
    )


@dataclass(frozen=True, slots=True)
class _Text:
    """One event's words, cut, with the id of each piece and what they state."""

    body: Body
    cuts: tuple[Passage, ...]
    ids: tuple[UUID, ...]
    said: tuple[Assertion, ...]

    @classmethod
    def read(cls, key: bytes, item: UUID, body: Body) -> _Text:
        cuts = cut(structure(body.kind, body.body, body.media))
        context = _context(body)
        ids = tuple(keyed_uuid(key, "passage", item.bytes, one.anchor) for one in cuts)
        return cls(body, cuts, ids, extract(cuts, context))


# `Owner:` in a ticket is the ticket's owner, not its project's.
_ABOUT_THEMSELVES = frozenset(("issue", "pull_request", "alert", "observation"))


def _context(body: Body) -> Context:
    if body.kind in _ABOUT_THEMSELVES:
        return Context(body.kind, body.title, body.author)
    return Context(body.kind, body.title, body.author, body.account, body.project, body.service)


def _stored_version(version: Version, text: _Text) -> StoredVersion:
    return StoredVersion(version, text.body, text.ids, tuple(one.start for one in text.cuts))


def _passages(standing: Standing, texts: Mapping[int, _Text]) -> tuple[StoredPassage, ...]:
    """Each distinct passage once, as the newest text that holds it has it."""
    found: dict[UUID, StoredPassage] = {}
    order = sorted(texts, key=lambda seq: (seq == standing.text_seq, seq))
    for seq in order:
        era = 0 if seq == standing.text_seq else 1
        for passage, one in zip(texts[seq].ids, texts[seq].cuts, strict=True):
            found[passage] = StoredPassage(passage, era, one)
    return tuple(found[passage] for passage in sorted(found))


def _assertions(
    key: bytes, item: UUID, versions: Sequence[Version], texts: Mapping[int, _Text]
) -> list[StoredAssertion]:
    """Each statement once for every unbroken stretch of versions that make it."""
    stretches: dict[tuple[UUID, datetime | None, datetime | None], list[StoredAssertion]] = {}
    for version in versions:
        if version.change == "late":
            continue
        text = texts[version.text_seq]
        for assertion, said in _identified(key, item, text.said):
            row = _row(assertion, said, version, text)
            stretch = stretches.setdefault((assertion, row.valid_from, row.valid_to), [])
            if stretch and stretch[-1].known_to == row.known_from:
                stretch[-1] = _longer(stretch[-1], row)
            else:
                stretch.append(row)
    # What came and went in one instant was never known.
    held = [row for stretch in stretches.values() for row in stretch if row.known_from != row.known_to]
    return _numbered(held)


def _identified(key: bytes, item: UUID, said: Sequence[Assertion]) -> list[tuple[UUID, Assertion]]:
    """Ids from anchor, kind and slot; a second statement of the same words gets the next occurrence."""
    seen: dict[tuple[str, ...], int] = {}
    identified = []
    for one in said:
        slot = (
            ("", "", "")
            if one.slot is None
            else (one.slot.entity, one.slot.attribute, one.slot.qualifier or "")
        )
        anchor = (one.kind.value, *slot, " ".join(one.quote.text.split()))
        seen[anchor] = seen.get(anchor, 0) + 1
        identified.append((keyed_uuid(key, "assertion", item.bytes, *anchor, str(seen[anchor])), one))
    return identified


def _row(assertion: UUID, said: Assertion, version: Version, text: _Text) -> StoredAssertion:
    return StoredAssertion(
        assertion=assertion,
        revision=0,
        seq=version.text_seq,
        said=said,
        memory_type=_MEMORY.get(said.kind, "semantic"),
        passage=text.ids[said.quote.ordinal],
        stated_at=version.at,
        valid_from=text.body.valid_from,
        valid_to=text.body.valid_to,
        known_from=version.known_from,
        known_to=version.known_to,
    )


def _longer(first: StoredAssertion, then: StoredAssertion) -> StoredAssertion:
    """The earlier row, held until the later one ends; where the words stand now is the later one's to say."""
    return replace(then, stated_at=first.stated_at, known_from=first.known_from)


def _numbered(rows: Sequence[StoredAssertion]) -> list[StoredAssertion]:
    """Revisions counted from 1 for each assertion, in the order the record held them."""
    counts: dict[UUID, int] = {}
    numbered = []
    for row in sorted(rows, key=lambda one: (one.assertion, one.known_from, one.seq)):
        counts[row.assertion] = counts.get(row.assertion, 0) + 1
        numbered.append(replace(row, revision=counts[row.assertion]))
    return numbered


def _edges(standing: Standing) -> tuple[Edge, ...]:
    body = standing.body
    stated = [Edge("supersedes", target) for target in body.supersedes]
    stated += [Edge("amends", target) for target in body.amends]
    stated += [Edge("supersedes", target, inverse=True) for target in body.superseded_by]
    if standing.merged_into is not None:
        stated.append(Edge("supersedes", standing.merged_into, inverse=True))
    return tuple(dict.fromkeys(stated))


def _names(key: bytes, standing: Standing) -> tuple[Name, ...]:
    body = standing.body
    declared = [("account", body.account), ("project", body.project), ("service", body.service)]
    names = [_name(key, role, raw) for role, raw in declared if raw and is_usable(normal_name(raw))]
    if body.kind == "document" and body.title and is_usable(normal_name(body.title)):
        names += _title_names(key, body.title, standing.ref.id)
    return tuple(dict.fromkeys(names))


def _name(key: bytes, role: str, raw: str) -> Name:
    name = normal_name(raw)
    return Name(name, keyed_uuid(key, "entity", role, name), role, raw.strip(), role)


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
