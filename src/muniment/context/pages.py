"""Which pages bear on a question: each as its best evidence stands, raised by what else speaks for it.

Evidence is a passage that was found: in an item that is about the entity, or one that states something of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from uuid import UUID

from muniment.claims.cite import cite_passage, quote_of
from muniment.context.question import Question
from muniment.context.retrieve import Candidate, Found
from muniment.domain.record import AssertionRow, MentionRow
from muniment.domain.values import Citation, Hit
from muniment.gate.reader import Reader
from muniment.index.words import content_lexemes, lexemes
from muniment.items.sentences import sentences
from muniment.pages.entities import Entity, entities_called

__all__ = ["RankedPage", "hit_of", "rank_pages", "telling_span"]

LOOKED_AT = 120  # passages, from the best, that count as evidence
# How much an item's word for what it is about counts. A place it stands in or a person in it says little.
_WEIGHTS: Mapping[str, float] = {
    "title": 1.0,
    "id": 1.0,
    "account": 0.9,
    "project": 0.9,
    "service": 0.9,
    "signal": 0.7,
    "author": 0.3,
    "participant": 0.1,
}
_STATED = 1.0  # the found words themselves state something of the entity
_FADING = 0.5  # each further piece of evidence counts this share of the one before
_COVERED = 1.0  # for evidence that, taken together, has all the question's words
_TITLED = 0.5  # for a title all of whose words the question has
_NAMED = 1.0  # for a page that the question calls by name


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page, how well it fits, and the passages that say so, the best first."""

    entity: Entity
    score: float
    evidence: tuple[Candidate, ...]


@dataclass(slots=True)
class _Heap:
    """What speaks for one entity, and how much the best of it counts."""

    entity: Entity
    weight: float = 0.0
    marks: list[tuple[float, Candidate]] = field(default_factory=list)


def rank_pages(
    reader: Reader, question: Question, found: Found, named: Collection[str] = ()
) -> list[RankedPage]:
    """The pages that the candidates speak for, best first. `named`: first names of what is called by name."""
    looked = found.candidates[:LOOKED_AT]
    heaps: dict[str, _Heap] = {}
    for entity, weight, one in _evidence(reader, looked):
        heap = heaps.setdefault(entity.names[0], _Heap(entity))
        heap.marks.append((weight * one.score, one))
        heap.weight = max(heap.weight, weight)
    words = _Words.of(question, found, looked)
    ranked = [_ranked(heap, words, named) for heap in heaps.values()]
    return sorted(ranked, key=lambda page: (-page.score, page.entity.title, page.entity.names[0]))


@dataclass(frozen=True, slots=True)
class _Words:
    """The question's words by how rare they are among what the reader can see, and which a passage has."""

    rarity: Mapping[str, float]
    of_passage: Mapping[UUID, frozenset[str]]

    @classmethod
    def of(cls, question: Question, found: Found, looked: Iterable[Candidate]) -> _Words:
        rarity = {
            word: log(1 + found.documents / (1 + found.frequencies.get(word, 0)))
            for word in content_lexemes(question.text)
        }
        return cls(rarity, {one.passage.passage: frozenset(_words_of(one)) & set(rarity) for one in looked})

    def covered(self, words: Collection[str]) -> float:
        """The share of the question that these words are."""
        whole = sum(self.rarity.values())
        return sum(self.rarity[word] for word in sorted(words)) / whole if whole else 0.0


def _words_of(one: Candidate) -> list[str]:
    return lexemes(" ".join((one.item.title or "", *one.passage.heading, one.passage.body)))


def _ranked(heap: _Heap, words: _Words, named: Collection[str]) -> RankedPage:
    best: dict[UUID, tuple[float, Candidate]] = {}
    for mark, one in heap.marks:
        if one.passage.passage not in best or mark > best[one.passage.passage][0]:
            best[one.passage.passage] = mark, one
    marks = sorted(best.values(), key=lambda pair: (-pair[0], pair[1].passage.passage))
    score = sum(mark * _FADING**place for place, (mark, _) in enumerate(marks))
    having = frozenset[str]().union(*(words.of_passage[one.passage.passage] for _, one in marks))
    score += _COVERED * heap.weight * words.covered(having)
    score += _TITLED * _titled(heap.entity, words.rarity)
    score += _NAMED if heap.entity.names[0] in named else 0.0
    return RankedPage(heap.entity, round(score, 6), tuple(one for _, one in marks))


def _titled(entity: Entity, wanted: Collection[str]) -> float:
    """The share of the title's words that the question has, where it has more than half."""
    words = set(content_lexemes(entity.title))
    share = len(words & set(wanted)) / len(words) if words else 0.0
    return share if share > 0.5 else 0.0


def _evidence(reader: Reader, looked: Sequence[Candidate]) -> Iterator[tuple[Entity, float, Candidate]]:
    """Each entity that a candidate speaks of, and how much that counts."""
    items = sorted({one.item.item for one in looked})
    if not items:
        return
    mentions = reader.rows(MentionRow, "reader", "mentions_of_items", items=items)
    stated = reader.rows(AssertionRow, "reader", "assertions_of_items", items=items)
    told = [row for row in mentions if row.role in _WEIGHTS]
    slots: dict[UUID, set[str]] = {}
    for slotted in stated:
        if slotted.entity is not None:
            slots.setdefault(quote_of(slotted)[0], set()).add(slotted.entity)
    meant = entities_called(reader, {*(row.name for row in told), *(set().union(*slots.values()))})
    by_item = _by_item(told)
    for one in looked:
        for row in by_item.get(one.item.item, ()):
            if row.name in meant:
                yield meant[row.name], _WEIGHTS[row.role], one
        for name in slots.get(one.passage.passage, ()):
            if name in meant:
                yield meant[name], _STATED, one


def _by_item(rows: Iterable[MentionRow]) -> dict[UUID, list[MentionRow]]:
    found: dict[UUID, list[MentionRow]] = {}
    for row in rows:
        found.setdefault(row.item, []).append(row)
    return found


def hit_of(reader: Reader, page: RankedPage, question: Question) -> Hit:
    """The page as a result: its title, and as its citation the words that speak for it best."""
    best = page.evidence[0]
    citation = _cited(reader, best, set(question.lexemes))
    why = {**best.why, "evidence": len(page.evidence)}
    return Hit(
        0, "page", None, None, None, page.entity.title, page.score, why, citation, page.entity.names[0]
    )


def _cited(reader: Reader, one: Candidate, wanted: Collection[str]) -> Citation:
    span = telling_span(one.passage.body, wanted)
    return cite_passage(one.passage, span, one.item, one.standing, reader.moment.as_of)


def telling_span(body: str, wanted: Collection[str]) -> tuple[int, int]:
    """The sentence that has most of the words; the whole where it has none."""
    spans = [(start, end) for start, end in sentences(body) if end > start]
    shares = [len(set(lexemes(body[start:end])) & set(wanted)) for start, end in spans]
    if not shares or not max(shares):
        return 0, len(body)
    return spans[shares.index(max(shares))]
