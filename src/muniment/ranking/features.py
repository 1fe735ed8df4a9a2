"""What speaks for a passage, a number each: its own words, what stands around it, who says it and when. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from muniment.index.places import ASKS, COUNTS, DATES
from muniment.ranking.pool import NONE, Floats, Indices, Pool

__all__ = ["FEATURES", "Asked", "measured"]

_BEST: Final = 3  # passages of an occasion that count together
_AFTER: Final = 10  # days in which what happened is spoken of


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for beside its words.

    `speakers` are those among the pool that it names, `days` and `spans` the stretches of time it names, as
    [start, end) in seconds since 1970; `wants` what kind of thing; `kinds` of which kinds of item.
    """

    speakers: frozenset[str] = frozenset()
    days: tuple[tuple[float, float], ...] = ()
    spans: tuple[tuple[float, float], ...] = ()
    wants: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()


def measured(pool: Pool, asked: Asked) -> dict[str, Floats]:
    """Every feature by name, a number a row. What cannot be told is 0 for all."""
    if not len(pool):
        return {name: np.zeros(0) for name in FEATURES}
    return {name: feature(pool, asked) for name, feature in FEATURES.items()}


def _scaled(values: Floats) -> Floats:
    """How far from the usual, in standard deviations."""
    spread = float(values.std())
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _meaning(pool: Pool) -> Floats:
    return np.zeros(len(pool)) if pool.meaning is None else pool.meaning


def _beside(values: Floats, where: Indices, without: float) -> Floats:
    """The value of another row, or what counts where there is none."""
    return np.where(where == NONE, without, values[where])


def _best_of_occasion(pool: Pool, values: Floats) -> Floats:
    best = np.full(int(pool.stretch.max()) + 1, -np.inf)
    np.maximum.at(best, pool.stretch, values)
    return best[pool.stretch]


def _sum_of_occasion(pool: Pool, values: Floats) -> Floats:
    """What the best few of an occasion come to together."""
    order = np.lexsort((-values, pool.stretch))
    stretch = pool.stretch[order]
    first = np.flatnonzero(np.r_[True, stretch[1:] != stretch[:-1]])
    place = np.arange(len(order)) - np.repeat(first, np.diff(np.r_[first, len(order)]))
    kept = order[place < _BEST]
    sums = np.bincount(pool.stretch[kept], weights=values[kept], minlength=int(pool.stretch.max()) + 1)
    return np.asarray(sums[pool.stretch], np.float64)


def _bit(pool: Pool, bit: int) -> Floats:
    return np.array([float(bool(one.traits & bit)) for one in pool.rows])


def _where(is_asked: bool, values: Floats) -> Floats:
    return values if is_asked else np.zeros(len(values))


def _spoken(pool: Pool, asked: Asked) -> Floats:
    """By the one speaker the question names; who is one of several tells nothing."""
    if len(asked.speakers) != 1 or len({one.speaker for one in pool.rows}) == 1:
        return np.zeros(len(pool))
    return np.array([float(one.speaker in asked.speakers) for one in pool.rows])


def _said_in(pool: Pool, asked: Asked) -> Floats:
    at = np.array([one.at for one in pool.rows])
    found = np.zeros(len(pool))
    for start, end in asked.spans:
        inside = (at >= start) & (at < end)
        soon = (at >= end) & (at < end + min(end - start, 14 * 86400.0))
        found = np.maximum(found, np.where(inside, 1.0, np.where(soon, 0.5, 0.0)))
    return found


def _said_after(pool: Pool, asked: Asked) -> Floats:
    """On the day that is named or soon after, the sooner the more."""
    at = np.array([one.at for one in pool.rows])
    found = np.zeros(len(pool))
    for start, _ in asked.days:
        since = np.floor((at - start) / 86400.0)
        near = np.where((since >= 0) & (since <= _AFTER), 1 - since / 15, 0.0)
        found = np.maximum(found, np.where((since < 0) & (since >= -3), 0.3, near))
    return found


def _late(pool: Pool) -> Floats:
    """From 0, the first, to 1, the last."""
    at = np.array([one.at for one in pool.rows])
    span = float(np.ptp(at))
    return (at - at.min()) / span if span else np.zeros(len(at))


FEATURES: Final[Mapping[str, Callable[[Pool, Asked], Floats]]] = {
    "words": lambda pool, _: _scaled(pool.lexical),
    "words_before": lambda pool, _: _scaled(_beside(pool.lexical, pool.before, 0.0)),
    "words_after": lambda pool, _: _scaled(_beside(pool.lexical, pool.after, 0.0)),
    "words_around": lambda pool, _: _scaled(_best_of_occasion(pool, pool.lexical)),
    "words_together": lambda pool, _: _scaled(_sum_of_occasion(pool, pool.lexical)),
    "meaning": lambda pool, _: _scaled(_meaning(pool)),
    "meaning_before": lambda pool, _: _scaled(_beside(_meaning(pool), pool.before, float(_meaning(pool).mean()))),
    "meaning_after": lambda pool, _: _scaled(_beside(_meaning(pool), pool.after, float(_meaning(pool).mean()))),
    "meaning_around": lambda pool, _: _scaled(_best_of_occasion(pool, _meaning(pool))),
    "speaker": _spoken,
    "period": _said_in,
    "day": _said_after,
    "dated": lambda pool, asked: _where("when" in asked.wants, _bit(pool, DATES)),
    "counted": lambda pool, asked: _where("number" in asked.wants, _bit(pool, COUNTS)),
    "asks": lambda pool, _: _bit(pool, ASKS),
    "latest": lambda pool, asked: _where("latest" in asked.wants, _late(pool)),
    "earliest": lambda pool, asked: _where("earliest" in asked.wants, 1 - _late(pool)),
    "kind": lambda pool, asked: np.array([float(one.kind in asked.kinds) for one in pool.rows]),
}
