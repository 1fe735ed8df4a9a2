"""How well a passage's sentences answer a question: the share of its content words they cover, weighted by rarity. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from muniment.context.question import Named, Question
from muniment.context.retrieve import Candidate, Found
from muniment.index.words import lexemes
from muniment.items.sentences import sentences

__all__ = ["Evidence", "Weights", "evidence_of", "is_known", "weigh"]

# Words around a sentence tell what it is about, but it does not say them itself.
_AROUND = 0.85


@dataclass(frozen=True, slots=True)
class Weights:
    """How telling each word of a question is, over what the reader can see; a word nobody said is the most telling."""

    of: Mapping[str, float]
    total: float

    def share(self, words: Iterable[str]) -> float:
        """The part of the question's weight that these words carry, 0 to 1."""
        return sum(self.of[word] for word in words if word in self.of) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence [start, end) of a candidate's passage, and how much of the question it covers.

    `coverage` counts the sentence and what stands around it; `own` the sentence alone. `score` orders evidence.
    """

    candidate: Candidate
    start: int
    end: int
    own: float
    coverage: float
    score: float

    @property
    def text(self) -> str:
        """The sentence, verbatim."""
        return self.candidate.passage.body[self.start : self.end]


def weigh(question: Question, found: Found) -> Weights:
    """Inverse document frequency of each word, over permitted documents only."""
    of = {
        word: log(1 + (found.documents - count + 0.5) / (count + 0.5))
        for word, count in ((word, found.frequencies.get(word, 0)) for word in question.lexemes)
    }
    return Weights(of, sum(of.values()))


def is_known(named: Named, found: Found) -> bool:
    """Whether everything the name is made of occurs somewhere this reader can see."""
    return all(found.frequencies.get(lexeme, 0) > 0 for lexeme in named.lexemes)


def evidence_of(candidates: Sequence[Candidate], weights: Weights) -> list[Evidence]:
    """Every sentence of the candidates that covers anything, best first."""
    top = max((one.score for one in candidates), default=0.0) or 1.0
    found = [one for candidate in candidates for one in _of_passage(candidate, weights, candidate.score / top)]
    return sorted(found, key=lambda one: (-one.score, one.candidate.passage.passage, one.start))


def _of_passage(candidate: Candidate, weights: Weights, standing: float) -> Iterable[Evidence]:
    around = set(lexemes(_surroundings(candidate))) & weights.of.keys()
    body = candidate.passage.body
    whole = set(lexemes(body)) & weights.of.keys()
    for start, end in sentences(body):
        own = set(lexemes(body[start:end])) & weights.of.keys()
        if not own and not around:
            continue
        said = weights.share(own)
        near = weights.share((around | whole) - own)
        coverage = weights.share(own | around | whole)
        yield Evidence(candidate, start, end, round(said, 6), round(coverage, 6), _score(said, near, standing))


def _score(said: float, near: float, standing: float) -> float:
    return round(said + _AROUND * 0.4 * near + 0.25 * standing, 6)


def _surroundings(candidate: Candidate) -> str:
    item, passage = candidate.item, candidate.passage
    parts = (
        item.title,
        *passage.heading,
        passage.speaker,
        item.author_name,
        item.account,
        item.project,
        item.service,
        item.id if item.kind in ("document", "issue", "crm", "alert", "episode") else None,
    )
    return "\n".join(part for part in parts if part)
