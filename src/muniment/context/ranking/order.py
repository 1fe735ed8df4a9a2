"""Features and weights to one score a passage. Pure: the same pool and question give the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from muniment.context.ranking.features import Asked, measured, scaled
from muniment.context.ranking.pool import Floats, Placed, Pool
from muniment.context.ranking.weights import MEANING, WORDS

__all__ = ["first_look", "scores", "weighted"]

PLACES = 6
WORDS_ALONE = 0.5  # what the best match by words alone is worth, beside what else speaks for a page


def first_look(
    placed: Sequence[Placed], words: Mapping[int, float], meaning: Mapping[int, float] | None, many: int
) -> list[int]:
    """Numbers of the best by words and meaning alone, of rows in the order of their ids.

    What stands beside them is looked at too.
    """
    weights = WORDS if meaning is None else MEANING
    found = weights["words"] * scaled(np.array([words.get(one.doc, 0.0) for one in placed]))
    if meaning is not None:
        least = min(meaning.values(), default=0.0)
        found = found + weights["meaning"] * scaled(np.array([meaning.get(one.doc, least) for one in placed]))
    return [placed[row].doc for row in np.argsort(-found.round(PLACES), kind="stable")[:many].tolist()]


def scores(pool: Pool, asked: Asked) -> Floats:
    """From 0 to the best of the question's: 1 where meaning had a part. The order of rows breaks ties."""
    if not len(pool):
        return np.zeros(0)
    weights = WORDS if pool.meaning is None else MEANING
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
