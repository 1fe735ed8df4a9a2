"""Everything derived from one item's events.

A pure function of them, so that a rebuild is the same act as the first build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.assertions.extract import extract
from muniment.assertions.header import Header, read_header
from muniment.assertions.validity import Bounds, Said, dated, over
from muniment.domain.assertions import Assertion, Context, Kind
from muniment.domain.events import Body, ItemRef
from muniment.domain.identity import keyed_uuid
from muniment.domain.passages import Origin, Passage
from muniment.domain.references import Reference
from muniment.domain.times import find_zone
from muniment.graph.extract import references
from muniment.graph.referrer import Referrer
from muniment.index.places import Place, place_of
from muniment.index.prints import Prints, fingerprint, prints_of
from muniment.index.referred import StoredHandle, StoredReference, handles_of, references_of
from muniment.index.stated import Edge, Name, edges_of, headings_given, names_and_mentions
from muniment.items.fold import Standing, Version
from muniment.items.passages import cut
from muniment.items.text import structure
from muniment.sources.unseen import visible

__all__ = [
    "MEMORY",
    "Projection",
    "StoredAssertion",
    "StoredPassage",
    "StoredVersion",
    "context_of",
    "item_uuid",
    "notes_of",
    "project",
    "when_said",
]

MEMORY = {
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

    `revision` counts such stretches. Trust and authority are its item's where they are None. `input` stands
    for what a model was asked; None where a rule read it.
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
    status: str = "active"
    trust: str | None = None
    authority: str | None = None
    input: bytes | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Projection:
    """One item's derived rows, still without an audience: the writer labels them all alike.

    `level` is exact for whatever a source said, and what it discloses for a level of a policy.
    """

    item: UUID
    standing: Standing
    place: Place
    versions: tuple[StoredVersion, ...]
    passages: tuple[StoredPassage, ...]
    assertions: tuple[StoredAssertion, ...]
    edges: tuple[Edge, ...]
    names: tuple[Name, ...]
    mentions: tuple[Name, ...]
    references: tuple[StoredReference, ...] = ()
    handles: tuple[StoredHandle, ...] = ()
    prints: tuple[Prints, ...] = ()
    level: str = "exact"


def item_uuid(key: bytes, ref: ItemRef) -> UUID:
    """The item's public id: from its source and the source's id alone."""
    return keyed_uuid(key, "item", ref.source, ref.id)


def project(key: bytes, standing: Standing) -> Projection:
    """All derived rows of the item."""
    item = item_uuid(key, standing.ref)
    standing = _with_headers(standing)
    texts = {
        seq: _Text.read(key, item, standing.ref, standing.bodies[seq])
        for seq in sorted({version.text_seq for version in standing.versions})
    }
    versions = tuple(_stored_version(version, texts[version.text_seq]) for version in standing.versions)
    passages = _passages(standing, texts)
    names, mentions = names_and_mentions(key, standing)
    return Projection(
        item=item,
        standing=standing,
        place=place_of(key, item, standing, "exact"),
        versions=versions,
        passages=passages,
        assertions=tuple(_assertions(key, item, standing.versions, texts)),
        edges=edges_of(standing),
        references=references_of(
            key, item, standing, {seq: (text.referred, text.ids) for seq, text in texts.items()}
        ),
        handles=handles_of(standing),
        names=names,
        mentions=(*mentions, *headings_given(standing, _headings(versions, passages))),
        prints=prints_of(standing.versions, {seq: text.hashes for seq, text in texts.items()}),
    )


def _headings(versions: Sequence[StoredVersion], passages: Sequence[StoredPassage]) -> dict[int, list[str]]:
    """What stands above the passages of each version, by its number."""
    above = {row.passage: row.cut.heading for row in passages}
    return {
        one.version.seq: [part for passage in one.passages for part in above.get(passage, ())]
        for one in versions
    }


def _with_headers(standing: Standing) -> Standing:
    """Documents with what their opening lines say of them, where their metadata says nothing."""
    if all(body.kind != "document" for body in standing.bodies.values()):
        return standing
    bodies = dict(standing.bodies)
    before: tuple[Header, Said] | None = None
    for version in standing.versions:
        body = standing.bodies[version.text_seq]
        if version.seq != version.text_seq or body.kind != "document":
            continue
        when = when_said(version, body)
        header = _header(body, when)
        # Words that stay in an edited document were said when they first stood there.
        if before and [one.text for one in before[0].terms] == [one.text for one in header.terms]:
            when = before[1]
            header = _header(body, when)
        before = before if version.change == "late" else (header, when)
        bodies[version.text_seq] = _with_header(body, header)
    return replace(standing, body=bodies[standing.text_seq], bodies=bodies)


def notes_of(body: Body, at: datetime) -> tuple[str, ...]:
    """What could not be read of a document, to tell whoever hands it in."""
    if body.kind != "document":
        return ()
    headed = _with_header(body, _header(body, _said_at(body, at)))
    notes = headed.metadata.get("notes")
    return tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()


def _header(body: Body, when: Said) -> Header:
    """What its opening lines say of it, to whoever sees them."""
    return read_header(body.title, visible(body.body, body.media), when)


def when_said(version: Version, body: Body) -> Said:
    """When the words of a version were said: the first when the item was made, later ones when edited."""
    made = body.created_at if version.change == "said" and body.created_at else version.at
    return _said_at(body, min(made, version.at))


def _said_at(body: Body, at: datetime) -> Said:
    return Said(at, find_zone(body.timezone) if body.timezone else None)


def _with_header(body: Body, header: Header) -> Body:
    metadata = dict(body.metadata)
    if header.edition is not None:
        metadata.setdefault("edition", dict(header.edition))
    if header.terms:
        metadata["dated_by"] = [[one.kind, one.text, one.resolved, one.note] for one in header.terms]
    given, read = Bounds(body.valid_from, body.valid_to), header.bounds
    bounds = over(given, read)
    notes = list(header.notes)
    if given != Bounds() and read != Bounds() and bounds != over(read, given):
        notes.append("its metadata and its opening lines give different periods; the metadata holds")
    if notes:
        kept = metadata.get("notes")
        metadata["notes"] = [*(kept if isinstance(kept, list) else []), *notes]
    return replace(body, metadata=metadata, valid_from=bounds.start, valid_to=bounds.end)


@dataclass(frozen=True, slots=True)
class _Text:
    """One event's words, cut, with the id of each piece and what they state."""

    body: Body
    cuts: tuple[Passage, ...]
    ids: tuple[UUID, ...]
    said: tuple[Assertion, ...]
    referred: tuple[Reference, ...]
    hashes: frozenset[int]

    @classmethod
    def read(cls, key: bytes, item: UUID, ref: ItemRef, body: Body) -> _Text:
        text = structure(body.kind, body.body, body.media)
        cuts = cut(text)
        context = context_of(body)
        ids = tuple(keyed_uuid(key, "passage", item.bytes, one.anchor) for one in cuts)
        # A signature stands under everything its author writes, whoever may read it.
        worded = "".join(
            text.body[one.start : one.end] for one in text.spans if one.origin is not Origin.SIGNATURE
        )
        referred = references(cuts, Referrer.of(ref, body))
        return cls(body, cuts, ids, extract(cuts, context), referred, fingerprint(key, worded))


# `Owner:` in a ticket is the ticket's owner, not its project's.
_ABOUT_THEMSELVES = frozenset(("issue", "pull_request", "alert", "observation"))


def context_of(body: Body) -> Context:
    """What the extractor may know of the item besides its text."""
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
    for row in _rows(key, item, versions, texts):
        stretch = stretches.setdefault((row.assertion, row.valid_from, row.valid_to), [])
        if stretch and stretch[-1].known_to == row.known_from:
            stretch[-1] = _longer(stretch[-1], row)
        else:
            stretch.append(row)
    # What came and went in one instant was never known.
    held = [row for stretch in stretches.values() for row in stretch if row.known_from != row.known_to]
    return _numbered(held)


def _rows(
    key: bytes, item: UUID, versions: Sequence[Version], texts: Mapping[int, _Text]
) -> Iterator[StoredAssertion]:
    """Each statement of each version. Words that stay were said when they first stood there."""
    said_before: dict[UUID, Said] = {}
    for version in versions:
        if version.change == "late":
            continue
        text = texts[version.text_seq]
        now = when_said(version, text.body)
        said_now: dict[UUID, Said] = {}
        for assertion, said in _identified(key, item, text.said):
            said_now[assertion] = said_before.get(assertion, now)
            yield _row(assertion, said, version, text, said_now[assertion])
        said_before = said_now


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


def _row(assertion: UUID, said: Assertion, version: Version, text: _Text, when: Said) -> StoredAssertion:
    said, own = dated(said, when)
    bounds = over(own, Bounds(text.body.valid_from, text.body.valid_to))
    return StoredAssertion(
        assertion=assertion,
        revision=0,
        seq=version.text_seq,
        said=said,
        memory_type=MEMORY.get(said.kind, "semantic"),
        passage=text.ids[said.quote.ordinal],
        stated_at=version.at,
        valid_from=bounds.start,
        valid_to=bounds.end,
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
