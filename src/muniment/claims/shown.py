"""A passage's words as they are told: what nobody sees of a text is blank in it, and is said to be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from muniment.domain.passages import Origin

if TYPE_CHECKING:
    from muniment.domain.record import PassageRow

__all__ = ["HIDDEN", "seen_span", "shown"]

HIDDEN: Final = "(hidden text)"


def shown(passage: PassageRow) -> str:
    """The passage with a mark for each stretch that its readers do not see."""
    if not any(origin == Origin.HIDDEN for _, _, origin in passage.spans):
        return passage.body
    return "".join(
        HIDDEN if origin == Origin.HIDDEN else passage.body[start:end]
        for start, end, origin in _spans(passage, 0, len(passage.body))
    )


def seen_span(passage: PassageRow, start: int, end: int) -> tuple[int, int]:
    """The longest of its stretches between two characters that hides nothing, so that a quote is verbatim."""
    stretches: list[tuple[int, int]] = []
    for first, last, origin in _spans(passage, start, end):
        if origin == Origin.HIDDEN:
            continue
        if stretches and stretches[-1][1] == first:
            stretches[-1] = stretches[-1][0], last
        else:
            stretches.append((first, last))
    return max(stretches, key=lambda one: len(passage.body[slice(*one)].strip()), default=(start, end))


def _spans(passage: PassageRow, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """What of each span lies between two characters."""
    for first, last, origin in passage.spans or ((0, len(passage.body), Origin.OWN),):
        begin, stop = max(int(str(first)), start), min(int(str(last)), end)
        if begin < stop:
            yield begin, stop, str(origin)
