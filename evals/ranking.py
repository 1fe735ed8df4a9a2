"""How well a score tells two kinds apart, with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["auroc", "auroc_interval", "recognised_at"]

RESAMPLES = 1_000
_SEED = 7


def auroc(yes: Sequence[float], no: Sequence[float]) -> float:
    """The chance that one of `yes` scores above one of `no`, ties counting half (Hanley and McNeil 1982)."""
    if not yes or not no:
        return float("nan")
    low = np.sort(np.asarray(no))
    below = np.searchsorted(low, yes, side="left")
    not_above = np.searchsorted(low, yes, side="right")
    return float((below + not_above).mean() / (2 * len(no)))


def auroc_interval(yes: Sequence[float], no: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % over resamples of the questions."""
    if not yes or not no:
        return float("nan"), float("nan")
    draw = np.random.default_rng(_SEED)
    one, other = np.asarray(yes), np.asarray(no)
    areas = [
        auroc(draw.choice(one, len(one)).tolist(), draw.choice(other, len(other)).tolist())
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(areas, (0.025, 0.975))
    return float(low), float(high)


def recognised_at(yes: Sequence[float], no: Sequence[float], wrong: float) -> float:
    """The largest share of `no` below a bar that at most a share `wrong` of `yes` is below."""
    bars = sorted({*yes, *no})
    kept = [bar for bar in bars if sum(score < bar for score in yes) <= wrong * len(yes)]
    return sum(score < kept[-1] for score in no) / len(no) if kept and no else 0.0
