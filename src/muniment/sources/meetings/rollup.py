"""Captions that roll up: each shows the last line of the one before it once more, above what is new."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from muniment.sources.meetings.said import Piece
from muniment.sources.meetings.voices import INLINE_TIME

__all__ = ["without_repeats"]

_TOUCHING: Final = 0.1  # seconds between a caption and the one that repeats it
_MANY: Final = 3
_SHARE: Final = 0.4  # of the captions, where a file rolls up
_SHARE_TIMED: Final = 0.15  # where words bear times of their own, as such captions do


def without_repeats(pieces: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """The pieces that are new, and those that repeat the caption before; where a file rolls up, else all.

    Somebody who says yes twice says it twice, so that a few repeats are none.
    """
    repeats = _repeats(pieces)
    captions = len({piece.cue for piece in pieces})
    share = _SHARE_TIMED if any(INLINE_TIME.search(piece.raw) for piece in pieces) else _SHARE
    if len(repeats) < _MANY or len(repeats) < share * captions:
        return pieces, ()
    return [piece for at, piece in enumerate(pieces) if at not in repeats], [pieces[at] for at in repeats]


def _repeats(pieces: Sequence[Piece]) -> list[int]:
    """Places of pieces that a caption takes over from the one right before it."""
    found: list[int] = []
    last: Piece | None = None
    for _, group in groupby(enumerate(pieces), key=lambda one: one[1].cue):
        shown = [(at, piece) for at, piece in group if piece.text]
        for at, piece in shown[:1]:
            if last is not None and piece.text == last.text and _touch(last, piece):
                found.append(at)
        last = shown[-1][1] if shown else last
    return found


def _touch(before: Piece, piece: Piece) -> bool:
    return -_TOUCHING <= piece.start - before.end <= _TOUCHING
