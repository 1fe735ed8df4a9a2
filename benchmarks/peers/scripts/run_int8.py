"""A floor: every vector compared, in 8 bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from protocol import Job, Message, Vectors, play


class Int8:
    """Rows of signed bytes; products in 32 bits."""

    version = f"numpy {np.__version__}"

    def __init__(self, job: Job) -> None:
        self._vectors = Vectors(job.folder)
        self._ids: list[str] = []
        self._rows = np.empty((0, Vectors.dimensions), np.int32)

    def add(self, messages: Sequence[Message]) -> None:
        self._ids = [one.id for one in messages]
        self._rows = self._bytes([one.said for one in messages])

    def search(self, question: str, k: int) -> list[str]:
        scores = self._rows @ self._bytes([question])[0]
        return [self._ids[row] for row in np.argsort(-scores, kind="stable")[:k]]

    def _bytes(self, texts: Sequence[str]) -> NDArray[np.int32]:
        rows: NDArray[np.int32] = np.rint(self._vectors(texts) * 127).astype(np.int8).astype(np.int32)
        return rows


play(Int8)
