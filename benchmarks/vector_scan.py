"""Speed and recall of the vector leg on generated vectors; writes one JSON object of figures.

    python benchmarks/vector_scan.py URL load 1000000
    python benchmarks/vector_scan.py URL ask 1000000

URL is a database with Muniment's schema and pgvector, opened as a superuser. Vectors come from a seed: 384
dimensions, one direction common to all of them as e5's have, 2,000 topics, noise; dealt at random to 2,000
audiences.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from os import sysconf
from pathlib import Path
from typing import Any, Final, TypeAlias
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray

from muniment.index import codes, vectors
from muniment.index.vectors import Nearest, Sought

DIMENSIONS: Final = 384
AUDIENCES: Final = 2_000
TOPICS: Final = 2_000
CHUNK: Final = 20_000
TENANT: Final = "bench"
MODEL: Final = "bench-384"
Floats: TypeAlias = NDArray[np.float32]

_PASSAGES: Final = """
insert into muniment.passage (tenant, passage, doc, item, audience, era, ordinal, heading, body, spans)
select %s, p, n, gen_random_uuid(), a, 0, 0, '{}', 'text', '[]'
  from unnest(%s::uuid[], %s::bigint[], %s::int[]) as t (p, n, a)
"""
_COPY: Final = """
copy muniment.passage_vector (tenant, passage, model, era, audience, code, vector) from stdin (format binary)
"""


def unit(values: Floats) -> Floats:
    found: Floats = values / np.linalg.norm(values, axis=1, keepdims=True)
    return found


def directions() -> tuple[Floats, Floats]:
    """What all vectors share, and the topics."""
    random = np.random.default_rng(7)
    common = unit(random.standard_normal((1, DIMENSIONS), dtype=np.float32))
    return common, unit(random.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32))


def chunk(start: int, count: int) -> tuple[Floats, NDArray[np.int64]]:
    """Vectors and audiences of the documents numbered from start; the same seed gives the same."""
    common, topics = directions()
    random = np.random.default_rng([7, start])
    noise = unit(random.standard_normal((count, DIMENSIONS), dtype=np.float32))
    made = unit(1.8 * common + 0.6 * topics[random.integers(0, TOPICS, count)] + 0.8 * noise)
    return made, random.integers(0, AUDIENCES, count)


def questions(count: int, size: int) -> Floats:
    """Vectors near some of the stored ones."""
    random = np.random.default_rng(11)
    stored, _ = chunk(0, min(CHUNK, size))
    noise = unit(random.standard_normal((count, DIMENSIONS), dtype=np.float32))
    return unit(stored[random.integers(0, len(stored), count)] + 0.35 * noise)


def headed(head: NDArray[Any], data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same bytes before each row."""
    return np.hstack([np.tile(head.view("u1"), (len(data), 1)), data])


def ids(start: int, count: int) -> NDArray[np.uint8]:
    """As random as real ones."""
    return np.random.default_rng([3, start]).integers(0, 256, (count, 16), np.uint8)


def rows(start: int, made: Floats, audiences: NDArray[np.int64]) -> bytes:
    """The chunk as binary COPY wants it; every row has the same length."""
    count = len(made)
    text = [np.full(count, word.encode(), f"S{len(word)}") for word in (TENANT, MODEL)]
    columns = {
        "tenant": text[0],
        "passage": ids(start, count),
        "model": text[1],
        "era": np.zeros(count, ">i2"),
        "audience": audiences.astype(">i4"),
        "code": headed(np.array([DIMENSIONS], ">i4"), np.packbits(codes.signs(MODEL, made), axis=1)),
        "vector": headed(np.array([DIMENSIONS, 0], ">i2"), made.astype(">f2").view("u1")),
    }
    kinds: list[tuple[str, Any, tuple[int, ...]]] = [("columns", ">i2", ())]
    for name, data in columns.items():
        kinds += [(f"{name}_size", ">i4", ()), (name, data.dtype, data.shape[1:])]
    table = np.empty(count, np.dtype(kinds))
    table["columns"] = len(columns)
    for name, data in columns.items():
        table[f"{name}_size"], table[name] = data[0].nbytes, data
    return table.tobytes()


def load(conn: psycopg.Connection, size: int) -> dict[str, object]:
    begun = time.perf_counter()
    for start in range(0, size, CHUNK):
        made, audiences = chunk(start, min(CHUNK, size - start))
        numbers = list(range(start, start + len(made)))
        passages = [UUID(bytes=row.tobytes()) for row in ids(start, len(made))]
        with conn.transaction():
            conn.execute(_PASSAGES, [TENANT, passages, numbers, audiences.tolist()])
            with conn.cursor().copy(_COPY) as copy:
                copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows(start, made, audiences) + b"\xff\xff")
    seconds = time.perf_counter() - begun
    conn.execute("vacuum analyze muniment.passage_vector")
    conn.execute("vacuum analyze muniment.passage")
    return {"rows": size, "seconds": round(seconds, 1), **sizes(conn)}


def sizes(conn: psycopg.Connection) -> dict[str, object]:
    row = conn.execute(
        "select pg_table_size('muniment.passage_vector'), pg_indexes_size('muniment.passage_vector'),"
        " pg_relation_size('muniment.passage_vector_scan'), pg_relation_size('muniment.passage_place')"
    ).fetchone()
    assert row is not None
    names = ("table_mb", "indexes_mb", "scan_index_mb", "place_index_mb")
    return {name: round(size / 2**20) for name, size in zip(names, row, strict=True)}


def readers(size: int) -> Iterator[tuple[str, list[int]]]:
    """Readers by how many rows they may see."""
    each = size / AUDIENCES
    for wanted in (1_000, 8_000, 49_000, size // 2, size):
        if wanted <= size:
            yield str(wanted), list(range(max(1, round(wanted / each))))


def ask(conn: psycopg.Connection, size: int) -> dict[str, object]:
    """Milliseconds and recall@20 of both ways for each reader, as the role that reads, second lock on."""
    found: dict[str, object] = {}
    asked = questions(20, size)
    for name, audiences in readers(size):
        with conn.transaction():
            conn.execute("select set_config('muniment.tenant', %s, true)", [TENANT])
            conn.execute(
                "select set_config('muniment.audiences', %s, true)",
                ["{" + ",".join(map(str, audiences)) + "}"],
            )
            conn.execute("set local role muniment_reader")
            found[name] = measure(conn, audiences, asked)
    return found


def measure(conn: psycopg.Connection, audiences: list[int], asked: Floats) -> dict[str, object]:
    sought = [Sought(TENANT, 0, MODEL, vector, audiences, 20) for vector in asked]
    exact, slow = timed(conn, lambda one: vectors.exactly(conn, one), sought)
    coded, quick = timed(conn, lambda one: vectors.by_code(conn, one), sought)
    _, chosen = timed(conn, lambda one: vectors.search(conn, one), sought)
    shares = [len(set(a) & set(b)) / len(a) for a, b in zip(exact, coded, strict=True)]
    recall = round(float(np.mean(shares)), 4)
    return {"exact_ms": slow, "codes_ms": quick, "as_chosen_ms": chosen, "recall_at_20_of_codes": recall}


def timed(
    conn: psycopg.Connection, find: Callable[[Sought], Nearest], sought: list[Sought]
) -> tuple[list[list[int]], dict[str, float]]:
    docs, taken, worked = [], [], []
    for one in sought:
        begun, used = time.perf_counter(), busy(conn)
        docs.append(find(one).docs.tolist())
        taken.append((time.perf_counter() - begun) * 1000)
        worked.append((busy(conn) - used) * 1000)
    shown = {f"p{p}": round(float(np.percentile(taken, p)), 1) for p in (50, 95)}
    return docs, {**shown, "server_cpu": round(float(np.mean(worked)), 1)}


def busy(conn: psycopg.Connection) -> float:
    """Seconds of processor the server's side of the connection has used, to a hundredth."""
    fields = (
        Path(f"/proc/{conn.info.backend_pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / sysconf("SC_CLK_TCK")


def main() -> None:
    codes.MEANS[MODEL] = 0.874 * directions()[0][0]  # what 1.8 of the common direction leaves after norming
    url, verb, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with psycopg.connect(url, autocommit=True) as conn:
        print(json.dumps({"load": load, "ask": ask}[verb](conn, size), indent=1))


if __name__ == "__main__":
    main()
