"""What keeps a memory out of a briefing, in this order and before anything is ranked. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from muniment.lenses.incidents.memories import Memory
from muniment.lenses.incidents.situation import Situation

__all__ = ["FILTERS", "Now", "Tally", "kept_out", "same_version"]

OLDEST: Final = timedelta(days=3 * 365)
_REFUTED_OFTEN: Final = 2  # verdicts against it, and twice as many as for it


@dataclass(frozen=True, slots=True)
class Tally:
    """The verdicts that one reader sees on a memory."""

    adopted: int = 0
    refuted: int = 0
    ignored: int = 0

    @property
    def confidence(self) -> float:
        """How often it turned out to be so, of those who looked; a half where nobody did."""
        return (self.adopted + 1) / (self.adopted + self.refuted + 2)


@dataclass(frozen=True, slots=True)
class Now:
    """What a memory is held against: what is observed, when, how it fared, and where topology has changed."""

    situation: Situation
    as_of: datetime
    tallies: Mapping[str, Tally]
    moved: frozenset[str]
    merged: Mapping[str, str] = field(default_factory=dict)


def kept_out(memory: Memory, now: Now, filters: Sequence[Callable[[Memory, Now], str | None]]) -> str | None:
    """The first reason against it; None where it may be a hint."""
    return next(_reasons(memory, now, filters), None)


def _reasons(
    memory: Memory, now: Now, filters: Sequence[Callable[[Memory, Now], str | None]]
) -> Iterator[str]:
    return (why for one in filters if (why := one(memory, now)) is not None)


def _state(memory: Memory, now: Now) -> str | None:
    del now
    if memory.standing.superseded_by is not None:
        return "superseded"
    return None if memory.standing.is_in_force else f"its state is {memory.standing.status!r}"


def _merged(memory: Memory, now: Now) -> str | None:
    into = now.merged.get(memory.id)
    return None if into is None else f"merged into {into}"


def _cause(memory: Memory, now: Now) -> str | None:
    del now
    return None if memory.is_settled else "nobody confirmed its cause"


def _expiry(memory: Memory, now: Now) -> str | None:
    if not memory.standing.holds(now.as_of):
        return "expired, or not valid yet"
    return "older than three years" if now.as_of - memory.at > OLDEST else None


def _environment(memory: Memory, now: Now) -> str | None:
    here, there = now.situation.environment, memory.environment
    if here is None or there is None or here.casefold() == there.casefold():
        return None
    return f"of another environment, {there!r}"


def _version(memory: Memory, now: Now) -> str | None:
    here, there = now.situation.version, memory.version
    return (
        None
        if here is None or there is None or same_version(there, here)
        else f"of another version, {there!r}"
    )


def same_version(covers: str, version: str) -> bool:
    """Whether 4.1 covers 4.1.7: as many parts as the less exact of both has are the same."""
    one, other = (text.casefold().removeprefix("v").split(".") for text in (covers, version))
    return all(left == right for left, right in zip(one, other, strict=False))


def _standing(memory: Memory, now: Now) -> str | None:
    tally = now.tallies.get(memory.id, Tally())
    is_doubted = tally.refuted >= _REFUTED_OFTEN and tally.refuted > 2 * tally.adopted
    return "refuted more often than adopted" if is_doubted else None


def _topology(memory: Memory, now: Now) -> str | None:
    return "what its service leans on has changed since" if memory.id in now.moved else None


FILTERS: Final = (_state, _merged, _cause, _expiry, _environment, _version, _standing, _topology)
