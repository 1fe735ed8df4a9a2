"""The whole benchmark from a seed: documents, facts, references and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from evals.ledger.entries import Ledger, Question
from evals.ledger.plan import Size, plans
from evals.ledger.questions import questions
from evals.ledger.writing import write

__all__ = ["FULL", "QUICK", "SEED", "draw_ledger"]

SEED = 20261130
FULL = Size()
QUICK = Size(lines=2, states=3, sentences=(3, 5), every=3)


def draw_ledger(seed: int = SEED, size: Size = FULL) -> Ledger:
    """Documents with their keys and the questions about them; the same for the same seed."""
    planned = {plan.id: plan for plan in plans(seed, size)}
    written = {id_: write(plan, planned, seed, size) for id_, plan in planned.items()}
    return Ledger(
        tuple(one.document for one in written.values()),
        tuple(fact for one in written.values() for fact in one.facts),
        tuple(reference for one in written.values() for reference in one.references),
        tuple(_thinned(questions(planned, written, seed), size.every)),
    )


def _thinned(every: Iterable[Question], nth: int) -> Iterator[Question]:
    """Every nth of each split."""
    met: Counter[str] = Counter()
    for one in every:
        if met[one.split] % nth == 0:
            yield one
        met[one.split] += 1
