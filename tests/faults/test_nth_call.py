"""A connection lost at any call to the database, before or after its effect, changes nothing in the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool
from typing_extensions import override

from muniment.app import Org
from muniment.domain.errors import Unavailable
from muniment.store.pool import Database
from tests.faults.corpora import corpus, difference, record
from tests.worlds import Event, open_org

STRIDE = 53  # of the calls at which CI breaks the connection; `make prove` breaks it at each
MOST_TRIES = 5


@dataclass
class Fault:
    """Counts calls, and breaks the connection once: at the n-th, before or after it reaches the server."""

    at: int
    after: bool
    calls: int = 0

    def strikes(self) -> bool:
        self.calls += 1
        return self.calls == self.at


@contextmanager
def _struck(fault: Fault, conn: psycopg.Connection[Any]) -> Iterator[None]:
    strikes = fault.strikes()
    if strikes and not fault.after:
        _lose(conn)
    yield
    if strikes:
        _lose(conn)


def _lose(conn: psycopg.Connection[Any]) -> None:
    conn.pgconn.finish()
    raise psycopg.OperationalError("server closed the connection unexpectedly")


def faulty(fault: Fault, url: str) -> Database:
    """A database whose connections meet the fault, in statements and in what begins and ends transactions."""

    class Cursor(psycopg.Cursor[tuple[Any, ...]]):
        @override
        def execute(self, *args: Any, **kwargs: Any) -> Any:
            with _struck(fault, self.connection):
                return super().execute(*args, **kwargs)

        @override
        def executemany(self, *args: Any, **kwargs: Any) -> Any:
            with _struck(fault, self.connection):
                return super().executemany(*args, **kwargs)

    class Connection(psycopg.Connection[tuple[Any, ...]]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.cursor_factory = Cursor

        @override
        def _exec_command(self, *args: Any, **kwargs: Any) -> Any:
            with _struck(fault, self):
                result = yield from super()._exec_command(*args, **kwargs)
            return result

    pool = ConnectionPool[psycopg.Connection[tuple[Any, ...]]](
        url, min_size=0, max_size=4, timeout=10, open=False, connection_class=Connection
    )
    return Database(pool, url)


def persistently(act: Callable[[], object]) -> None:
    """As a caller does who is told to try again."""
    for _ in range(MOST_TRIES):
        try:
            act()
        except Unavailable:
            continue
        return
    raise AssertionError(f"not done after {MOST_TRIES} tries")


def disturbed(url: str, tenant: str, batches: Sequence[Sequence[Event]], fault: Fault) -> tuple[Org, int]:
    org = open_org(url, tenant)
    with open_org(url, tenant) as broken:
        database = broken._work.database
        with faulty(fault, url) as worse:
            broken._work = replace(broken._work, database=worse)
            for number, batch in enumerate(batches):
                persistently(partial(broken.ingest, batch, defer=number % 2 == 0))
                persistently(broken.sync)
        broken._work = replace(broken._work, database=database)
    return org, fault.calls


def test_a_connection_lost_at_any_call_changes_nothing(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    draw = random.Random(seed)
    for round_ in range(3 if prove else 1):
        days = corpus(draw, days=2, events=12)
        batches = [day.events for day in days]
        calm, calls = disturbed(url, f"{tenant}-{round_}", batches, Fault(0, after=False))
        model = record(calm)
        calm.close()
        step = 1 if prove else STRIDE
        for number in range(draw.randint(1, step), calls + 1, step):
            for after in (False, True):
                fault = Fault(number, after=after)
                org, met = disturbed(url, f"{tenant}-{round_}-{number}-{after}", batches, fault)
                assert met >= number
                assert difference(model, record(org)) == "", f"call {number}, {after=}, MUNIMENT_SEED={seed}"
                org.close()
