"""Fits `context/ranking/weights.py`: `python -m evals.retrieval.fit [SET …] [--words] [--keep FOLDER]`.

Each question's pool is read once with all its features; weights are then tried one at a time, and kept where
the mean of the sets' own measures rises. Every set counts the same, whatever its size: one setting for all.
What each feature is worth is told by the same mean without it, the rest as fitted. Nothing is random.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from evals.retrieval.ask import Part, asking
from evals.retrieval.dataset import Dataset, Question
from evals.retrieval.record import Where
from evals.retrieval.sets import SETS
from evals.shared import NotHere
from muniment.answer.worded import worded
from muniment.claims.items import items_of
from muniment.context.ranking.features import FEATURES, measured
from muniment.context.ranking.weights import MEANING, WORDS
from muniment.context.retrieve import look
from muniment.view import View

__all__ = ["main"]

Weights = dict[str, float]
NAMES: Final = tuple(FEATURES)
STEPS: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4)
AGAINST: Final = frozenset(("asks", "machine"))
ROUNDS: Final = 3
LEAST: Final = 2e-4  # of the mean, or it is noise
_DEFAULT: Final = ("locomo", "memdaily", "beam", "qmsum")


@dataclass(frozen=True, slots=True)
class Row:
    """A question's passages by feature, the unit of each, and which units are gold."""

    features: NDArray[np.float32]
    units: tuple[str, ...]
    question: Question


@dataclass(frozen=True, slots=True)
class Fitted:
    """A set with its questions."""

    dataset: Dataset
    rows: tuple[Row, ...]

    def score(self, weights: Mapping[str, float]) -> float:
        """The set's first measure, over the questions it is taken over."""
        vector = np.array([weights.get(name, 0.0) for name in NAMES], np.float32)
        measure = self.dataset.measures[0]
        scored = [measure.score(_best(row, vector, self.dataset), row.question.gold) for row in self.rows]
        kept = [one for one in scored if one is not None]
        return sum(kept) / len(kept) if kept else 0.0


def _best(row: Row, vector: NDArray[np.float32], dataset: Dataset) -> list[str]:
    order = np.argsort(-(row.features @ vector), kind="stable").tolist()
    found: dict[str, None] = {}
    for place in order:
        found.setdefault(row.units[place])
        if len(found) == dataset.depth:
            break
    return list(found)


def read(dataset: Dataset, where: Where, part: Part) -> Fitted:
    """Every question's pool, as its reader may see it."""
    with asking(dataset, where, part) as (org, questions):
        known: dict[UUID, str] = {}
        return Fitted(
            dataset, tuple(_row(org.reader(one.reader), one, dataset, known) for _, one in questions)
        )


def _row(view: View, question: Question, dataset: Dataset, known: dict[UUID, str]) -> Row:
    meaning, _ = view._meaning(question.text)
    with view._reading() as reader:
        first, *also = (one.question for one in worded(reader, question.text, ()))
        looked = look(reader, first, meaning, also=also)
        unknown = sorted({one.item for one in looked.pool.rows} - set(known))
        known |= {one.item: dataset.unit(one.id) for one in items_of(reader, unknown)}
    features = measured(looked.pool, looked.asked, NAMES)
    table = np.stack([features[name] for name in NAMES], axis=1).astype(np.float32)
    return Row(table, tuple(known[one.item] for one in looked.pool.rows), question)


def fit(sets: Sequence[Fitted], weights: Weights, names: Sequence[str]) -> Weights:
    """Weights no single step betters, or as far as `ROUNDS` rounds come."""
    best = _mean(sets, weights)
    for number in range(ROUNDS):
        before = best
        for name in names:
            for step in _steps(name):
                tried = {**weights, name: step}
                score = _mean(sets, tried)
                if score > best + LEAST:
                    best, weights = score, tried
        print(f"round {number + 1}: {best:.4f} {_told(weights)}", flush=True)
        if best <= before:
            break
    return weights


def _steps(name: str) -> Iterator[float]:
    yield from (-step if name in AGAINST else step for step in STEPS)


def _mean(sets: Sequence[Fitted], weights: Mapping[str, float]) -> float:
    return sum(one.score(weights) for one in sets) / len(sets)


def _told(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {weight:g}" for name, weight in weights.items() if weight)


def _report(sets: Sequence[Fitted], weights: Weights) -> Iterator[str]:
    whole = _mean(sets, weights)
    yield f"fitted: {_told(weights)}"
    yield "| without | " + " | ".join(one.dataset.name for one in sets) + " | mean lost |"
    yield "|---" * (len(sets) + 2) + "|"
    yield f"| – | {' | '.join(f'{one.score(weights):.3f}' for one in sets)} | |"
    for name in (name for name, weight in weights.items() if weight):
        less = {**weights, name: 0.0}
        scores = " | ".join(f"{one.score(less):.3f}" for one in sets)
        yield f"| {name} | {scores} | {whole - _mean(sets, less):.4f} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, and print the weights with what each is worth."""
    parser = argparse.ArgumentParser(
        "python -m evals.retrieval.fit", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--words", action="store_true", help="no embedder: the weights for words alone")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--limit", type=int, metavar="N", help="about so many questions a set")
    said = parser.parse_args(arguments)
    sets = []
    for name in said.sets or _DEFAULT:
        try:
            sets.append(read(SETS[name], Where(said.keep, said.words), Part(0, 1, said.limit)))
        except NotHere as missing:
            print(f"{name}: skipped: {missing}")
    begun = dict(WORDS if said.words else MEANING)
    names = [name for name in NAMES if not (said.words and name.startswith("meaning"))]
    print(f"as it is: {_mean(sets, begun):.4f}")
    for line in _report(sets, fit(sets, begun, names)):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
