"""Size and speed of the lexical leg on generated documents; writes one JSON object of figures.

    python benchmarks/lexical_spike.py URL load 1000000
    python benchmarks/lexical_spike.py URL ask 1000000

URL is a database with Muniment's schema; the other steps are size, write, remove and worlds. Documents come
from a seed: about 45 distinct lexemes each from a Zipf-Mandelbrot vocabulary of 200,000, dealt at random to
2,000 audiences whose sizes fall as 1/rank (the largest has 12 % of all).
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import psycopg

from muniment.index import lexical
from muniment.index.lexical import Document

VOCABULARY: Final = 200_000
AUDIENCES: Final = 2_000
CHUNK: Final = 10_000
TENANT: Final = "bench"
ALONE: Final = "alone"

_ranks = np.arange(1, VOCABULARY + 1)
_mass = 1 / (_ranks + 12.0) ** 1.08
WORDS: Final = np.cumsum(_mass / _mass.sum())
_sizes = 1 / np.arange(1, AUDIENCES + 1)
SHARES: Final = np.cumsum(_sizes / _sizes.sum())
LEXEMES: Final = [f"w{rank}" for rank in range(VOCABULARY + 1)]


def documents(count: int, *, first: int = 0) -> Iterator[list[Document]]:
    """Documents from number `first` in chunks; the same seed gives the same documents."""
    for start in range(first, first + count, CHUNK):
        yield chunk(start, min(CHUNK, first + count - start))


def chunk(start: int, count: int) -> list[Document]:
    """Generate documents numbered from start."""
    random = np.random.default_rng([7, start])
    lengths = np.clip(random.lognormal(3.74, 0.5, count), 3, 600).astype(int)
    words = np.searchsorted(WORDS, random.random(int(lengths.sum()))).tolist()
    audiences = np.searchsorted(SHARES, random.random(count)).tolist()
    ends = np.cumsum(lengths).tolist()
    made: list[Document] = []
    for i, (end, length) in enumerate(zip(ends, lengths.tolist(), strict=True)):
        counts = Counter(LEXEMES[word] for word in words[end - length : end])
        made.append(Document(start + i, audiences[i], counts, length))
    return made


def rate(run: Callable[[], object], count: int) -> float:
    """Runs a second, over count things done by one call."""
    begun = time.perf_counter()
    run()
    return round(count / (time.perf_counter() - begun), 1)


def load(conn: psycopg.Connection[Any], count: int) -> dict[str, object]:
    """Index documents 500 a commit, compacting after each commit as a worker does."""
    spent = {"add": 0.0, "compact": 0.0}
    merged = 0
    for made in documents(count):
        for at in range(0, len(made), 500):
            begun = time.perf_counter()
            with conn.transaction():
                lexical.add(conn, TENANT, 0, made[at : at + 500])
            middle = time.perf_counter()
            with conn.transaction():
                merged += lexical.compact(conn, TENANT)
            spent["add"] += middle - begun
            spent["compact"] += time.perf_counter() - middle
    begun = time.perf_counter()
    while True:
        with conn.transaction():
            if not (now := lexical.compact(conn, TENANT)):
                break
        merged += now
    settle = time.perf_counter() - begun
    seconds = {name: round(value, 1) for name, value in spent.items()}
    return {"documents": count, "seconds": seconds, "settle": round(settle, 1), "segments_merged": merged}


def write_rates(conn: psycopg.Connection[Any], first: int) -> dict[str, object]:
    """Documents a second written one, 50 and 500 a commit, and removed again; index only."""
    made = chunk(first, CHUNK)
    figures: dict[str, object] = {}
    for name, size, part in (("one", 1, made[:2000]), ("50", 50, made[2000:5000]), ("500", 500, made[5000:])):

        def write(size: int = size, part: list[Document] = part) -> None:
            for at in range(0, len(part), size):
                with conn.transaction():
                    lexical.add(conn, TENANT, 0, part[at : at + size])

        figures[f"add by {name} a second"] = rate(write, len(part))
    segments = conn.execute("select count(*) from muniment.posting_segment").fetchall()[0][0]
    begun = time.perf_counter()
    merged = 0
    while True:
        with conn.transaction():
            if not (now := lexical.compact(conn, TENANT)):
                break
        merged += now
    figures["compact"] = {
        "segments": segments,
        "merged": merged,
        "seconds": round(time.perf_counter() - begun, 2),
    }
    return figures


def remove_times(conn: psycopg.Connection[Any], first: int) -> dict[str, object]:
    """Milliseconds to remove documents one a commit, and documents a second removed 100 a commit."""
    made = chunk(first, CHUNK)
    times: list[float] = []
    for document in made[:500]:
        begun = time.perf_counter()
        with conn.transaction():
            lexical.remove(conn, TENANT, 0, [document])
        times.append((time.perf_counter() - begun) * 1000)
    begun = time.perf_counter()
    for at in range(500, 3000, 100):
        with conn.transaction():
            lexical.remove(conn, TENANT, 0, made[at : at + 100])
    return {"one, ms": quantiles(times), "by 100 a second": round(2500 / (time.perf_counter() - begun))}


def questions(count: int) -> list[list[str]]:
    """Seven words: one of the five commonest, the others log-uniform from rank 50 to 100,000."""
    random = np.random.default_rng(11)
    rare = np.exp(random.uniform(np.log(50), np.log(100_000), (count, 6))).astype(int).tolist()
    return [[f"w{random.integers(0, 5)}", *(f"w{rank}" for rank in ranks)] for ranks in rare]


def readers() -> dict[str, list[int]]:
    """Audiences of each kind of reader."""
    random = np.random.default_rng(13)
    small = random.permutation(np.arange(AUDIENCES // 2, AUDIENCES))
    mixed = random.permutation(AUDIENCES)
    shares = np.cumsum(np.diff(SHARES, prepend=0)[mixed])
    kinds = {f"{n} small": small[:n] for n in (10, 100, 1000)}
    kinds |= {f"{share:.0%}": mixed[: int(np.searchsorted(shares, share)) + 1] for share in (0.01, 0.5)}
    kinds |= {"everything": np.arange(AUDIENCES), "nothing": np.array([], int)}
    return {name: audiences.tolist() for name, audiences in kinds.items()}


def quantiles(times: list[float]) -> list[float]:
    """p50 and p95."""
    return [round(float(value), 2) for value in np.quantile(times, (0.5, 0.95))]


def ask(conn: psycopg.Connection[Any], count: int = 60) -> dict[str, object]:
    """Milliseconds p50 / p95 for each reader, warm; processor time a question; mean postings."""
    figures: dict[str, object] = {}
    for name, audiences in readers().items():
        for question in questions(10):
            lexical.search(conn, TENANT, 0, question, audiences, limit=100)
        times: list[float] = []
        spent = cpu(conn)
        postings, documents = 0, 0
        for question in questions(count):
            begun = time.perf_counter()
            scores = lexical.search(conn, TENANT, 0, question, audiences, limit=100)
            times.append((time.perf_counter() - begun) * 1000)
            postings += sum(scores.frequencies.values())
            documents = scores.documents
        server, client = (round((now - then) / count, 1) for now, then in zip(cpu(conn), spent, strict=True))
        figures[name] = {
            "ms": quantiles(times),
            "cpu ms, server and client": [server, client],
            "postings": postings // count,
            "documents": documents,
        }
    return figures


def cpu(conn: psycopg.Connection[Any]) -> tuple[float, float]:
    """Processor milliseconds so far of our backend, on this host, and of this process."""
    fields = Path(f"/proc/{conn.info.backend_pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK"), time.process_time() * 1000


def worlds(conn: psycopg.Connection[Any], count: int) -> dict[str, object]:
    """Index what a few readers can read once more, as another tenant; then compare their answers."""
    kinds = {name: readers()[name] for name in ("10 small", "100 small", "1%")}
    visible = {audience for audiences in kinds.values() for audience in audiences}
    indexed = 0
    for made in documents(count):
        own = [document for document in made if document.audience in visible]
        with conn.transaction():
            lexical.add(conn, ALONE, 0, own)
        indexed += len(own)
    compared = differ = 0
    for audiences in kinds.values():
        for question in questions(100):
            answers = [answer(conn, tenant, question, audiences) for tenant in (TENANT, ALONE)]
            compared, differ = compared + 1, differ + (answers[0] != answers[1])
    return {"visible documents": indexed, "answers compared": compared, "that differ": differ}


def answer(conn: psycopg.Connection[Any], tenant: str, question: list[str], audiences: list[int]) -> object:
    """All that a reader gets, as bytes."""
    scores = lexical.search(conn, tenant, 0, question, audiences, limit=100)
    return scores.docs.tobytes(), scores.scores.tobytes(), dict(scores.frequencies), scores.documents


def size(conn: psycopg.Connection[Any]) -> dict[str, object]:
    """Bytes on disk and rows of each table of the index."""
    statement = (
        "select pg_total_relation_size(c), pg_relation_size(c), pg_indexes_size(c)"
        " from (select %s::regclass) as t (c)"
    )
    sizes: dict[str, object] = {}
    for table in ("muniment.posting_segment", "muniment.posting_block"):
        total, heap, index = conn.execute(statement, (table,)).fetchall()[0]
        sizes[table] = {"total": total, "heap": heap, "indexes": index}
    rows = conn.execute(
        "select (select count(*) from muniment.posting_block),"
        " (select count(*) from muniment.posting_segment),"
        " (select sum(octet_length(terms)) from muniment.posting_block),"
        " (select sum(octet_length(postings)) from muniment.posting_block)"
    ).fetchall()[0]
    return sizes | dict(
        zip(("blocks", "segments", "terms bytes", "postings bytes"), map(int, rows), strict=True)
    )


def text_bytes(count: int) -> dict[str, int]:
    """The text the documents stand for, at 6.1 bytes a word and no stop words: less than real text has."""
    lengths = [document.length for document in chunk(0, min(count, CHUNK))]
    return {
        "mean length": sum(lengths) // len(lengths),
        "raw text": int(sum(lengths) / len(lengths) * count * 6.1),
    }


def main(url: str, step: str, count: int) -> None:
    """Run one step and print its figures."""
    with psycopg.connect(url, autocommit=True) as conn:
        steps: dict[str, Callable[[], object]] = {
            "load": lambda: load(conn, count),
            "size": lambda: size(conn) | text_bytes(count),
            "ask": lambda: ask(conn),
            "write": lambda: write_rates(conn, count),
            "remove": lambda: remove_times(conn, count),
            "worlds": lambda: worlds(conn, count),
        }
        print(json.dumps({step: steps[step]()}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
