"""How well a passage's sentences answer a question. Pure.

By the share of the question's words they cover, weighted by rarity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, log
from uuid import UUID

from muniment.context.question import Named, Question, alike, capitalised
from muniment.context.retrieve import Candidate, Found
from muniment.index.words import han_pairs, lexemes
from muniment.items.sentences import sentences

__all__ = ["Evidence", "Weights", "evidence_of", "is_known", "weigh"]

Term = tuple[str, ...]

# What a sentence says of the asked words counts in full. What stands around it tells what it is about.
ASKED_AROUND = 0.35
ABOUT = 0.9
ABOUT_OWN = 0.1
RANK = 0.25
VALUE = 0.15
PHRASE = 0.2
SUBJECT = 0.4
UNIT = 3  # letters of an acronym such as EUR


@dataclass(frozen=True, slots=True)
class Weights:
    """How telling each word of a question is, over what the reader can see.

    A word nobody said is the most telling.
    `about` are the words of the names in the question, `asked` the others. An answer says the asked words
    itself and may leave what it is about to its surroundings. `subjects` are the documents the question
    names.
    """

    of: Mapping[Term, float]
    about: frozenset[Term]
    pairs: frozenset[tuple[str, str]]
    wants_value: bool
    subjects: frozenset[UUID]

    @property
    def asked(self) -> frozenset[Term]:
        """The words that name nothing."""
        return frozenset(self.of) - self.about

    def share(self, covered: Iterable[Term]) -> float:
        """The part of the question's weight that these words carry, 0 to 1."""
        return self._of(covered, self.of)

    def asked_share(self, covered: Iterable[Term]) -> float:
        """The part of the asked words' weight that these carry; 1 where nothing but names is asked."""
        return self._of(set(covered) & self.asked, self.asked) if self.asked else 1.0

    def _of(self, covered: Iterable[Term], all_: Collection[Term]) -> float:
        # fsum is exact, so the order of a set does not matter.
        total = fsum(self.of[term] for term in all_)
        return fsum(self.of[term] for term in covered) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence [start, end) of a candidate's passage, and how much of the question it covers.

    `coverage` counts the sentence and what stands around it, `asked` the sentence alone. `names_all`:
    everything the question names stands in it or around it. `score` orders evidence.
    """

    candidate: Candidate
    start: int
    end: int
    asked: float
    coverage: float
    names_all: bool
    score: float

    @property
    def text(self) -> str:
        """The sentence, verbatim."""
        return self.candidate.passage.body[self.start : self.end]


def weigh(question: Question, found: Found, names: Iterable[str], subjects: frozenset[UUID]) -> Weights:
    """Inverse document frequency of each word, over permitted documents only.

    names: of entities in the question.
    """
    # A Chinese name need not be a word of the dictionary, so it is asked for whole.
    spoken = [tuple(pairs) for name in names if (pairs := han_pairs(name))]
    of = {term: _rarity(term, found) for term in (*question.terms, *spoken)}
    about = {lexeme for named in question.named for lexeme in named.lexemes}
    about |= {lexeme for name in names for lexeme in lexemes(name)}
    named = frozenset(term for term in of if about.issuperset(term))
    return Weights(of, named, question.pairs, question.wants_value, subjects)


def _rarity(term: Term, found: Found) -> float:
    count = min(max(found.frequencies.get(other, 0) for other in alike(lexeme)) for lexeme in term)
    return log(1 + (found.documents - count + 0.5) / (count + 0.5))


def is_known(named: Named, found: Found) -> bool:
    """Whether everything the name is made of occurs somewhere this reader can see."""
    return all(found.frequencies.get(lexeme, 0) > 0 for lexeme in named.lexemes)


def evidence_of(
    candidates: Sequence[Candidate], weights: Weights, subjects: Mapping[UUID, Sequence[str]]
) -> list[Evidence]:
    """Every sentence of the candidates in its author's own words, best first.

    subjects: names each item is about.
    """
    top = max((one.score for one in candidates), default=0.0) or 1.0
    found = [
        one
        for candidate in candidates
        for one in _of_passage(
            candidate, weights, subjects.get(candidate.item.item, ()), candidate.score / top
        )
    ]
    return sorted(found, key=lambda one: (-one.score, one.candidate.passage.passage, one.start))


def _of_passage(
    candidate: Candidate, weights: Weights, subjects: Sequence[str], standing: float
) -> Iterable[Evidence]:
    body = candidate.passage.body
    told = _covered(set(lexemes(_surroundings(candidate, subjects))), weights)
    beside = _covered(set(lexemes(body)), weights)
    for start, end in sentences(body):
        if _is_own(candidate, start, end):
            yield _evidence(candidate, (start, end), (told, beside), weights, standing)


def _evidence(
    candidate: Candidate,
    span: tuple[int, int],
    around: tuple[frozenset[Term], frozenset[Term]],
    weights: Weights,
    standing: float,
) -> Evidence:
    start, end = span
    told, beside = around
    text = candidate.passage.body[start:end]
    said = lexemes(text)
    own = _covered(frozenset(said), weights)
    every = own | told | beside
    score = weights.share(own & weights.asked) + ASKED_AROUND * weights.share((every - own) & weights.asked)
    score += ABOUT * weights.share(every & weights.about) + ABOUT_OWN * weights.share(own & weights.about)
    score += RANK * standing + PHRASE * _phrases(said, weights)
    if candidate.item.item in weights.subjects:
        score += SUBJECT
    if weights.wants_value and any(letter.isdigit() for letter in text):
        score += VALUE
    return Evidence(
        candidate,
        start,
        end,
        round(weights.asked_share(own), 6),
        round(weights.share(every), 6),
        weights.about <= own | told or (weights.about <= every and not _names_others(text)),
        round(score, 6),
    )


def _names_others(text: str) -> bool:
    """Whether the sentence names somebody or something itself; a currency or unit names nothing."""
    return any(len(name) > UNIT or not name.isupper() for name in capitalised(text))


def _phrases(said: Sequence[str], weights: Weights) -> float:
    """The share of the question's neighbouring words that are neighbours here too."""
    return len(weights.pairs & set(pairwise(said))) / len(weights.pairs) if weights.pairs else 0.0


def _covered(said: Collection[str], weights: Weights) -> frozenset[Term]:
    """The question's words that these lexemes hold, or say in another way."""
    return frozenset(term for term in weights.of if all(any(a in said for a in alike(part)) for part in term))


def _is_own(candidate: Candidate, start: int, end: int) -> bool:
    """Whether no part of it is quoted, forwarded or hidden."""
    return all(
        origin == "own" or end <= int(str(first)) or int(str(last)) <= start
        for first, last, origin in candidate.passage.spans
    )


def _surroundings(candidate: Candidate, subjects: Sequence[str]) -> str:
    item, passage = candidate.item, candidate.passage
    named = item.id if item.kind in ("document", "issue", "crm", "alert", "episode") else None
    parts = (item.title, *passage.heading, passage.speaker, item.author_name, named, *subjects)
    return "\n".join(part for part in parts if part)
