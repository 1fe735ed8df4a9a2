"""Permitted passages for a question, ranked: words and meaning, each over what the reader can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.claims.read import ItemStanding, item_periods
from muniment.context.fuse import Leg, fuse
from muniment.context.question import Question
from muniment.domain.record import ItemRow, MentionRow, PassageRow, VersionRow
from muniment.gate.reader import Reader

__all__ = ["Candidate", "Found", "Meaning", "retrieve"]

DEPTH = (
    300  # documents a leg hands over; a narrow reader's k is found among them because every one is permitted
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """The question as a vector of one model."""

    model: str
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with its item, how the item stands, and why it is here: its rank in each leg."""

    passage: PassageRow
    item: ItemRow
    standing: ItemStanding
    score: float
    why: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, best first, and how common each word of the question is among what the reader can see.

    `subjects` are documents the question names; what they say comes before other candidates.
    """

    candidates: tuple[Candidate, ...]
    frequencies: Mapping[str, int]
    documents: int
    subjects: frozenset[UUID] = frozenset()


def retrieve(
    reader: Reader, question: Question, meaning: Meaning | None, *, within: frozenset[UUID] | None = None
) -> Found:
    """The best passages; `within`, where given, keeps to some items."""
    eras = (0,) if reader.moment.known_at is None else (0, 1)
    scores = [reader.scores(era, question.lexemes, limit=DEPTH) for era in eras]
    legs = [Leg("lexical", dict(_pairs(one.docs, one.scores))) for one in scores]
    if meaning is not None:
        nearest = [reader.nearest(era, meaning.model, meaning.vector, limit=DEPTH) for era in eras]
        legs += [Leg("vector", dict(_pairs(one.docs, one.similarities))) for one in nearest]
    passages = _passages(reader, legs)
    fused = fuse(legs, {row.doc: row.passage for row in passages})
    candidates = _candidates(reader, passages, fused, within)
    frequencies = {word: sum(one.frequencies.get(word, 0) for one in scores) for word in question.lexemes}
    return Found(candidates, frequencies, sum(one.documents for one in scores))


def _pairs(docs: NDArray[np.int64], scores: NDArray[np.float64]) -> list[tuple[int, float]]:
    return list(zip(docs.tolist(), scores.tolist(), strict=True))


def _passages(reader: Reader, legs: Sequence[Leg]) -> list[PassageRow]:
    docs = sorted({doc for leg in legs for doc in leg.scores})
    rows = reader.rows(PassageRow, "reader", "passages_by_doc", docs=docs) if docs else []
    if reader.moment.known_at is None or not rows:
        return rows
    versions = reader.rows(
        VersionRow, "reader", "versions_of_items", items=sorted({row.item for row in rows})
    )
    held = {passage for version in versions if _known(version, reader) for passage in version.passages}
    return [row for row in rows if row.passage in held]


def _known(version: VersionRow, reader: Reader) -> bool:
    """Whether the record held this version at the moment asked about. An empty stretch has no start."""
    at = reader.moment.known_at
    return (
        at is not None
        and version.known_from is not None
        and version.known_from <= at
        and (version.known_to is None or at < version.known_to)
    )


def _candidates(
    reader: Reader,
    passages: Sequence[PassageRow],
    fused: Mapping[int, tuple[float, Mapping[str, int]]],
    within: frozenset[UUID] | None,
) -> tuple[Candidate, ...]:
    items = {row.item: row for row in items_of(reader, {passage.item for passage in passages})}
    standings = item_periods(reader, list(items.values()))
    found = [
        Candidate(passage, items[passage.item], standings[passage.item], *fused[passage.doc])
        for passage in passages
        if passage.item in items and (within is None or passage.item in within)
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.passage.passage)))


def items_of(reader: Reader, items: set[UUID]) -> list[ItemRow]:
    """The items' rows, in the order of their ids."""
    if not items:
        return []
    rows = reader.rows(ItemRow, "reader", "items", items=sorted(items))
    return sorted(rows, key=lambda row: row.item)


def items_mentioning(reader: Reader, names: Sequence[str]) -> frozenset[UUID]:
    """Items that declare one of the names as their account, project, service or title."""
    return frozenset(
        row.item for row in reader.rows(MentionRow, "reader", "mentions_of_names", names=list(names))
    )
