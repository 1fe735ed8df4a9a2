"""Parts into a token budget, in order: whole where it fits, then its telling sentences, then a pointer. Pure.

Nothing is cut silently: what did not fit is counted, and a cursor goes on from there with a fresh budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from muniment.domain.values import Citation, Part

__all__ = ["BETWEEN", "Draft", "Packed", "pack"]

CountTokens = Callable[[str], int]
BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Draft:
    """A part in falling grades of length; the first is whole, the last a pointer."""

    kind: Literal["page", "claim", "passage", "briefing"]
    grades: tuple[str, ...]
    why: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Packed:
    """What was kept, its text and exact cost, and how many drafts were passed by."""

    parts: tuple[Part, ...]
    text: str
    used: int
    taken: int
    left: int


def pack(drafts: Sequence[Draft], *, budget: int, count: CountTokens) -> Packed:
    """Keep drafts in order until the next one's pointer would not fit.

    Never above the budget, counted on the text.
    """
    kept: list[Part] = []
    text = ""
    taken = 0
    for draft in drafts:
        added = _fit(text, draft, budget, count)
        if added is None:
            break
        text, part = added
        kept.append(part)
        taken += 1
    return Packed(tuple(kept), text, count(text) if text else 0, taken, len(drafts) - taken)


def _fit(text: str, draft: Draft, budget: int, count: CountTokens) -> tuple[str, Part] | None:
    """The text with the longest grade of the draft that fits, or None."""
    for grade in draft.grades:
        longer = f"{text}{BETWEEN}{grade}" if text else grade
        # Tokens can merge across the seam, so the whole is counted and not the sum; the sum only saves
        # counting.
        if count(grade) <= budget and count(longer) <= budget:
            return longer, Part(draft.kind, grade, count(grade), draft.why, draft.citations)
    return None
