"""What an item's versions refer to and are called, and when the record held each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.domain.identity import keyed_uuid
from muniment.domain.references import Handle, Reference
from muniment.graph.handles import handles
from muniment.index.stated import Known, held, stretches
from muniment.items.fold import Standing, Version

__all__ = ["StoredHandle", "StoredReference", "handles_of", "references_of"]

_Found = tuple[Reference, UUID | None]
_Texts = Mapping[int, tuple[Sequence[Reference], Sequence[UUID]]]


@dataclass(frozen=True, slots=True)
class StoredReference:
    """A reference with its id, the passage its words stand in, and when a version made it."""

    reference: UUID
    said: Reference
    passage: UUID | None
    known: Known


@dataclass(frozen=True, slots=True)
class StoredHandle:
    """A name of the item, and when a version gave it."""

    said: Handle
    known: Known


def references_of(key: bytes, item: UUID, standing: Standing, texts: _Texts) -> tuple[StoredReference, ...]:
    """Every reference that a version made. The same words in the same passage are one."""
    known: dict[_Found, list[Version]] = {}
    for version in held(standing):
        for one in dict.fromkeys(_placed(*texts[version.text_seq])):
            known.setdefault(one, []).append(version)
    return tuple(
        StoredReference(_id(key, item, one), *one, stretches(versions)) for one, versions in known.items()
    )


def _placed(said: Sequence[Reference], passages: Sequence[UUID]) -> list[_Found]:
    """Each with its passage's id: where that stands in the text, versions may differ on."""
    return [(_without_place(one), None if one.ordinal is None else passages[one.ordinal]) for one in said]


def _without_place(one: Reference) -> Reference:
    return Reference(
        one.kind, one.name, one.section, one.edition, one.inverse, None, one.start, one.end, one.cue
    )


def _id(key: bytes, item: UUID, found: _Found) -> UUID:
    one, passage = found
    parts = (one.name, one.section, one.edition)
    return keyed_uuid(
        key,
        "reference",
        item.bytes,
        b"" if passage is None else passage.bytes,
        f"{one.kind} {one.inverse} {one.start} {one.end} {one.cue}",
        *(part or "" for part in parts),
    )


def handles_of(standing: Standing) -> tuple[StoredHandle, ...]:
    """Every name that a version gave the item."""
    known: dict[Handle, list[Version]] = {}
    for version in held(standing):
        for one in handles(standing.ref, standing.bodies[version.text_seq]):
            known.setdefault(one, []).append(version)
    return tuple(StoredHandle(one, stretches(versions)) for one, versions in known.items())
