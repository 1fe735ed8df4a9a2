"""Codes of whole audiences, kept by the process so that a reader of many need not fetch them each time.

What is kept is good for one stamp, which stands for every change that made an audience's vectors what they
are, and a reader's own snapshot says which stamp that is. So nothing stale is ever used, and what is used is
of audiences the reader is permitted: a code depends on its own row alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_BYTES", "Coded", "Kept", "Near", "Place", "nearest"]

MOST_BYTES: Final = 128 << 20
UUID_BYTES: Final = 16
_WORD: Final = 8
Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]
Place: TypeAlias = tuple[str, str, int, int]  # tenant, model, era, audience


@dataclass(frozen=True, slots=True)
class Coded:
    """The passages of an audience, a row each, and their codes, a column each, padded to whole words."""

    passages: Bytes
    codes: Words

    @classmethod
    def read(cls, joined: bytes, width: int) -> Coded:
        """From rows of a passage's id and the `width` bytes of its code."""
        rows = np.frombuffer(joined, np.uint8).reshape(-1, UUID_BYTES + width)
        return cls(np.ascontiguousarray(rows[:, :UUID_BYTES]), padded(rows[:, UUID_BYTES:]))

    @property
    def size(self) -> int:
        """Bytes it takes."""
        return self.passages.nbytes + self.codes.nbytes


def padded(codes: Bytes) -> Words:
    """Rows of bytes as columns of words."""
    width = codes.shape[1]
    wide = np.zeros((len(codes), -(-width // _WORD) * _WORD), np.uint8)
    wide[:, :width] = codes
    return np.ascontiguousarray(wide.view(np.uint64).T)


@dataclass(frozen=True, slots=True)
class Near:
    """Passages, a row each, and the audience each was found in."""

    passages: Bytes
    audiences: NDArray[np.int64]


def nearest(found: Mapping[int, Coded], code: Words, count: int) -> Near:
    """The passages whose codes differ least, `count` of them; of equals, those whose ids come first."""
    passages = np.concatenate([one.passages for one in found.values()])
    audiences = np.repeat(np.fromiter(found, np.int64), [len(one.passages) for one in found.values()])
    if len(passages) <= count:
        return Near(passages, audiences)
    # Side by side first: thousands of small audiences one by one take longer than all their codes.
    distances = _distances(np.concatenate([one.codes for one in found.values()], axis=1), code)
    last = int(np.searchsorted(np.bincount(distances).cumsum(), count))
    nearer, equal = np.flatnonzero(distances < last), np.flatnonzero(distances == last)
    halves = passages[equal].view(">u8")
    order = np.lexsort((halves[:, 1], halves[:, 0]))
    best = np.concatenate([nearer, equal[order[: count - len(nearer)]]])
    return Near(passages[best], audiences[best])


def _distances(codes: Words, code: Words) -> NDArray[np.uint16]:
    """In how many bits each differs."""
    bits = np.zeros(codes.shape[1], np.uint16)
    # Word by word of all codes, which is several times quicker than code by code.
    for words, word in zip(codes, code[:, 0], strict=True):
        bits += np.bitwise_count(words ^ word)
    return bits


@dataclass(slots=True)
class Kept:
    """What is kept, the longest unused first, and no more than fits."""

    most: int = MOST_BYTES
    _held: OrderedDict[Place, tuple[int, Coded]] = field(default_factory=OrderedDict)
    _bytes: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, places: Mapping[Place, int]) -> dict[Place, Coded]:
        """What is kept of these audiences, each under its stamp."""
        found = {}
        with self._lock:
            for place, stamp in places.items():
                held = self._held.get(place)
                if held is not None and held[0] == stamp:
                    self._held.move_to_end(place)
                    found[place] = held[1]
        return found

    def leave(self, places: Mapping[Place, int | None]) -> None:
        """Drop what is kept of these under any other stamp; None where nothing is left of one."""
        with self._lock:
            for place in self._held.keys() & places.keys():
                if self._held[place][0] != places[place]:
                    self._drop(place)

    def forget(self, tenant: str) -> None:
        """Drop all that is kept of an organisation: something was erased, and codes are made of texts."""
        with self._lock:
            for place in [one for one in self._held if one[0] == tenant]:
                self._drop(place)

    def keep(self, place: Place, stamp: int, coded: Coded) -> None:
        """In place of what was kept of it under another stamp."""
        with self._lock:
            self._drop(place)
            self._held[place] = stamp, coded
            self._bytes += coded.size
            while self._bytes > self.most:
                self._drop(next(iter(self._held)))

    def _drop(self, place: Place) -> None:
        held = self._held.pop(place, None)
        if held is not None:
            self._bytes -= held[1].size
