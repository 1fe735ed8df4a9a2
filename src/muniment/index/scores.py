"""BM25 in numpy: pure, exact, and the same to the last byte however the postings were stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from muniment.index import blocks
from muniment.index.blocks import Numbers, Words

Weights: TypeAlias = NDArray[np.float64]

K1: Final = 1.2
B: Final = 0.75
PLACES: Final = 6
# A table over the whole range of document numbers is quicker than sorting, unless large or nearly empty.
WIDEST: Final = 1 << 23
SPARSE: Final = 16


# Larger than any error of rounding, smaller than any difference that is kept.
SLACK: Final = 10 * 10.0**-PLACES


@dataclass(frozen=True, slots=True)
class Scores:
    """The best documents by BM25, with what the reader's own documents say of each lexeme.

    ``docs`` (int64) and ``scores`` (float64, 6 decimals) are in order of falling score, then number; every
    document that ties with the last is in. ``frequencies`` counts the documents that have a lexeme, among
    the ``documents`` permitted.
    """

    docs: Numbers
    scores: Weights
    frequencies: Mapping[str, int]
    documents: int


@dataclass(frozen=True, slots=True)
class Postings:
    """The permitted postings of one lexeme, and what a full score in it is worth."""

    words: Words
    docs: Numbers
    idf: float

    @property
    def most(self) -> float:
        """More than it can add to any document."""
        return self.idf * (K1 + 1)

    def among(self, docs: Numbers) -> "Postings":
        """Those of the given documents."""
        kept = _held(self.docs, docs)
        return Postings(self.words[kept], self.docs[kept], self.idf)

    def weigh(self, average: float) -> Weights:
        """What it adds to the score of each of its documents."""
        tf = blocks.occurrences_of(self.words).astype(np.float64)
        room = blocks.lengths_of(self.words) * (K1 * B / average) + K1 * (1 - B)
        return tf * (self.idf * (K1 + 1)) / (tf + room)


def rank(matches: Mapping[str, Sequence[Words]], *, documents: int, length: int, limit: int) -> Scores:
    """Score the postings of each lexeme and keep the best; ``length`` is the sum over permitted documents."""
    # Sorted, because a document's score is summed in this order whatever the order of the question.
    lists = {lexeme: blocks.joined(pieces) for lexeme, pieces in sorted(matches.items())}
    frequencies = {lexeme: len(words) for lexeme, words in lists.items()}
    found = [Postings(words, blocks.docs_of(words), idf(len(words), documents)) for words in lists.values()]
    found = [postings for postings in found if len(postings.words)]
    if not found or limit < 1:
        return Scores(np.empty(0, np.int64), np.empty(0), frequencies, documents)
    average = length / documents
    contenders = _contenders(found, average, limit)
    if contenders is not None:
        found = [postings.among(contenders) for postings in found]
    return Scores(*_best(*_sums(found, average), limit), frequencies, documents)


def idf(frequency: int, documents: int) -> float:
    """How telling a lexeme is; above zero even when every document has it."""
    return log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def _contenders(found: Sequence[Postings], average: float, limit: int) -> Numbers | None:
    """Documents that can be among the best, or None if all can (MaxScore, Turtle and Flood 1995).

    Taken from the rarest lexemes, until all others together are worth less than the last place is already.
    """
    falling = sorted(found, key=lambda postings: postings.idf, reverse=True)
    for count in range(1, len(falling)):
        left = sum(postings.most for postings in falling[count:])
        docs, scores = _sums(falling[:count], average)
        if len(scores) >= limit and np.partition(scores, -limit)[-limit] > left + SLACK:
            return docs
    return None


def _held(docs: Numbers, kept: Numbers) -> NDArray[np.bool_]:
    """Which of the documents are among those kept, by a table where numpy would sort."""
    first, width = int(kept.min()), int(np.ptp(kept)) + 1
    if width > WIDEST:
        return np.isin(docs, kept, assume_unique=True)
    table = np.zeros(width + 2, np.bool_)
    table[kept - (first - 1)] = True
    return table.take(docs - (first - 1), mode="clip")


def _best(docs: Numbers, scores: Weights, limit: int) -> tuple[Numbers, Weights]:
    """Keep the top ``limit`` and all that tie with the last, compared after rounding."""
    if len(scores) > limit:
        last = np.partition(scores, -limit)[-limit].round(PLACES)
        near = scores > last - SLACK
        docs, scores = docs[near], scores[near].round(PLACES)
        docs, scores = docs[scores >= last], scores[scores >= last]
    else:
        scores = scores.round(PLACES)
    order = np.lexsort((docs, -scores))
    return docs[order], scores[order]


def _sums(found: Sequence[Postings], average: float) -> tuple[Numbers, Weights]:
    # bincount adds in the order given, lexeme by lexeme: a sum never depends on where a posting was stored.
    docs = np.concatenate([postings.docs for postings in found])
    parts = np.concatenate([postings.weigh(average) for postings in found])
    first = int(docs.min())
    width = int(docs.max()) - first + 1
    if width > min(WIDEST, SPARSE * len(docs)):
        numbers, places = np.unique(docs, return_inverse=True)
        return numbers, np.bincount(places, weights=parts).astype(np.float64)
    sums = np.bincount(docs - first, weights=parts).astype(np.float64)
    held = np.flatnonzero(sums).astype(np.int64)
    return held + first, sums[held]
