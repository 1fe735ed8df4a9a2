"""One bit a dimension: on which side of the usual a vector lies. Near vectors differ in few bits."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEANS", "code_of", "signs"]

Floats = NDArray[np.float32]
MEANS: Final[dict[str, Floats]] = {}


def signs(model: str, vectors: Floats) -> NDArray[np.bool_]:
    """The bits of each vector. They depend on the vector and on constants of its model, never on other vectors."""
    mean = MEANS.get(model)
    return vectors > 0 if mean is None else vectors > mean


def code_of(model: str, vector: Floats) -> str:
    """The bits of one vector as PostgreSQL writes them."""
    return "".join(map(str, signs(model, vector).astype(int).tolist()))
