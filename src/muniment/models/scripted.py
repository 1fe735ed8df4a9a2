"""A double of an embedder: the same vector for the same text on every machine, and failures on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from muniment.models.embedding import EmbedderFailed, Floats

__all__ = ["ScriptedEmbedder"]


@dataclass(slots=True)
class ScriptedEmbedder:
    """Texts that share words are near each other.

    `fails` picks the texts it cannot embed; `amiss` is how many dimensions too many it gives; `before` runs
    before each call and may take its time. `seen` holds every text it was asked for, in order.
    """

    name: str = "scripted"
    dimensions: int = 64
    fails: Callable[[str], bool] = lambda _: False
    amiss: int = 0
    before: Callable[[], object] = lambda: None
    seen: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:  # noqa: ARG002  # the same place for both
        self.before()
        self.seen += texts
        if any(self.fails(text) for text in texts):
            raise EmbedderFailed(f"embedder {self.name!r} was told to fail")
        width = self.dimensions + self.amiss
        return np.array([_place(text, width) for text in texts], np.float32).reshape(len(texts), width)


def _place(text: str, width: int) -> Floats:
    """The sum of its words' directions, and a little of its own."""
    total = np.float32(0.25) * _direction(text, width)
    for word in text.casefold().split():
        total += _direction(word, width)
    return total


def _direction(word: str, width: int) -> Floats:
    bits = hashlib.shake_256(word.encode()).digest(2 * width)
    return np.frombuffer(bits, ">i2").astype(np.float32) / np.float32(32768)
