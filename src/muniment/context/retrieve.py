"""Permitted passages for a question, ranked: words and meaning, each over what the reader can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.claims.read import ItemStanding, item_periods, items_of
from muniment.context.fuse import Leg, fuse
from muniment.context.question import Question
from muniment.domain.record import ItemRow, MentionRow, PassageRow
from muniment.gate.reader import Reader
from muniment.index.lexical import Scores
from muniment.pages.entities import WHOLE, Parts
from muniment.pages.headed import headed_passages

__all__ = [
    "DEPTH",
    "EVERYTHING",
    "Candidate",
    "Found",
    "Meaning",
    "Scope",
    "Way",
    "items_mentioning",
    "retrieve",
]

DEPTH = (
    300  # documents a leg hands over; a narrow reader's k is found among them because every one is permitted
)


ALL = 1 << 40
# How much deeper the vector leg looks where a scope will leave some of it out.
SCOPED = 20


@dataclass(frozen=True, slots=True)
class Scope:
    """What a question is bounded to: items that mention a name, of a kind, from a stretch of time."""

    names: tuple[str, ...] | None = None
    parts: Parts = WHOLE
    kind: str | None = None
    after: datetime | None = None
    before: datetime | None = None


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class _Doc:
    doc: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """The question as a vector of one model."""

    model: str
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Way:
    """How the graph led to a passage: in words, past which items and titles, and by what edges' words."""

    told: str
    past: frozenset[UUID]
    titles: tuple[str, ...]
    relations: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with its item, how the item stands, and why it is here: its rank in each leg.

    `way`: what the graph led along to it, where it did.
    """

    passage: PassageRow
    item: ItemRow
    standing: ItemStanding
    score: float
    why: Mapping[str, int]
    way: Way | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, best first, and how common each word of the question is among what the reader can see.

    `subjects` are documents the question names; what they say comes first. `is_all`: nothing
    that shares a word or meaning with the question was left out.
    """

    candidates: tuple[Candidate, ...]
    frequencies: Mapping[str, int]
    documents: int
    subjects: frozenset[UUID] = frozenset()
    is_all: bool = False


def retrieve(
    reader: Reader,
    question: Question,
    meaning: Meaning | None,
    *,
    scope: Scope = EVERYTHING,
    depth: int = DEPTH,
    also: Sequence[Question] = (),
) -> Found:
    """The `depth` best passages of each leg within the scope, and all that tie with the last.

    `also` is the question in other words; a text counts as in the wording that suits it best.
    A scope is settled before anything is ranked, so that what lies outside it crowds nothing out.
    """
    eras = (0,) if reader.moment.known_at is None else (0, 1)
    allowed = _allowed(reader, scope)
    limit = depth if allowed is None else ALL
    scores = [_best_worded(reader, era, (question, *also), limit) for era in eras]
    legs = [Leg("lexical", _best(one.docs, one.scores, allowed, depth)) for one in scores]
    if meaning is not None:
        reach = depth if allowed is None else depth * SCOPED
        nearest = [reader.nearest(era, meaning.model, meaning.vector, limit=reach) for era in eras]
        legs += [Leg("vector", _best(one.docs, one.similarities, allowed, depth)) for one in nearest]
    docs = sorted({doc for leg in legs for doc in leg.scores})
    passages = reader.rows(PassageRow, "reader", "passages_by_doc", docs=docs) if docs else []
    fused = fuse(legs, {row.doc: row.passage for row in passages})
    words = dict.fromkeys(word for one in (question, *also) for word in one.lexemes)
    frequencies = {word: sum(one.frequencies.get(word, 0) for one in scores) for word in words}
    return Found(
        _candidates(reader, passages, fused),
        frequencies,
        sum(one.documents for one in scores),
        is_all=all(len(leg.scores) < depth for leg in legs),
    )


def _best_worded(reader: Reader, era: int, questions: Sequence[Question], limit: int) -> Scores:
    """Documents by the wording in which each scores best."""
    found = [reader.scores(era, one.lexemes, limit=limit) for one in questions]
    if len(found) == 1:
        return found[0]
    docs, where = np.unique(np.concatenate([one.docs for one in found]), return_inverse=True)
    best = np.zeros(len(docs))
    np.maximum.at(best, where, np.concatenate([one.scores for one in found]))
    order = np.lexsort((docs, -best))
    frequencies = {word: count for one in found for word, count in one.frequencies.items()}
    return replace(found[0], docs=docs[order], scores=best[order], frequencies=frequencies)


def _allowed(reader: Reader, scope: Scope) -> NDArray[np.int64] | None:
    """The documents within the scope at the moment asked about; None where that is every current one."""
    if scope == EVERYTHING and reader.moment.known_at is None:
        return None
    values = scope.parts.bound(scope.names or ()) | {
        "kind": scope.kind,
        "after": scope.after,
        "before": scope.before,
    }
    if scope.names is None:
        values["names"] = None
    docs = {row.doc for row in reader.rows(_Doc, "reader", "docs_in_scope", **values)}
    if scope.names is not None:
        when = (scope.kind, scope.after, scope.before)
        docs |= {row.doc for row in headed_passages(reader, scope.names, scope.parts, *when)}
    return np.fromiter(sorted(docs), np.int64, len(docs))


def _best(
    docs: NDArray[np.int64], scores: NDArray[np.float64], allowed: NDArray[np.int64] | None, depth: int
) -> dict[int, float]:
    """The best of the allowed ones, and all that tie with the last. They come in falling order."""
    if allowed is not None:
        kept = np.isin(docs, allowed)
        docs, scores = docs[kept], scores[kept]
    if len(docs) > depth:
        kept = scores >= scores[depth - 1]
        docs, scores = docs[kept], scores[kept]
    return dict(zip(docs.tolist(), scores.tolist(), strict=True))


def _candidates(
    reader: Reader,
    passages: Sequence[PassageRow],
    fused: Mapping[int, tuple[float, Mapping[str, int]]],
) -> tuple[Candidate, ...]:
    wanted = sorted({passage.item for passage in passages})
    items = {row.item: row for row in items_of(reader, wanted)}
    standings = item_periods(reader, list(items.values()))
    found = [
        Candidate(passage, items[passage.item], standings[passage.item], *fused[passage.doc])
        for passage in passages
        if passage.item in items
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.passage.passage)))


def items_mentioning(reader: Reader, names: Sequence[str]) -> frozenset[UUID]:
    """Items that declare one of the names as their account, project, service or title."""
    return frozenset(
        row.item for row in reader.rows(MentionRow, "reader", "mentions_of_names", names=list(names))
    )
