"""Parts into a token budget, in order: whole where it fits, then its telling sentences, then a pointer. Pure.

What stands in one place is told under one head, messages of a thread in the order they were said. Nothing
is cut silently: what did not fit is counted, and a cursor goes on with a fresh budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from muniment.domain.values import Citation, Part

__all__ = ["BETWEEN", "PLAIN", "Draft", "Manner", "Packed", "Place", "pack", "pack_made"]

CountTokens = Callable[[str], int]
BETWEEN = "\n\n"
BY_WORTH, BY_TIME = (
    "worth",
    "time",
)  # what comes first in the text: the place of the best part, or of the first said


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part was said: parts of one `key` share a `head`, and stand in their `order` below it."""

    key: tuple[str, ...]
    head: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A part in falling grades of length; the first is whole, the last a pointer.

    `is_ahead`: it is read before all that is not, whatever got room first. `is_exact`: its very words count,
    as those of a rule do, so that it is condensed later than talk.
    """

    kind: Literal["page", "claim", "passage", "briefing"]
    grades: tuple[str, ...]
    why: str
    citations: tuple[Citation, ...]
    place: Place | None = None
    is_ahead: bool = False
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """Up to which shares of the budget parts are told whole, then condensed; after that, briefly.

    `exact` is for what is. `by_time`: in the order things were said, not of worth.
    """

    whole: float
    exact: float
    condensed: float
    by_time: bool = False


PLAIN = Manner(whole=0.2, exact=0.8, condensed=0.6)


@dataclass(frozen=True, slots=True)
class Packed:
    """What was kept, its text and exact cost, and how many drafts were passed by."""

    parts: tuple[Part, ...]
    text: str
    used: int
    taken: int
    left: int


@dataclass(frozen=True, slots=True)
class _Kept:
    """A draft in the grade that fitted."""

    draft: Draft
    grade: int
    cost: int

    @property
    def text(self) -> str:
        return self.draft.grades[self.grade]


def pack(drafts: Sequence[Draft], *, budget: int, count: CountTokens, manner: Manner = PLAIN) -> Packed:
    """Keep drafts in order until the next one does not fit in any grade that a fresh budget would not better.

    Never above the budget, counted on the text.
    """
    return pack_made(iter(drafts), len(drafts), budget=budget, count=count, manner=manner)


def pack_made(
    drafts: Iterator[Draft], many: int, *, budget: int, count: CountTokens, manner: Manner
) -> Packed:
    """The same of drafts that are made as they are come to: most are not, and only counted."""
    kept: list[_Kept] = []
    heads: set[tuple[str, ...]] = set()
    left = budget
    for draft in drafts:
        first = _first(draft, 1 - left / budget, manner)
        added = _fit(draft, first, heads, left, budget, count)
        if added is None:
            break
        kept.append(added)
        left -= added.cost
        if draft.place is not None:
            heads.add(draft.place.key)
    return _within(_longer(kept, left, count), many, budget, count, by_time=manner.by_time)


def _first(draft: Draft, used: float, manner: Manner) -> int:
    """The longest grade a draft may have, by how much of the budget is used; never its pointer.

    A page keeps to its own share.
    """
    if draft.kind == "page":
        return 0
    whole = manner.exact if draft.is_exact else manner.whole
    grade = 0 if used < whole else 1 if used < manner.condensed else 2
    return min(grade, max(0, len(draft.grades) - 2))


def _longer(kept: Sequence[_Kept], left: int, count: CountTokens) -> list[_Kept]:
    """Each as long as what is left allows, the best first."""
    longer: list[_Kept] = []
    for one in kept:
        own = count(one.text)
        for grade, text in enumerate(one.draft.grades[: one.grade]):
            more = count(text) - own
            if more <= left:
                left -= more
                one = _Kept(one.draft, grade, one.cost + more)  # noqa: PLW2901
                break
        longer.append(one)
    return longer


def _fit(
    draft: Draft, first: int, heads: set[tuple[str, ...]], left: int, budget: int, count: CountTokens
) -> _Kept | None:
    """The longest grade of the draft, from the first on, that fits into what is left.

    A pointer stands for what no pack of this budget could hold more of, and for a page, which can be asked
    for; anything else goes on in the next pack.
    """
    place = draft.place
    head = 0 if place is None or place.key in heads else count(place.head + "\n")
    for grade, text in enumerate(draft.grades[first:], first):
        bare = count(text)
        if bare > budget:
            continue
        cost = bare + head + 1  # what parts it from the next
        if cost <= left or (left == budget and bare <= left):
            return _Kept(draft, grade, min(cost, left))
        if grade + 2 == len(draft.grades) and left < budget and draft.kind != "page":
            return None
    return None


def _within(kept: list[_Kept], drafts: int, budget: int, count: CountTokens, *, by_time: bool) -> Packed:
    """The text of what was kept, without the last of it where tokens merged across a seam are too many."""
    while True:
        parts = _laid_out(kept, count, by_time=by_time)
        text = BETWEEN.join(part.text for part in parts)
        used = count(text) if text else 0
        if used <= budget:
            return Packed(parts, text, used, len(kept), drafts - len(kept))
        if len(kept) == 1:
            # By itself it fits without its head.
            kept = [_Kept(_headless(kept[0].draft), kept[0].grade, kept[0].cost)]
            parts = _laid_out(kept, count, by_time=by_time)
            return Packed(parts, parts[0].text, count(parts[0].text), 1, drafts - 1)
        kept = kept[:-1]


def _headless(draft: Draft) -> Draft:
    return Draft(draft.kind, draft.grades, draft.why, draft.citations)


def _laid_out(kept: Sequence[_Kept], count: CountTokens, *, by_time: bool) -> tuple[Part, ...]:
    """What is ahead, then place by place; the first part of a place has its head."""
    places: dict[tuple[str, ...], list[_Kept]] = {}
    for number, one in enumerate(kept):
        key = (f"#{number}",) if one.draft.place is None else one.draft.place.key
        places.setdefault(key, []).append(one)
    groups = [sorted(some, key=_order) for some in places.values()]
    if by_time:
        groups.sort(key=lambda some: _order(some[0]))
    groups.sort(key=lambda some: not some[0].draft.is_ahead)
    return tuple(part for some in groups for part in _parts(some, count))


def _order(one: _Kept) -> tuple[str, ...]:
    return () if one.draft.place is None else one.draft.place.order


def _parts(group: Sequence[_Kept], count: CountTokens) -> Iterator[Part]:
    for number, one in enumerate(group):
        draft = one.draft
        head = "" if number or draft.place is None else f"{draft.place.head}\n"
        text = f"{head}{one.text}"
        yield Part(draft.kind, text, count(text), draft.why, draft.citations)
