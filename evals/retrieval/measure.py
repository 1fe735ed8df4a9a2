"""Scores of questions into figures: a mean, how many, and an interval that resamples whole clusters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evals.retrieval.dataset import Dataset, Question
from muniment.domain.evaluation import Packed, recall

__all__ = ["RESAMPLES", "Asked", "Figure", "Outcome", "figure", "outcome_of"]

RESAMPLES = 2_000
IN_PACK = "recall in pack"
_SEED = 7


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a cluster, the units found for it, best first, the milliseconds it took, and its pack."""

    cluster: str
    question: Question
    found: tuple[str, ...]
    ms: float
    packed: Packed | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over n questions of so many clusters, with its 95 % interval."""

    value: float
    n: int
    clusters: int
    low: float
    high: float

    @property
    def interval(self) -> str:
        """In words; one cluster says nothing of how sure a mean is."""
        return f"{self.low:.3f}–{self.high:.3f}" if self.clusters > 1 else "–"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a set came to: each measure over all and by category, and the mean time of a question."""

    dataset: Dataset
    how: str
    overall: Mapping[str, Figure]
    by_category: Mapping[str, Mapping[str, Figure]]
    ms: float
    asked: int
    tokens: float | None

    def text(self) -> str:
        """As Markdown."""
        packs = "" if self.tokens is None else f", packs of {self.tokens:,.0f} tokens"
        rows = [
            f"## {self.dataset.name}",
            "",
            f"`{self.how}`: {self.dataset.about}. {self.asked} questions, {self.ms:.1f} ms each{packs}.",
            "",
            "| | measure | value | n | 95 % |",
            "|---|---|---|---|---|",
            *_rows("all", self.overall),
        ]
        for category, figures in self.by_category.items():
            rows += _rows(category, figures)
        return "\n".join([*rows, ""])


def _rows(part: str, figures: Mapping[str, Figure]) -> list[str]:
    return [
        f"| {part} | {name} | {one.value:.3f} | {one.n} | {one.interval} |" for name, one in figures.items()
    ]


def outcome_of(dataset: Dataset, how: str, asked: Sequence[Asked]) -> Outcome:
    """Every measure of the set, over all its questions and over those of each category."""
    parts: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        parts[one.question.category].append(one)
    by_category = {name: _figures(dataset, ones) for name, ones in sorted(parts.items())}
    ms = float(np.mean([one.ms for one in asked])) if asked else 0.0
    split = by_category if len(by_category) > 1 else {}
    tokens = [one.packed.tokens for one in asked if one.packed is not None]
    mean_tokens = float(np.mean(tokens)) if tokens else None
    return Outcome(dataset, how, _figures(dataset, asked), split, ms, len(asked), mean_tokens)


def _figures(dataset: Dataset, asked: Sequence[Asked]) -> dict[str, Figure]:
    figures = {
        measure.name: figure(
            (one.cluster, score)
            for one in asked
            if (score := measure.score(one.found, one.question.gold)) is not None
        )
        for measure in dataset.measures
    }
    figures[IN_PACK] = figure(
        (one.cluster, share)
        for one in asked
        if one.packed is not None
        and (share := recall(len(one.packed.cited)).score(one.packed.cited, one.question.gold)) is not None
    )
    return {name: one for name, one in figures.items() if one.n}


def figure(scores: Iterable[tuple[str, float]]) -> Figure:
    """The mean of scores by cluster, with the middle 95 % of means over resampled clusters."""
    clusters: dict[str, list[float]] = defaultdict(list)
    for cluster, score in scores:
        clusters[cluster].append(score)
    if not clusters:
        return Figure(0.0, 0, 0, 0.0, 1.0)
    sums = np.array([sum(ones) for ones in clusters.values()])
    counts = np.array([len(ones) for ones in clusters.values()])
    drawn = np.random.default_rng(_SEED).integers(0, len(sums), (RESAMPLES, len(sums)))
    low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), (0.025, 0.975))
    return Figure(float(sums.sum() / counts.sum()), int(counts.sum()), len(sums), float(low), float(high))
