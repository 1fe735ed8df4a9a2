"""What pure functions made of a short text, remembered: a record asks the same of the same sentences often.

Nothing depends on it but time. Long texts come once and are not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, Protocol, TypeVar

__all__ = ["forget_texts", "forgettable", "remembered"]

T = TypeVar("T")

LONGEST: Final = 600  # characters
_MOST: Final = 8_192  # texts for each function: some megabytes in all
_FORGETTING: Final[list[Callable[[], object]]] = []


class _Keeps(Protocol):
    def cache_clear(self) -> object: ...


K = TypeVar("K", bound=_Keeps)


def forgettable(keeps: K) -> K:
    """Whatever else keeps texts, or words and names of them: it lets go of them when they are forgotten."""
    _FORGETTING.append(keeps.cache_clear)
    return keeps


def remembered(made: Callable[[str], T]) -> Callable[[str], T]:
    """The function, asked once of each text while that is remembered; what it makes must not be changed."""
    kept = forgettable(lru_cache(maxsize=_MOST)(made))

    @wraps(made)
    def found(text: str) -> T:
        return kept(text) if len(text) <= LONGEST else made(text)

    return found


def forget_texts() -> None:
    """Let go of every text, as when something was erased."""
    for one in _FORGETTING:
        one()
