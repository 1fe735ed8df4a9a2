"""What speaks for a passage, a number each: its words, what stands around it, who says it and when. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from muniment.context.asked.wants import Want
from muniment.context.asked.when import DAY, When
from muniment.context.ranking.pool import NONE, Floats, Indices, Pool
from muniment.domain.regex import regex
from muniment.index.places import ASKS, COUNTS, DATES, WHOLE

__all__ = ["FEATURES", "Asked", "measured"]

_MACHINE: Final = regex(
    r"(?:[a-z]+:)?(?:(?:(?:ai|virtual)[ _-])?assistant[ _-]?\d*|(?:.*[ _-])?bot|.*(?:机器人|助手))",
    re.IGNORECASE,
)
_BEST: Final = 3  # passages of an occasion that count together
_AFTER: Final = 10  # days in which what happened on a day is spoken of
_SOON: Final = 14  # and what happened in a longer stretch
_EPOCH: Final = date(1970, 1, 1)
_FIRST, _LAST = ((day - _EPOCH).days for day in (date.min, date.max))  # of the calendar


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for beside its words.

    `speakers` are those among the pool that it names; `whens` the stretches of time, `wants` what kind of
    thing, `kinds` of which kinds of item.
    """

    speakers: frozenset[str] = frozenset()
    whens: tuple[When, ...] = ()
    wants: frozenset[Want] = frozenset()
    kinds: frozenset[str] = frozenset()


def measured(pool: Pool, asked: Asked, names: Iterable[str]) -> dict[str, Floats]:
    """The features of these names, a number a row each. What cannot be told is 0 for all."""
    if not len(pool):
        return {name: np.zeros(0) for name in names}
    return {name: FEATURES[name](pool, asked) for name in names}


def scaled(values: Floats) -> Floats:
    """How far from the usual, in standard deviations."""
    spread = float(values.std()) if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _meaning(pool: Pool) -> Floats:
    return np.zeros(len(pool)) if pool.meaning is None else pool.meaning


def _beside(values: Floats, where: Indices, without: float) -> Floats:
    """The value of another row, or what counts where there is none."""
    return np.where(where == NONE, without, values[where])


def _among_occasions(pool: Pool, values: Floats) -> Floats:
    """Scaled over what is said on occasions; what stands alone neither gains nor loses by having none."""
    shared = np.bincount(pool.stretch)[pool.stretch] > 1
    found = np.zeros(len(values))
    found[shared] = scaled(values[shared]) if shared.any() else 0.0
    return found


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


def _best_of_talk(pool: Pool, values: Floats) -> Floats:
    """The best of the whole channel or talk, over its rests; what is one occasion has that already."""
    lines = np.unique([one.line for one in pool.rows], return_inverse=True)[1].astype(np.int64)
    talk = (_bit(pool, WHOLE) == 0) & (np.bincount(lines)[lines] > 1)
    best = np.full(int(lines.max()) + 1, -np.inf)
    np.maximum.at(best, lines, values)
    found = np.zeros(len(values))
    found[talk] = scaled(best[lines[talk]])
    return found


def _bit(pool: Pool, bit: int) -> Floats:
    return np.array([float(bool(one.traits & bit)) for one in pool.rows])


def _if(values: Floats, *, asked: bool) -> Floats:
    return values if asked else np.zeros(len(values))


def _spoken(pool: Pool, asked: Asked) -> Floats:
    """By the one speaker the question names; who is one of several tells nothing."""
    if len(asked.speakers) != 1 or len({one.speaker for one in pool.rows}) == 1:
        return np.zeros(len(pool))
    return np.array([float(one.speaker in asked.speakers) for one in pool.rows])


def is_machine(speaker: str | None) -> bool:
    """Whether it is called as a program is: what that says was mostly said to it before."""
    return speaker is not None and _MACHINE.fullmatch(speaker) is not None


def _machines(pool: Pool) -> Floats:
    known = {speaker: float(is_machine(speaker)) for speaker in {one.speaker for one in pool.rows}}
    return np.array([known[one.speaker] for one in pool.rows])


def _said_in(pool: Pool, asked: Asked) -> Floats:
    """In a stretch that is named, or half as much soon after one, when it is spoken of."""
    spans = [one for one in asked.whens if one.kind != "day"]
    if not spans:
        return np.zeros(len(pool))
    return _by_day(pool, lambda day: max((_within(one, day) for one in spans), default=0.0))


def _within(when: When, day: date) -> float:
    off = when.days_off(day)
    if off == 0:
        return 1.0
    # Of an open stretch there is no soon after, and before it nobody can speak of it as past.
    return 0.5 if off <= _SOON and when.after is not None and _holds(when, day, -off) else 0.0


def _holds(when: When, day: date, by: int) -> bool:
    """Whether the day so many on, where the calendar has one, is in the stretch or another one meant."""
    at = day.toordinal() + by
    return 0 < at <= date.max.toordinal() and when.may_hold(date.fromordinal(at))


def _said_after(pool: Pool, asked: Asked) -> Floats:
    """On the day that is named or soon after, the sooner the more."""
    days = [one for one in asked.whens if one.kind == "day"]
    if not days:
        return np.zeros(len(pool))
    return _by_day(pool, lambda day: max((_since(one, day) for one in days), default=0.0))


def _since(when: When, day: date) -> float:
    off = when.days_off(day)
    if off and _holds(when, day, off):  # still to come
        return 0.3 if off <= 3 else 0.0
    return 1 - off / 15 if off <= _AFTER else 0.0


def _by_day(pool: Pool, worth: Callable[[date], float]) -> Floats:
    known: dict[int, float] = {}
    # The last instants of the calendar, as seconds, are those of the day after it.
    days = np.clip(np.floor(pool.at / 86400.0), _FIRST, _LAST).astype(np.int64).tolist()
    for number in days:
        if number not in known:
            known[number] = worth(_EPOCH + number * DAY)
    return np.array([known[number] for number in days])


def _late(pool: Pool) -> Floats:
    """From 0, the first, to 1, the last."""
    span = float(np.ptp(pool.at))
    return (pool.at - pool.at.min()) / span if span else np.zeros(len(pool))


FEATURES: Final[Mapping[str, Callable[[Pool, Asked], Floats]]] = {
    "words": lambda pool, _: scaled(pool.lexical),
    "words_before": lambda pool, _: scaled(_beside(pool.lexical, pool.before, 0.0)),
    "words_after": lambda pool, _: scaled(_beside(pool.lexical, pool.after, 0.0)),
    "words_around": lambda pool, _: _among_occasions(pool, _best_of_occasion(pool, pool.lexical)),
    "words_together": lambda pool, _: _among_occasions(pool, _sum_of_occasion(pool, pool.lexical)),
    "words_of_talk": lambda pool, _: _best_of_talk(pool, pool.lexical),
    "meaning": lambda pool, _: scaled(_meaning(pool)),
    "meaning_before": lambda pool, _: scaled(
        _beside(_meaning(pool), pool.before, float(_meaning(pool).mean()))
    ),
    "meaning_after": lambda pool, _: scaled(
        _beside(_meaning(pool), pool.after, float(_meaning(pool).mean()))
    ),
    "meaning_around": lambda pool, _: _among_occasions(pool, _best_of_occasion(pool, _meaning(pool))),
    "meaning_of_talk": lambda pool, _: _best_of_talk(pool, _meaning(pool)),
    "speaker": _spoken,
    "machine": lambda pool, _: _machines(pool),
    "period": _said_in,
    "day": _said_after,
    "dated": lambda pool, asked: _if(_bit(pool, DATES), asked="when" in asked.wants),
    "counted": lambda pool, asked: _if(_bit(pool, COUNTS), asked="number" in asked.wants),
    "asks": lambda pool, _: _bit(pool, ASKS),
    "latest": lambda pool, asked: _if(_late(pool), asked="latest" in asked.wants),
    "earliest": lambda pool, asked: _if(1 - _late(pool), asked="earliest" in asked.wants),
    "kind": lambda pool, asked: np.array([float(one.kind in asked.kinds) for one in pool.rows]),
}
