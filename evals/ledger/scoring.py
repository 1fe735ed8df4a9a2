"""What a reader of a pack can state: the words that prove it are there, and none that say otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from evals.ledger.conditions import Handed, Shown
from evals.ledger.entries import Gold, Question

__all__ = ["accuracy", "found", "overlap", "overlap_of_evidence", "reached"]

_MARK = re.compile(r"^(?:> ?|#+ |- )+", re.MULTILINE)


def accuracy(question: Question, handed: Handed) -> float:
    """The share of what must be stated that is; nothing where something is that must not be."""
    stated = [is_shown(gold, handed.shown) for gold in question.must_state]
    wrong = [as_current(gold, handed.shown) for gold in question.must_not_state]
    good = fmean(stated) if stated else 1.0
    return max(0.0, good - (1.0 if any(wrong) else 0.0))


def reached(question: Question, handed: Handed) -> float:
    """The share of the way that is shown: what the reader passes through, and where it ends."""
    return fmean(is_shown(gold, handed.shown) for gold in (*question.through, *question.must_state))


def is_shown(gold: Gold, shown: Iterable[Shown]) -> bool:
    """Whether some piece of the pack has the words, and cites the document they are from."""
    return any(_holds(gold, one) for one in shown)


def as_current(gold: Gold, shown: Sequence[Shown]) -> bool:
    """Whether the words are there as if they held: not marked, and nothing beside them that settles them."""
    if gold.settled_by is not None and any(normal(gold.settled_by) in normal(one.text) for one in shown):
        return False
    return any(_holds(gold, one) and gold.document in one.current for one in shown)


def _holds(gold: Gold, one: Shown) -> bool:
    return gold.document in one.documents and normal(gold.quote) in normal(one.text)


def normal(text: str) -> str:
    """Text without marks of quotation and lists, in single spaces."""
    return " ".join(_MARK.sub("", text).split())


def found(question: Question, handed: Handed) -> frozenset[str]:
    """Which of the question's own words were shown, by the place they stand at."""
    every = (*question.through, *question.must_state, *question.must_not_state)
    return frozenset(f"{one.document} {one.section}" for one in every if is_shown(one, handed.shown))


def overlap(handed: Sequence[Handed]) -> float:
    """How alike the citations of the wordings are: mean Jaccard of every two."""
    return _alike([frozenset(span for one in each.shown for span in one.spans) for each in handed])


def overlap_of_evidence(question: Question, handed: Sequence[Handed]) -> float:
    """The same over the words that bear on the question, whatever else was cited."""
    return _alike([found(question, each) for each in handed])


def _alike(sets: Sequence[frozenset[object]]) -> float:
    return fmean(_jaccard(one, other) for one, other in combinations(sets, 2))


def _jaccard(one: frozenset[object], other: frozenset[object]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0
