"""How much of an answer's wording a question gives away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from evals.ledger.entries import Ledger
from muniment.index.words import lexemes

__all__ = ["Shared", "shared_words"]


@dataclass(frozen=True, slots=True)
class Shared:
    """Words a question and the sentence that answers it share: of their stems, and as runs of words."""

    stems: float
    run: int


def shared_words(ledger: Ledger) -> list[Shared]:
    """One for each wording and each text it has to rest on; the scope's own words are in neither."""
    return [
        Shared(_jaccard(wording, gold.quote), _longest_run(wording, gold.quote))
        for question in ledger.questions
        for wording in question.wordings
        for gold in (*question.must_state, *question.must_not_state)
    ]


def _jaccard(one: str, other: str) -> float:
    first, second = set(lexemes(one)), set(lexemes(other))
    return len(first & second) / len(first | second) if first | second else 0.0


def _longest_run(one: str, other: str) -> int:
    """The most words in a row that both have."""
    first, second = one.casefold().split(), other.casefold().split()
    most = 0
    while most < len(first) and set(_runs(first, most + 1)) & set(_runs(second, most + 1)):
        most += 1
    return most


def _runs(words: list[str], n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[place:] for place in range(n)), strict=False)


def mean_stems(shared: Iterable[Shared]) -> float:
    return fmean(one.stems for one in shared)
