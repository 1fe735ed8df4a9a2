"""Each question's score, kept, so that a change is judged question by question."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evals.retrieval.dataset import Dataset
from evals.retrieval.measure import Asked, Figure, figure

__all__ = ["Scores", "against", "load", "save", "scores_of"]

# By set and measure, then by question: its cluster, its words and its gold.
Scores = Mapping[str, Mapping[str, float]]


def scores_of(dataset: Dataset, asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """What each question of a set scored, under the name of the set and the measure."""
    return {
        f"{dataset.name} {measure.name}": {
            "\t".join((one.cluster, one.question.text, *sorted(one.question.gold))): score
            for one in asked
            if (score := measure.score(one.found, one.question.gold)) is not None
        }
        for measure in dataset.measures
    }


def save(file: Path, scores: Scores) -> None:
    file.write_text(json.dumps(scores, ensure_ascii=False, indent=1), encoding="utf-8")


def load(file: Path) -> Scores:
    found: Scores = json.loads(file.read_text(encoding="utf-8"))
    return found


def against(before: Scores, now: Scores) -> Iterator[str]:
    """The mean difference of every measure that both have, over the questions that both have asked."""
    for name in [name for name in now if name in before]:
        both = [question for question in now[name] if question in before[name]]
        change = figure((one.partition("\t")[0], now[name][one] - before[name][one]) for one in both)
        better = sum(now[name][one] > before[name][one] for one in both)
        worse = sum(now[name][one] < before[name][one] for one in both)
        yield f"{name}: {_signed(change)}, {better} better, {worse} worse of {len(both)}"


def _signed(change: Figure) -> str:
    sure = f" ({change.low:+.3f} to {change.high:+.3f})" if change.clusters > 1 else ""
    return f"{change.value:+.3f}{sure}"
