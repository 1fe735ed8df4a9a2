"""Texts to vectors: what an embedder is, and what may be believed of what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from muniment.domain.errors import Unavailable

__all__ = [
    "Embedder",
    "EmbedderDown",
    "EmbedderFailed",
    "EmbedderLate",
    "EmbedderResting",
    "Floats",
    "Silent",
    "ask",
    "clean",
    "embed",
]

Floats: TypeAlias = NDArray[np.float32]
# What UTF-8 or a C string cannot hold: NUL and halves of surrogate pairs.
_UNSAYABLE: Final = {0: " ", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}


class EmbedderFailed(Unavailable):
    """The embedder cannot answer, or what it gave is no answer; it may be asked again."""


class EmbedderDown(EmbedderFailed):
    """It failed for want of an answer, whatever the text: not there, too late, or refusing everybody.

    `rest` is how many seconds it asks to be left alone, where it says so.
    """

    def __init__(self, message: str, rest: float | None = None) -> None:
        super().__init__(message)
        self.rest = rest


class EmbedderLate(EmbedderDown):
    """It took too long; what it did may have cost."""


class EmbedderResting(EmbedderFailed):
    """Nobody was asked: it is down, or no more may be asked of it now. Stop, and come back later."""


class Embedder(Protocol):
    """A model that places texts so that those of like meaning are near each other.

    `name` changes whenever the same text may get another vector. `is_centred`: whether its vectors point
    every way alike, or their usual value is known (`index/codes`); those of most models point
    much the same way.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def is_centred(self) -> bool: ...

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        """One row a text; questions and passages may be placed differently. Raises EmbedderFailed."""
        ...


@dataclass(frozen=True, slots=True)
class Silent:
    """There is no vector, and why."""

    why: str


def embed(embedder: Embedder, texts: Sequence[str], *, query: bool) -> Floats:
    """Vectors of length 1, one a text, in order. Raises EmbedderFailed for anything that is not that."""
    try:
        found = embedder.embed([clean(text) for text in texts], query=query)
    except (RuntimeError, ValueError, OSError, MemoryError) as error:
        # What an embedder's own library raises; any of it means the same to us.
        raise EmbedderFailed(f"embedder {embedder.name!r} failed: {type(error).__name__}") from error
    if found.shape != (len(texts), embedder.dimensions):
        raise EmbedderFailed(
            f"embedder {embedder.name!r} gave {found.shape!r} for {len(texts)} texts of "
            f"{embedder.dimensions} dimensions"
        )
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise EmbedderFailed(f"embedder {embedder.name!r} gave a vector without a direction")
    unit: Floats = (found / norms).astype(np.float32)
    return unit


def ask(embedder: Embedder | None, question: str) -> Floats | Silent:
    """The question's vector; without one, why meaning cannot be searched now."""
    if embedder is None:
        return Silent("no embedder: pip install 'muniment[embed]', or it was switched off")
    try:
        vector: Floats = embed(embedder, [question], query=True)[0]
    except EmbedderFailed as error:
        return Silent(str(error))
    return vector


def clean(text: str) -> str:
    """The text without what would stop an embedder or cut it short."""
    return text.translate(_UNSAYABLE)
