"""What was said: a piece as it stands in a line, and an utterance as somebody made it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Piece", "Utterance"]


class Piece(NamedTuple):
    """The words of one voice in one line of one cue; `raw` is the line as it came."""

    cue: int
    line: int
    start: float
    end: float
    speaker: str | None
    text: str
    raw: str


class Utterance(NamedTuple):
    """What one person said on end. Times are seconds from the start, None where nobody says them.

    A speaker of None is nobody we know of. `lines` are those of the file that the words stand in.
    """

    speaker: str | None
    text: str
    start: float | None = None
    end: float | None = None
    lines: tuple[int, ...] = ()
