"""Procedures for one signal that come from several places and say otherwise: told, not decided. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from muniment.domain.incidents import Clash
from muniment.lenses.incidents.memories import Memory
from muniment.lenses.incidents.situation import Situation, words_of

__all__ = ["clashes"]

_SAME: Final = 0.9  # of the words of the shorter: a copy, with another head
_MOST: Final = 10


def clashes(procedures: Iterable[Memory], now: Situation) -> tuple[Clash, ...]:
    """Each pair for a signal that is seen, with what tells their scopes apart."""
    ordered = sorted((one for one in procedures if one.kind == "procedure"), key=lambda one: one.scope)
    return tuple(_found(ordered, now))[:_MOST]


def _found(ordered: Sequence[Memory], now: Situation) -> Iterator[Clash]:
    for one, other in combinations(ordered, 2):
        shared = sorted(one.signals & other.signals & now.signals)
        if shared and _place(one) != _place(other) and not _is_copy(one, other):
            yield Clash(shared[0], (one.id, other.id), (one.scope, other.scope), _why(one, other, now))


def _why(one: Memory, other: Memory, now: Situation) -> str:
    narrower = [each for each in (one, other) if _is_for(each, now)]
    if len(narrower) == 1:
        return f"they say otherwise; {narrower[0].scope} is for {_said(narrower[0])}, the other for any"
    return "they say otherwise, and nothing here tells which of them is meant for this: ask whose it is"


def _is_for(one: Memory, now: Situation) -> bool:
    """Whether it names where it is for; where it is for elsewhere it was kept out already."""
    here = now.environment is not None and one.environment is not None
    return here or (one.service is not None and now.service is not None)


def _said(one: Memory) -> str:
    return " ".join(part for part in (one.service, one.environment, one.version) if part)


def _place(one: Memory) -> str:
    """A source, and the folder in it: what one hand keeps together."""
    return one.scope.rpartition("/")[0] or one.scope.partition(":")[0]


def _is_copy(one: Memory, other: Memory) -> bool:
    words, others = words_of(one.text), words_of(other.text)
    least = min(len(words), len(others))
    return not least or len(words & others) / least >= _SAME
