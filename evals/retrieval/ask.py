"""The questions of a set with whoever asks them: for measuring, and for scripts that fit weights."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import muniment
from evals.retrieval.dataset import Cluster, Dataset, Question
from evals.retrieval.measure import Asked
from evals.retrieval.record import Where, holding
from evals.retrieval.sets import SETS
from muniment.domain.evaluation import Packed
from muniment.domain.values import Citation, Hit
from muniment.view import View

__all__ = ["EVERYTHING", "Part", "ask", "asking", "triples"]


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a set: every n-th cluster from the i-th, and at most so many questions, evenly chosen."""

    first: int = 0
    step: int = 1
    limit: int | None = None

    @property
    def told(self) -> str:
        """What was left out, in words; nothing where nothing was."""
        clusters = "" if self.step == 1 else f", clusters {self.first}, {self.first + self.step}, …"
        return clusters if self.limit is None else f"{clusters}, about {self.limit} questions a set"

    def clusters(self, dataset: Dataset) -> Iterator[Cluster]:
        return islice(iter(dataset.clusters()), self.first, None, self.step)

    def chosen(self, questions: Sequence[tuple[str, Question]]) -> Sequence[tuple[str, Question]]:
        stride = max(1, -(-len(questions) // self.limit)) if self.limit else 1
        return questions[::stride]


EVERYTHING = Part()


@contextmanager
def asking(
    dataset: Dataset, where: Where, part: Part = EVERYTHING
) -> Iterator[tuple[muniment.Org, Sequence[tuple[str, Question]]]]:
    """A record that holds the part, and its questions with their cluster."""
    with holding(where, dataset.record, part.clusters(dataset)) as (org, questions):
        yield org, part.chosen(questions)


@contextmanager
def triples(
    name: str, keep: Path | None = None, *, words_only: bool = False
) -> Iterator[Iterator[tuple[View, Question, frozenset[str]]]]:
    """A set's reader, question and gold ids, one after the other, while its record is open.

    A gold id is the hit's `item`, but for a set with a `unit` of its own.
    """
    with asking(SETS[name], Where(keep, words_only)) as (org, questions):
        yield ((org.reader(one.reader), one, one.gold) for _, one in questions)


def ask(
    org: muniment.Org, dataset: Dataset, cluster: str, question: Question, *, budget: int | None = None
) -> Asked:
    """One search by default settings, as of now; each unit once, where its first item stands.

    With a budget a pack too, and the units it cites.
    """
    reader = org.reader(question.reader)
    start = time.perf_counter()
    hits = reader.search(question.text, limit=dataset.depth)
    ms = 1_000 * (time.perf_counter() - start)
    packed = None if budget is None else _pack(reader, dataset, question, budget)
    return Asked(cluster, question, _units(dataset, hits), ms, packed)


def _pack(reader: View, dataset: Dataset, question: Question, budget: int) -> Packed:
    pack = reader.context(question.text, budget=budget)
    cited = (one for part in pack.parts for one in part.citations)
    return Packed(_units(dataset, cited), pack.budget.used)


def _units(dataset: Dataset, places: Iterable[Hit | Citation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(dataset.unit(str(one.item)) for one in places))
