"""Permitted passages for a question, ranked by what speaks for each over what the reader can see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.claims.read import ItemStanding, item_periods, items_of
from muniment.context.question import Question
from muniment.context.ranking.asking import asked_of
from muniment.context.ranking.features import Asked
from muniment.context.ranking.order import first_look, scores
from muniment.context.ranking.pool import Beside, Placed, Pool, by_id
from muniment.domain.record import ItemRow, MentionRow, PassageRow
from muniment.gate.reader import Reader
from muniment.index.lexical import Scores
from muniment.index.places import LOOSE
from muniment.pages.entities import WHOLE, Parts
from muniment.pages.headed import headed_passages

__all__ = [
    "DEPTH",
    "EVERYTHING",
    "USUAL",
    "Candidate",
    "Found",
    "Leg",
    "Looked",
    "Meaning",
    "Reach",
    "Scope",
    "Way",
    "items_mentioning",
    "look",
    "retrieve",
]

DEPTH = (
    300  # documents a leg hands over; a narrow reader's k is found among them because every one is permitted
)
MOST = 150  # candidates whose words are read
FRONT = 100  # of the best by words and meaning, whose neighbours are looked at
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
class Reach:
    """How many documents a leg hands over, and of how many passages in the end the words are read."""

    depth: int = DEPTH
    most: int = MOST

    def further(self) -> Reach:
        """Eight times as far."""
        return Reach(8 * self.depth, 8 * self.most)


USUAL = Reach()


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


@dataclass(frozen=True, slots=True)
class Leg:
    """Documents by score, the best first."""

    name: str
    scores: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Looked:
    """What a question is ranked among, what it asks for, and what the legs found."""

    pool: Pool
    asked: Asked
    legs: tuple[Leg, ...]
    frequencies: Mapping[str, int]
    documents: int


def retrieve(
    reader: Reader,
    question: Question,
    meaning: Meaning | None,
    *,
    scope: Scope = EVERYTHING,
    reach: Reach = USUAL,
    also: Sequence[Question] = (),
) -> Found:
    """The best of what each leg finds within the scope and of what stands beside that.

    `also` is the question in other words; a text counts as in the wording that suits it best.
    A scope is settled before anything is ranked, so that what lies outside it crowds nothing out.
    """
    looked = look(reader, question, meaning, scope=scope, depth=reach.depth, also=also)
    pool = looked.pool
    worth = scores(pool, looked.asked)
    best = np.argsort(-worth, kind="stable")[: reach.most].tolist()
    candidates = _candidates(
        reader,
        {pool.rows[row].doc: float(worth[row]) for row in best},
        _places(pool, looked.legs, best),
    )
    is_all = len(pool) <= reach.most and all(len(leg.scores) < reach.depth for leg in looked.legs)
    return Found(candidates, looked.frequencies, looked.documents, is_all=is_all)


def look(
    reader: Reader,
    question: Question,
    meaning: Meaning | None,
    *,
    scope: Scope = EVERYTHING,
    depth: int = DEPTH,
    also: Sequence[Question] = (),
) -> Looked:
    """What `retrieve` ranks among, and by what."""
    eras = (0,) if reader.moment.known_at is None else (0, 1)
    allowed = _allowed(reader, scope)
    limit = depth if allowed is None else ALL
    found = [_best_worded(reader, era, (question, *also), limit) for era in eras]
    legs = [Leg("lexical", _joined(_best(one.docs, one.scores, allowed, depth) for one in found))]
    if meaning is not None:
        reach = depth if allowed is None else depth * SCOPED
        nearest = [reader.nearest(era, meaning.model, meaning.vector, limit=reach) for era in eras]
        legs.append(
            Leg("vector", _joined(_best(one.docs, one.similarities, allowed, depth) for one in nearest))
        )
    pool = _pool(reader, legs, allowed)
    speakers = {one.speaker for one in pool.rows if one.speaker}
    words = dict.fromkeys(word for one in (question, *also) for word in one.lexemes)
    return Looked(
        pool,
        asked_of(question.text, reader.moment.as_of, speakers),
        tuple(legs),
        {word: sum(one.frequencies.get(word, 0) for one in found) for word in words},
        sum(one.documents for one in found),
    )


def _joined(parts: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """The eras of a leg: a document is in one of them."""
    every = [pair for part in parts for pair in part.items()]
    return dict(sorted(every, key=lambda pair: -pair[1]))


def _pool(reader: Reader, legs: Sequence[Leg], allowed: NDArray[np.int64] | None) -> Pool:
    """What the legs found, and what stands right before and after the best of it.

    In a line that nobody named, only what was found itself: it counts for what it stands beside.
    """
    docs = sorted({doc for leg in legs for doc in leg.scores})
    placed = by_id(reader.rows(Placed, "ranking", "placed", docs=_listed(docs)) if docs else ())
    by_doc = {one.doc for one in placed}
    by_name = {leg.name: leg.scores for leg in legs}
    words, meaning = by_name["lexical"], by_name.get("vector")
    front = first_look(placed, words, meaning, FRONT)
    beside = reader.rows(Beside, "ranking", "beside", docs=_listed(front)) if front else []
    beside = [one for one in beside if not one.traits & LOOSE or one.doc in by_doc]
    if allowed is not None:
        within = set(allowed.tolist())
        beside = [one for one in beside if one.doc in within]
    return Pool.of(placed, words, meaning, beside)


def _listed(docs: Iterable[int]) -> str:
    """An array as PostgreSQL writes it: adapting hundreds one by one takes longer than finding them."""
    return "{" + ",".join(map(str, docs)) + "}"


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
    reader: Reader, worth: Mapping[int, float], why: Mapping[int, Mapping[str, int]]
) -> tuple[Candidate, ...]:
    """The documents with their words, best first, and each one's place in the legs that found it."""
    passages = (
        reader.rows(PassageRow, "reader", "passages_by_doc", docs=_listed(sorted(worth))) if worth else []
    )
    reader.keep(passages)
    items = {row.item: row for row in items_of(reader, sorted({passage.item for passage in passages}))}
    standings = item_periods(reader, list(items.values()))
    found = [
        Candidate(passage, items[passage.item], standings[passage.item], worth[passage.doc], why[passage.doc])
        for passage in passages
        if passage.item in items
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.passage.passage.int)))


def _places(pool: Pool, legs: Sequence[Leg], kept: Sequence[int]) -> dict[int, dict[str, int]]:
    """The place of each kept row's document in each leg, from 1; of ties, the lesser id is first."""
    found: dict[int, dict[str, int]] = {pool.rows[row].doc: {} for row in kept}
    for leg in legs:
        scores = np.array([leg.scores.get(one.doc, -np.inf) for one in pool.rows])
        place = np.empty(len(scores), np.int64)
        place[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        for row in kept:
            if pool.rows[row].doc in leg.scores:
                found[pool.rows[row].doc][leg.name] = int(place[row])
    return found


def items_mentioning(reader: Reader, names: Sequence[str]) -> frozenset[UUID]:
    """Items that declare one of the names as their account, project, service or title."""
    return frozenset(
        row.item for row in reader.rows(MentionRow, "reader", "mentions_of_names", names=list(names))
    )
