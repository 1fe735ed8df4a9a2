"""The vector leg: the permitted passages nearest to a question, exactly where few, by their codes where many.

Which of the two is decided by how many rows the reader may see, and a code depends on its own row alone, so
neither the result nor the rows visited can depend on a hidden one. An approximate index (HNSW) could promise
neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import psycopg
from numpy.typing import NDArray

from muniment.index import codes
from muniment.store.queries import load

__all__ = [
    "Nearest",
    "Sought",
    "by_code",
    "exactly",
    "is_on",
    "mean_of",
    "search",
    "text_of",
    "vectors_behind",
]

Connection: TypeAlias = psycopg.Connection[Any]
Floats: TypeAlias = NDArray[np.float32]
SQL: Final = load("vectors")

# Up to this many permitted rows every vector is compared; from about here on, codes are quicker.
MOST_EXACT: Final = 20_000
# How many the codes hand on to be compared exactly. What keeps recall grows as the root of the rows (0004).
CANDIDATES: Final = 4_000
_MILLIONTHS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Nearest:
    """Documents by falling cosine (6 decimals), then by their passages' ids.

    `why` says why nothing was searched; None where it was, whatever it found.
    """

    docs: NDArray[np.int64]
    similarities: NDArray[np.float64]
    why: str | None = None

    @classmethod
    def off(cls, why: str) -> "Nearest":
        """No search took place."""
        return cls(np.empty(0, np.int64), np.empty(0, np.float64), why)


def is_on(conn: Connection) -> bool:
    """Whether this database can hold vectors at all."""
    return conn.execute(SQL["is_on"]).fetchone() == (True,)


def vectors_behind(conn: Connection, tenant: str, model: str) -> int:
    """How many passages have no vector of this model yet; 0 where the leg is off."""
    if not is_on(conn):
        return 0
    row = conn.execute(SQL["count_behind"], {"tenant": tenant, "model": model}).fetchone()
    return 0 if row is None else row[0]


def mean_of(conn: Connection, tenant: str, model: str) -> bytes | None:
    """What is kept of a model's usual vector; None where codes know it, or do without."""
    row = conn.execute(SQL["mean"], {"tenant": tenant, "model": model}).fetchone()
    return None if row is None or row[0] is None else bytes(row[0])


@dataclass(frozen=True, slots=True)
class Sought:
    """A vector of a model, and among which rows the nearest to it are wanted.

    `mean` is what is kept of the model's usual vector, where codes do not know it.
    """

    tenant: str
    era: int
    model: str
    vector: Floats
    audiences: Sequence[int]
    limit: int
    mean: bytes | None = None

    def values(self) -> dict[str, object]:
        """What every statement is given."""
        return {
            "tenant": self.tenant,
            "era": self.era,
            "model": self.model,
            "audiences": "{" + ",".join(map(str, self.audiences)) + "}",
            "vector": text_of(self.vector),
            "limit": self.limit,
        }


def search(conn: Connection, sought: Sought) -> Nearest:
    """The documents of these audiences nearest to the vector, `limit` of them if there are so many."""
    return exactly(conn, sought) if _are_few(conn, sought) else by_code(conn, sought)


def exactly(conn: Connection, sought: Sought) -> Nearest:
    """By comparing every permitted vector."""
    return _nearest(conn.execute(SQL["nearest_exact"], sought.values()).fetchall())


def by_code(conn: Connection, sought: Sought, *, candidates: int = CANDIDATES) -> Nearest:
    """By comparing every permitted code, and the vectors of the best."""
    coded = {
        "code": codes.code_of(sought.model, sought.vector, sought.mean),
        "candidates": max(candidates, sought.limit),
    }
    return _nearest(conn.execute(SQL["nearest_by_code"], sought.values() | coded).fetchall())


def text_of(vector: Floats) -> str:
    """A vector of length 1 as pgvector reads it, in the precision it keeps."""
    norm = float(np.linalg.norm(vector))
    halves = (vector / norm).astype(np.float16) if norm else vector.astype(np.float16)
    return "[" + ",".join(map(repr, halves.astype(float).tolist())) + "]"


def _are_few(conn: Connection, sought: Sought) -> bool:
    row = conn.execute(SQL["count_up_to"], sought.values() | {"most": MOST_EXACT + 1}).fetchone()
    return row is not None and row[0] <= MOST_EXACT


def _nearest(rows: Sequence[tuple[int, float]]) -> Nearest:
    docs = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    similarities = np.fromiter((row[1] for row in rows), np.float64, len(rows)) / _MILLIONTHS
    return Nearest(docs, similarities)
