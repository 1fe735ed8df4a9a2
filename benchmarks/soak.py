"""Whether a record stays quick under steady writing: small batches, edits, removals, and questions between.

Nothing tidies by hand: segments are merged and tables vacuumed by what runs anyway, a worker and the server.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import psycopg

import muniment
from benchmarks import company
from benchmarks.timing import Timed, timed

__all__ = ["Stretch", "soak"]

BATCH = 40
# Of a batch, so many earlier messages are edited and so many removed.
EDITED, REMOVED = 6, 2
QUESTIONS = 4
_TABLES = """
select coalesce(sum(n_dead_tup), 0)::bigint, coalesce(sum(n_live_tup), 0)::bigint,
       coalesce(sum(n_live_tup) filter (where relname = 'posting_segment'), 0)::bigint,
       sum(pg_total_relation_size(relid))::bigint,
       coalesce(sum(autovacuum_count), 0)::bigint, coalesce(sum(autoanalyze_count), 0)::bigint
  from pg_stat_user_tables
 where schemaname = 'muniment'"""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What was done in one stretch of time, and how the database stood at its end."""

    events: int
    seconds: float
    asked: Timed
    dead: int
    live: int
    segments: int
    size: int
    vacuums: int
    analyses: int

    def text(self) -> str:
        """For a table."""
        return (
            f"{self.events / self.seconds:.0f} events a second, search {self.asked.text()}, "
            f"dead rows {self.dead / max(1, self.live + self.dead):.0%} of {self.live + self.dead:,}, "
            f"{self.segments:,} segments, {self.size / 1e6:.0f} MB, "
            f"{self.vacuums} vacuums, {self.analyses} analyses"
        )


def soak(org: muniment.Org, conn: psycopg.Connection, *, seconds: float, stretch: float) -> Iterator[Stretch]:
    """Write and ask for so long, a `Stretch` each time that much of it is over."""
    draw = random.Random(5)
    reader = org.reader("user:half")
    asked = list(company.questions(200))
    written, over = 0, time.perf_counter() + seconds
    while time.perf_counter() < over:
        began, events, took = time.perf_counter(), 0, list[float]()
        while time.perf_counter() < began + stretch:
            batch = list(_batch(draw, written))
            written += BATCH
            org.ingest(batch)
            org.work()
            events += len(batch)
            took += [timed(lambda: reader.search(draw.choice(asked))) for _ in range(QUESTIONS)]
        spent = time.perf_counter() - began
        yield Stretch(events, spent, Timed.of(took), *(conn.execute(_TABLES).fetchone() or (0,) * 6))


def _batch(draw: random.Random, written: int) -> Iterator[Mapping[str, object]]:
    """New messages, and edits and removals of earlier ones."""
    yield from company.messages(BATCH, first=written)
    for number in draw.sample(range(written), min(written, EDITED)):
        (before,) = company.messages(1, first=number)
        body = f"{before['body']} Edited at {written}."
        yield {**before, "at": f"2026-12-01T00:00:00.{written:06d}Z", "body": body}
    for number in draw.sample(range(written), min(written, REMOVED)):
        yield {
            "source": "chat",
            "op": "delete",
            "id": f"m{number}",
            "at": f"2026-12-02T00:00:00.{written:06d}Z",
        }
