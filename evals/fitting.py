"""Fits the formula of `answer/support.py`: logistic regression on each question's best supported sentence.

Which sentence is best depends on the weights, so each step chooses it anew (as in multiple-instance learning,
Andrews and others 2003). Weights keep the sign that their meaning asks for. Nothing is drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from muniment.answer.support import Formula, Traits

__all__ = ["Row", "fit"]

NAMES = tuple(field.name for field in fields(Traits))
AGAINST = frozenset(("rival", "unsaid"))
STEPS = 1_000
RATE = 0.05
RIDGE = 1e-4
_FIRST_MOMENT, _SECOND_MOMENT = 0.9, 0.999  # Adam, Kingma and Ba 2015


@dataclass(frozen=True, slots=True)
class Row:
    """A question's sentences as traits, whether it can be answered, and how much it counts."""

    traits: tuple[Traits, ...]
    answerable: bool
    weight: float


def fit(rows: Sequence[Row]) -> Formula:
    """The weights that make the best sentence's support most like the truth."""
    sentences = np.array([[float(getattr(t, name)) for name in NAMES] for row in rows for t in row.traits])
    ends = np.cumsum([len(row.traits) for row in rows])
    starts = np.concatenate(([0], ends[:-1]))
    truth = np.array([row.answerable for row in rows], float)
    counts = np.array([row.weight for row in rows])
    counts /= counts.sum()
    signs = np.array([-1.0 if name in AGAINST else 1.0 for name in NAMES])
    weights = np.append(signs, -3.0)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = _slope(weights, sentences, list(zip(starts, ends, strict=True)), truth, counts)
        first = _FIRST_MOMENT * first + (1 - _FIRST_MOMENT) * slope
        second = _SECOND_MOMENT * second + (1 - _SECOND_MOMENT) * slope * slope
        along = first / (1 - _FIRST_MOMENT**step)
        weights = weights - RATE * along / (np.sqrt(second / (1 - _SECOND_MOMENT**step)) + 1e-8)
        weights[:-1] = np.where(signs * weights[:-1] < 0, 0.0, weights[:-1])
    named = {name: round(float(weight), 2) for name, weight in zip(NAMES, weights[:-1], strict=True)}
    return Formula(bias=round(float(weights[-1]), 2), **named)


def _slope(
    weights: NDArray[np.float64],
    sentences: NDArray[np.float64],
    spans: Sequence[tuple[int, int]],
    truth: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The gradient of the weighted log loss, and of the ridge."""
    sums = sentences @ weights[:-1]
    best = [start + int(np.argmax(sums[start:end])) for start, end in spans]
    chosen = np.hstack([sentences[best], np.ones((len(best), 1))])
    likely = 1 / (1 + np.exp(-np.clip(chosen @ weights, -30, 30)))
    ridge = 2 * RIDGE * np.append(weights[:-1], 0.0)
    slope: NDArray[np.float64] = chosen.T @ (counts * (likely - truth)) + ridge
    return slope
