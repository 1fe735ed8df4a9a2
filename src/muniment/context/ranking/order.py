"""Features and weights to one score a passage. Pure: the same pool and question give the same order."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from muniment.context.ranking.features import Asked, measured
from muniment.context.ranking.pool import Floats, Indices, Pool
from muniment.context.ranking.weights import MEANING, WORDS

__all__ = ["first_look", "scores", "weighted"]

PLACES = 6
WORDS_ALONE = 0.5  # what the best match by words alone is worth, beside what else speaks for a page
_LEGS = ("words", "meaning")


def first_look(pool: Pool, many: int) -> Indices:
    """Rows of the best by words and meaning alone: what stands beside them is looked at too."""
    weights = {name: weight for name, weight in _weights(pool).items() if name in _LEGS}
    found = weighted(measured(pool, Asked(), weights), weights, len(pool))
    return np.argsort(-found.round(PLACES), kind="stable")[:many]


def scores(pool: Pool, asked: Asked) -> Floats:
    """From 0 to the best of the question's: 1 where meaning had a part. The order of rows breaks ties."""
    if not len(pool):
        return np.zeros(0)
    weights = _weights(pool)
    found = weighted(measured(pool, asked, weights), weights, len(pool))
    least, span = float(found.min()), float(np.ptp(found))
    share = (found - least) / span if span > 0 else np.ones(len(found))
    most = WORDS_ALONE if pool.meaning is None else 1.0
    return np.asarray((most * share * share).round(PLACES), np.float64)


def weighted(features: Mapping[str, Floats], weights: Mapping[str, float], many: int) -> Floats:
    """The features' sum, each as much as it counts."""
    total = np.zeros(many)
    for name, weight in weights.items():
        total += weight * features[name]
    return total


def _weights(pool: Pool) -> Mapping[str, float]:
    return WORDS if pool.meaning is None else MEANING
