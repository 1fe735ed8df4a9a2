"""How each promise stands by what was said after it: a state machine moved only by later words. Pure.

Nothing but evidence moves it: that a day has passed makes a promise overdue, never broken, and never kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from muniment.domain.accounts import CommitmentState, Side, Strength
from muniment.lenses.accounts.moves import MoveKind

__all__ = ["Evidence", "Said", "Standing", "settle"]

_SAME = 0.6  # of the words of two promises, so many are shared where they promise the same
_BEARS = 0.5  # of a promise's words, so many are in what bears on it
_OVER: Final = frozenset({"satisfied", "cancelled", "released", "delegated", "superseded"})


@dataclass(frozen=True, slots=True)
class Said:
    """A promise: `words` are what it is about, `who` owes it, `place` the account, `thread` the talk."""

    id: str
    at: datetime
    who: str
    side: Side
    words: frozenset[str]
    place: str
    thread: str
    strength: Strength
    condition: frozenset[str]
    due: date | None
    is_replaced: bool = False

    @property
    def order(self) -> tuple[datetime, str]:
        """By time; of one instant by id."""
        return self.at, self.id


@dataclass(frozen=True, slots=True)
class Evidence:
    """A later sentence and what it does."""

    id: str
    at: datetime
    who: str
    side: Side
    words: frozenset[str]
    place: str
    thread: str
    says: MoveKind
    to: str | None = None

    @property
    def order(self) -> tuple[datetime, str]:
        """By time; of one instant by id."""
        return self.at, self.id


@dataclass(frozen=True, slots=True)
class Standing:
    """The state, what moved it there in order, and which promises say the same."""

    state: CommitmentState
    by: tuple[str, ...] = ()
    to: str | None = None
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Renewed:
    """What says a promise again, and what was promised in its place."""

    again: tuple[str, ...]
    by: Said | None


def settle(said: Iterable[Said], evidence: Iterable[Evidence]) -> dict[str, Standing]:
    """How each stands; one that only repeats an earlier one is told with that one."""
    ordered = sorted(said, key=lambda one: one.order)
    heard = sorted(evidence, key=lambda one: one.order)
    found: dict[str, Standing] = {}
    repeats: set[str] = set()
    for number, one in enumerate(ordered):
        if one.id in repeats:
            continue
        later = [other for other in ordered[number + 1 :] if _is_same(one, other)]
        renewed = _renewed(one, later)
        repeats.update(renewed.again)
        first = _first(one, heard)
        found[one.id] = _stands(one, first, renewed, _bearing(one, heard, ordered))
    return found


def _is_same(one: Said, other: Said) -> bool:
    """The same debtor, the same account, and mostly the same words."""
    if (one.who, one.place) != (other.who, other.place) or not one.words or not other.words:
        return False
    return len(one.words & other.words) >= _SAME * len(one.words | other.words)


def _renewed(one: Said, later: Sequence[Said]) -> _Renewed:
    """What repeats it, until one says it otherwise: that takes its place."""
    again: list[str] = []
    for other in later:
        if other.due not in (None, one.due) or (one.strength != "firm" and other.strength == "firm"):
            return _Renewed(tuple(again), other)
        again.append(other.id)
    return _Renewed(tuple(again), None)


def _bearing(one: Said, heard: Sequence[Evidence], every: Sequence[Said]) -> list[Evidence]:
    return [each for each in heard if each.at > one.at and _bears(each, one, every) and _may(each, one)]


def _bears(heard: Evidence, one: Said, every: Sequence[Said]) -> bool:
    """Whether it is about this promise: by its words, or, without any, as the only open one of its talk."""
    if heard.place != one.place:
        return False
    if one.words and len(heard.words & one.words) >= _BEARS * len(one.words):
        return True
    if heard.words or heard.thread != one.thread:
        return False
    before = [each for each in every if each.thread == one.thread and each.at < heard.at]
    mine = [each for each in before if heard.says != "satisfied" or each.who == heard.who] or before
    return len(mine) == 1 and mine[0].id == one.id


def _may(heard: Evidence, one: Said) -> bool:
    """Only whom it is owed to lets go of it; only whose it is calls it off or passes it on."""
    match heard.says:
        case "released":
            return heard.side != one.side
        case "cancelled" | "delegated":
            return heard.side == one.side
        case _:
            return True


def _stands(one: Said, state: CommitmentState, renewed: _Renewed, heard: Sequence[Evidence]) -> Standing:
    again, successor = renewed.again, renewed.by
    by: list[str] = []
    to: str | None = None
    for each in heard:
        if each.says == "violated" and not _is_past(one, each.at):
            continue  # a reminder before the day is no breach
        state, to = each.says, each.to or to
        by.append(each.id)
    if state not in _OVER and (successor is not None or one.is_replaced):
        return Standing("superseded", (*by, *(() if successor is None else (successor.id,))), to, again)
    return Standing(state, tuple(by), to, again)


def _first(one: Said, heard: Iterable[Evidence]) -> CommitmentState:
    """Before anything became of it; a condition that came true makes it active."""
    if one.strength == "conditional":
        return "active" if any(_meets(each, one) for each in heard) else "conditional"
    return "proposed" if one.strength == "hedged" else "active"


def _meets(heard: Evidence, one: Said) -> bool:
    if heard.says != "satisfied" or heard.place != one.place or heard.at <= one.at or not one.condition:
        return False
    return len(heard.words & one.condition) >= _BEARS * len(one.condition)


def _is_past(one: Said, at: datetime) -> bool:
    return one.due is not None and at.date() > one.due
