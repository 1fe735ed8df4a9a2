"""How well a passage's sentences answer a question. Pure.

By the share of the question's words they cover, weighted by rarity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, log
from typing import NamedTuple
from uuid import UUID

from muniment.answer.subject import (
    Talk,
    asked_before,
    months_of,
    people_of,
    talk_of,
    talked_of,
    threads_of,
    years_in,
)
from muniment.answer.support import PLACES, Traits, support
from muniment.context.question import Named, Question, alike, capitalised
from muniment.context.retrieve import Candidate, Found
from muniment.domain.regex import regex
from muniment.domain.remembered import remembered
from muniment.index.words import han_pairs, lexemes
from muniment.items.sentences import sentences

__all__ = ["Evidence", "Weights", "evidence_of", "is_known", "weigh"]

Term = tuple[str, ...]

# What a sentence says of the asked words counts in full. What stands around it tells what it is about.
ASKED_AROUND = 0.35
ABOUT = 0.9
ABOUT_OWN = 0.1
# Of a passage's rank, whose worth is scaled from the least that was found: being the last of few is no fault.
RANK = 0.25
VALUE = 0.15
PHRASE = 0.2
SUBJECT = 0.4
_NOTHING: frozenset[Term] = frozenset()
UNIT = 3  # letters of an acronym such as EUR
# Numbers that say where something stands, and not what it is.
_POINTER = regex(
    r"(?:\b(?:sections?|clauses?|articles?|chapters?|parts?|appendix|annex)\s+|§+\s*)\d[\w.]*|第\s*[\d.]+\s*[条节章]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Weights:
    """How telling each word of a question is, over what the reader can see.

    A word nobody said is the most telling.
    `about` are the words of the `names` in the question, `asked` the others. An answer says the asked words
    itself and may leave what it is about to its surroundings. `subjects` are the documents the question
    names.
    """

    of: Mapping[Term, float]
    about: frozenset[Term]
    names: tuple[frozenset[str], ...]
    pairs: frozenset[tuple[str, str]]
    wants_value: bool
    subjects: frozenset[UUID]
    # What follows from these, once for all the sentences of a reply.
    ways: Mapping[Term, tuple[frozenset[str], ...]]
    told_by: frozenset[str]
    asked: frozenset[Term]
    whole: float
    whole_asked: float

    def share(self, covered: Iterable[Term]) -> float:
        """The part of the question's weight that these words carry, 0 to 1."""
        return self._sum(covered) / self.whole if self.whole else 0.0

    def asked_share(self, covered: Iterable[Term]) -> float:
        """The part of the asked words' weight that these carry; 1 where nothing but names is asked."""
        if not self.asked:
            return 1.0
        return self._sum(self.asked.intersection(covered)) / self.whole_asked if self.whole_asked else 0.0

    def covered(self, said: Iterable[str]) -> frozenset[Term]:
        """The question's words that these lexemes hold, or say in another way."""
        held = self.told_by.intersection(said)
        if not held and () not in self.ways:  # as of most sentences
            return _NOTHING
        return frozenset(
            term for term, ways in self.ways.items() if not any(held.isdisjoint(way) for way in ways)
        )

    def _sum(self, covered: Iterable[Term]) -> float:
        # fsum is exact, so the order of a set does not matter.
        return fsum([self.of[term] for term in covered]) if covered else 0.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence [start, end) of a candidate's passage, and how well it answers.

    `asked` is the share of the asked words it says itself; `support` is what its traits come to; `score`
    orders evidence.
    """

    candidate: Candidate
    start: int
    end: int
    asked: float
    traits: Traits
    support: float
    score: float

    @property
    def text(self) -> str:
        """The sentence, verbatim."""
        return self.candidate.passage.body[self.start : self.end]


class _Said(NamedTuple):
    """A sentence and what it comes to by itself, before the others were heard."""

    candidate: Candidate
    start: int
    end: int
    asked: float
    traits: Traits
    score: float

    def weighed(self, traits: Traits) -> Evidence:
        """The evidence it is with these traits."""
        return Evidence(self.candidate, self.start, self.end, self.asked, traits, support(traits), self.score)


def weigh(question: Question, found: Found, names: Sequence[str], subjects: frozenset[UUID]) -> Weights:
    """Inverse document frequency of each word, over permitted documents only.

    names: of entities in the question.
    """
    # A Chinese name need not be a word of the dictionary, so it is asked for whole.
    spoken = [tuple(pairs) for name in names if (pairs := han_pairs(name))]
    of = {term: _rarity(term, found) for term in (*question.terms, *spoken)}
    called = [*(named.lexemes for named in question.named), *map(lexemes, names), question.owner]
    about = frozenset(lexeme for name in called for lexeme in name)
    named = frozenset(term for term in of if about.issuperset(term))
    asked = frozenset(of) - named
    ways = {term: tuple(frozenset(alike(lexeme)) for lexeme in term) for term in of}
    return Weights(
        of=of,
        about=named,
        names=tuple(map(frozenset, called)),
        pairs=question.pairs,
        wants_value=question.wants_value,
        subjects=subjects,
        ways=ways,
        told_by=frozenset(one for each in ways.values() for way in each for one in way),
        asked=asked,
        whole=fsum(of.values()),
        whole_asked=fsum(of[term] for term in asked),
    )


def _rarity(term: Term, found: Found) -> float:
    count = min(max(found.frequencies.get(other, 0) for other in alike(lexeme)) for lexeme in term)
    return log(1 + (found.documents - count + 0.5) / (count + 0.5))


def is_known(named: Named, found: Found) -> bool:
    """Whether everything the name is made of occurs somewhere this reader can see."""
    return all(found.frequencies.get(lexeme, 0) > 0 for lexeme in named.lexemes)


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question's words beside what is known of them here: who among them writes, and what nobody says."""

    weights: Weights
    people: frozenset[Term]
    years: tuple[int, ...]
    unsaid: float
    threads: Mapping[tuple[str, str], frozenset[str]]
    before: Mapping[UUID, str]


def evidence_of(
    candidates: Sequence[Candidate],
    question: Question,
    found: Found,
    weights: Weights,
    subjects: Mapping[UUID, Sequence[str]],
) -> list[Evidence]:
    """Every sentence of the candidates in its author's own words, best first.

    subjects: names each item is about.
    """
    top = max((one.score for one in candidates), default=0.0) or 1.0
    people = people_of(candidates, weights.names)
    asking = _Asking(
        weights,
        frozenset(term for term in weights.about if people.issuperset(term)),
        years_in(question.text),
        _unsaid(weights, found),
        threads_of(candidates),
        asked_before(candidates),
    )
    sentences_ = [
        one
        for candidate in candidates
        for one in _of_passage(
            candidate, asking, subjects.get(candidate.item.item, ()), 0.75 + 0.25 * candidate.score / top
        )
    ]
    others = [one for one in sentences_ if not one.traits.is_about] if weights.about else []
    rival = max((one.asked for one in others), default=0.0)
    best = max((one.candidate.score for one in others), default=0.0) / top
    weighed = [
        one.weighed(_against(one, rival, one.candidate.score / top - best) if weights.about else one.traits)
        for one in sentences_
    ]
    return sorted(weighed, key=lambda one: (-one.score, one.candidate.passage.passage.int, one.start))


def _against(one: _Said, rival: float, ahead: float) -> Traits:
    """The sentence beside those about somebody or something else: what the best says, how the best ranks."""
    own = one.traits
    says_more = round(max(0.0, rival - one.asked), PLACES)
    return Traits(own.covered, own.named, own.person, own.period, says_more, own.unsaid, round(ahead, PLACES))


def _unsaid(weights: Weights, found: Found) -> float:
    asked = weights.asked
    if not asked:
        return 0.0
    said = [term for term in asked if _is_said(term, found)]
    return round(1.0 - weights.asked_share(said), PLACES)


def _is_said(term: Term, found: Found) -> bool:
    return all(any(found.frequencies.get(other, 0) for other in alike(lexeme)) for lexeme in term)


def _of_passage(
    candidate: Candidate, asking: _Asking, subjects: Sequence[str], standing: float
) -> Iterable[_Said]:
    body = candidate.passage.body
    weights = asking.weights
    told = weights.covered((*lexemes(_surroundings(candidate, subjects)), *months_of(candidate)))
    led = weights.covered(lexemes(candidate.way.relations) if candidate.way else ())
    beside = weights.covered((*lexemes(body), *lexemes(asking.before.get(candidate.passage.passage, ""))))
    talk = talk_of(candidate, asking.threads)
    for start, end in sentences(body):
        if _is_own(candidate, start, end):
            yield _evidence(candidate, (start, end), _Around(told | led, beside, talk, led), asking, standing)


@dataclass(frozen=True, slots=True)
class _Around:
    """The question's words that the surroundings hold, those the whole passage does, and who talks.

    led: those that say how the graph leads to it, as "amended" does; whatever it says, it says as that.
    """

    told: frozenset[Term]
    beside: frozenset[Term]
    talk: Talk
    led: frozenset[Term]


def _evidence(
    candidate: Candidate, span: tuple[int, int], around: _Around, asking: _Asking, standing: float
) -> _Said:
    start, end = span
    weights = asking.weights
    text = candidate.passage.body[start:end]
    said = lexemes(text)
    own = weights.covered(said)
    every = own | around.told | around.beside
    score = weights.share(own & weights.asked) + ASKED_AROUND * weights.share((every - own) & weights.asked)
    score += ABOUT * weights.share(every & weights.about) + ABOUT_OWN * weights.share(own & weights.about)
    score += RANK * standing + PHRASE * _phrases(said, weights)
    if candidate.item.item in weights.subjects:
        score += SUBJECT
    if weights.wants_value and _holds_value(text):
        score += VALUE
    meant = weights.covered(talked_of(text, said, around.talk))
    traits = _traits(candidate, text, (own, meant), around, asking)
    asked = round(weights.asked_share(own | around.led), PLACES)
    return _Said(candidate, start, end, asked, traits, round(score, PLACES))


@remembered
def _holds_value(text: str) -> bool:
    return any(letter.isdigit() for letter in _POINTER.sub("", text))


def _traits(
    candidate: Candidate,
    text: str,
    said: tuple[frozenset[Term], frozenset[Term]],
    around: _Around,
    asking: _Asking,
) -> Traits:
    """Of what the sentence says itself, and whom and what it means."""
    weights, people = asking.weights, asking.people
    own, meant = said
    every = own | around.told | around.beside
    things = weights.about - people
    others = people - meant
    present = every | weights.covered(around.talk.present) if others else every
    return Traits(
        covered=round(weights.share(every), PLACES),
        named=things <= own | around.told or (things <= every and not _names_others(text)),
        person=not people or (others != people and others <= present),
        period=all(str(year) in text or year >= _begins(candidate) for year in asking.years),
        rival=0.0,
        unsaid=asking.unsaid,
    )


def _begins(candidate: Candidate) -> int:
    """The year from which on an item speaks."""
    return (candidate.item.valid_from or candidate.item.created_at).year


@remembered
def _names_others(text: str) -> bool:
    """Whether the sentence names somebody or something itself; a currency or unit names nothing."""
    return any(len(name) > UNIT or not name.isupper() for name in capitalised(text))


def _phrases(said: Sequence[str], weights: Weights) -> float:
    """The share of the question's neighbouring words that are neighbours here too."""
    return len(weights.pairs & set(pairwise(said))) / len(weights.pairs) if weights.pairs else 0.0


def _is_own(candidate: Candidate, start: int, end: int) -> bool:
    """Whether no part of it is quoted, forwarded or hidden."""
    return all(
        origin == "own" or end <= int(str(first)) or int(str(last)) <= start
        for first, last, origin in candidate.passage.spans
    )


def _surroundings(candidate: Candidate, subjects: Sequence[str]) -> str:
    item, passage = candidate.item, candidate.passage
    named = item.id if item.kind in ("document", "issue", "crm", "alert", "episode") else None
    past = () if candidate.way is None else candidate.way.titles
    parts = (item.title, *passage.heading, passage.speaker, item.author_name, named, *subjects, *past)
    return "\n".join(part for part in parts if part)
