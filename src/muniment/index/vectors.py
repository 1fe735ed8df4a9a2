"""The vector leg: the permitted passages nearest to a question, exactly where few, by their codes where many.

Which of the two is decided by how many rows the reader may see, and a code depends on its own row alone, so
neither the result nor the rows visited can depend on a hidden one. An approximate index (HNSW) could promise
neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Final, TypeAlias

import numpy as np
import psycopg
from numpy.typing import NDArray

from muniment.index import codes
from muniment.index.kept import UUID_BYTES, Bytes, Coded, Kept, Place, nearest, padded
from muniment.store.queries import load

__all__ = [
    "Nearest",
    "Sought",
    "add_up_changes",
    "by_code",
    "by_scan",
    "exactly",
    "forget_codes",
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
# How many the codes hand on to be compared exactly: what keeps recall grows as the root of the rows (0004).
FEWEST_CANDIDATES: Final = 1_000
CANDIDATES_OF_ROOT: Final = 4
CANDIDATES_OF_LIMIT: Final = 5
_MILLIONTHS: Final = 1_000_000
# Changes of an audience that are left standing one by one; every question adds up those of its audiences.
MOST_CHANGES: Final = 8
# Audiences whose codes are fetched at one go.
AT_ONCE: Final = 200
_KEPT: Final = Kept()


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
            "audiences": _array(self.audiences),
            "vector": text_of(self.vector),
            "limit": self.limit,
        }


def search(conn: Connection, sought: Sought) -> Nearest:
    """The documents of these audiences nearest to the vector, `limit` of them if there are so many."""
    stamps = _stamps(conn, sought)
    if stamps.vectors <= MOST_EXACT:
        return exactly(conn, sought)
    return _by_code(conn, sought, stamps)


def exactly(conn: Connection, sought: Sought) -> Nearest:
    """By comparing every permitted vector."""
    return _nearest(conn.execute(SQL["nearest_exact"], sought.values(), prepare=True).fetchall())


def by_code(conn: Connection, sought: Sought, *, candidates: int | None = None) -> Nearest:
    """By comparing every permitted code, and the vectors of the best."""
    return _by_code(conn, sought, _stamps(conn, sought), candidates)


def by_scan(conn: Connection, sought: Sought, *, candidates: int) -> Nearest:
    """The same without keeping codes, for more of them than the process has room for."""
    coded = {
        "code": codes.code_of(sought.model, sought.vector, sought.mean),
        "candidates": max(candidates, sought.limit),
    }
    return _nearest(conn.execute(SQL["nearest_by_code"], sought.values() | coded).fetchall())


def forget_codes(tenant: str) -> None:
    """Let go of an organisation's codes in this process; another one does at its next question."""
    _KEPT.forget(tenant)


def add_up_changes(conn: Connection, tenant: str) -> None:
    """One row for many changes of an audience. Only under the embedder's turn."""
    conn.execute(SQL["add_up_changes"], {"tenant": tenant, "most": MOST_CHANGES})


@dataclass(frozen=True, slots=True)
class _Stamps:
    """Of the audiences that have vectors, how many in all, and which changes made each what it is."""

    vectors: int
    of: Mapping[int, int]


_STAMPED: Final = np.dtype([("audience", ">i4"), ("vectors", ">i8"), ("stamp", ">i8")])


def _stamps(conn: Connection, sought: Sought) -> _Stamps:
    """Of each permitted audience; codes that the process keeps of another moment of it go."""
    with conn.cursor(binary=True) as cursor:
        ((joined,),) = cursor.execute(SQL["stamps"], sought.values(), prepare=True).fetchall()
    rows = np.frombuffer(joined, _STAMPED)
    stamps = dict(zip(rows["audience"].tolist(), rows["stamp"].tolist(), strict=True))
    _KEPT.leave({_place(sought, audience): stamps.get(audience) for audience in sought.audiences})
    return _Stamps(int(rows["vectors"].sum()), stamps)


def candidates_among(count: int, limit: int) -> int:
    """How many of so many vectors are compared exactly, where codes choose them and so many are wanted."""
    return max(FEWEST_CANDIDATES, CANDIDATES_OF_ROOT * isqrt(count), CANDIDATES_OF_LIMIT * limit)


def _by_code(conn: Connection, sought: Sought, stamps: _Stamps, candidates: int | None = None) -> Nearest:
    width, count = -(-len(sought.vector) // 8), stamps.vectors
    most = candidates_among(count, sought.limit) if candidates is None else candidates
    if count * (width + UUID_BYTES) > _KEPT.most:
        return by_scan(conn, sought, candidates=most)
    found = _coded(conn, sought, stamps, width)
    if not found:
        return _nearest([])
    bits = np.packbits(codes.signs(sought.model, sought.vector, sought.mean)).reshape(1, -1)
    near = nearest(found, padded(bits), max(most, sought.limit))
    best = {"passages": _ids(near.passages), "owners": _array(near.audiences.tolist())}
    return _nearest(conn.execute(SQL["nearest_among"], sought.values() | best, prepare=True).fetchall())


def _coded(conn: Connection, sought: Sought, stamps: _Stamps, width: int) -> dict[int, Coded]:
    """The codes of each audience that has any, from what is kept where that is still good."""
    held = _KEPT.find({_place(sought, audience): stamp for audience, stamp in stamps.of.items()})
    found = {audience: coded for (*_, audience), coded in held.items()}
    missing = [audience for audience in stamps.of if audience not in found]
    for start in range(0, len(missing), AT_ONCE):
        found |= _fetched(conn, sought, missing[start : start + AT_ONCE], width)
    return found


def _fetched(conn: Connection, sought: Sought, audiences: Sequence[int], width: int) -> dict[int, Coded]:
    found = {}
    with conn.cursor(binary=True) as cursor:
        rows = cursor.execute(SQL["codes_of"], sought.values() | {"wanted": _array(audiences)}).fetchall()
    for audience, stamp, joined in rows:
        if joined is not None:
            found[audience] = Coded.read(joined, width)
            _KEPT.keep(_place(sought, audience), stamp, found[audience])
    return found


def _place(sought: Sought, audience: int) -> Place:
    return sought.tenant, sought.model, sought.era, audience


def _array(numbers: Iterable[int]) -> str:
    # As text: adapting thousands one by one takes longer than finding their codes.
    return "{" + ",".join(map(str, numbers)) + "}"


def _ids(passages: Bytes) -> str:
    text = passages.tobytes().hex()
    return "{" + ",".join(text[at : at + 2 * UUID_BYTES] for at in range(0, len(text), 2 * UUID_BYTES)) + "}"


def text_of(vector: Floats) -> str:
    """A vector of length 1 as pgvector reads it, in the precision it keeps."""
    norm = float(np.linalg.norm(vector))
    halves = (vector / norm).astype(np.float16) if norm else vector.astype(np.float16)
    return "[" + ",".join(map(repr, halves.astype(float).tolist())) + "]"


def _nearest(rows: Sequence[tuple[int, float]]) -> Nearest:
    docs = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    similarities = np.fromiter((row[1] for row in rows), np.float64, len(rows)) / _MILLIONTHS
    return Nearest(docs, similarities)
