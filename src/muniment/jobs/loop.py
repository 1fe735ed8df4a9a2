"""The loop: lock due keys, compile them, advance them, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import psycopg

from muniment.domain.errors import Conflict
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.jobs.attempts import is_everybodys, put_off, try_compile
from muniment.jobs.compile import Key, compile_keys
from muniment.jobs.turns import Turn, compile_beside_others, unhindered
from muniment.store.pool import Connection, Database
from muniment.store.queries import load
from muniment.store.replicas import Spread

__all__ = ["BATCH", "Work", "drain", "one_by_one", "revive", "settle", "tidy", "tidy_meanwhile", "work_once"]

log = logging.getLogger(__name__)
SQL = load("jobs")
BATCH = 256


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker works on, and the clock and randomness it goes by.

    `spread` is the database with its replicas, if it has any: for what only reads.
    """

    database: Database
    tenant: str
    key: bytes
    clock: Callable[[], datetime]
    salts: Callable[[], bytes]
    spread: Spread | None = None


def drain(work: Work, *, seen: Callable[[int], None] = lambda _: None) -> int:
    """Work until nothing is due; how many keys were done. Keys another worker holds are left to it."""
    total = 0
    while done := _worked(work, BATCH):
        total += done
        seen(total)
        tidy_meanwhile(work)
    if total:
        settle(work)
    return total


def work_once(work: Work, limit: int = BATCH) -> int:
    """One batch, and small segments of the index merged after it."""
    done = _worked(work, limit)
    if done:
        tidy(work)
    return done


def _worked(work: Work, limit: int) -> int:
    """All of a batch, or, where one key spoils it, each key by itself, and the others get through."""
    try:
        done = unhindered(lambda turn: _batch(work, limit, turn))
    except Exception as error:  # one of two allowed places: a key that fails must not stop the rest
        if is_everybodys(error):
            raise
        done = one_by_one(limit, lambda turn: _next_alone(work, turn))
    return done


def _batch(work: Work, limit: int, turn: Turn) -> int:
    with writing(work.database, work.tenant) as conn:
        turn(conn, work.tenant)
        claimed = _claim(conn, work, limit)
        if claimed:
            compile_keys(conn, work.tenant, work.key, list(claimed))
            _advance(conn, work, claimed)
        return len(claimed)


def revive(work: Work) -> int:
    """Make the keys that were set aside due again, once what spoilt them is mended; how many there are."""
    with writing(work.database, work.tenant) as conn:
        values = {"tenant": work.tenant, "now": work.clock()}
        return conn.execute(SQL["revive"], values).rowcount


def _claim(conn: Connection, work: Work, limit: int) -> dict[Key, int]:
    values = {"tenant": work.tenant, "now": work.clock(), "limit": limit}
    return {(source, id_): last for source, id_, last in conn.execute(SQL["claim"], values)}


def _advance(conn: Connection, work: Work, done: dict[Key, int]) -> None:
    values = {
        "tenant": work.tenant,
        "sources": [source for source, _ in done],
        "ids": [id_ for _, id_ in done],
        "dones": list(done.values()),
    }
    conn.execute(SQL["advance"], values)


def one_by_one(limit: int, next_alone: Callable[[Turn], int]) -> int:
    """Each due key in a transaction of its own; how many there were."""
    done = 0
    while done < limit and unhindered(next_alone):
        done += 1
    return done


def _next_alone(work: Work, turn: Turn) -> int:
    """1 where a key was due. One that fails is put off, and set aside after a few tries."""
    with writing(work.database, work.tenant) as conn:
        turn(conn, work.tenant)
        claimed = _claim(conn, work, 1)
        for name in claimed:
            error = try_compile(conn, work.tenant, work.key, [name])
            if error is None:
                _advance(conn, work, claimed)
            else:
                put_off(conn, work.tenant, name, error, work.clock())
        return len(claimed)


def refresh_statistics(work: Work) -> None:
    """Let the planner know what a large import brought, where it knows nothing or too little."""
    with writing(work.database, work.tenant) as conn:
        conn.execute(SQL["refresh_statistics"], {"tenant": work.tenant})


def tidy(work: Work) -> int:
    """Merge small segments of the index; how many."""
    return _merged(work, lexical.compact)


def tidy_meanwhile(work: Work) -> None:
    """Merge only what has very many of them, as more is to come."""
    _merged(work, lexical.compact_meanwhile)


def settle(work: Work) -> None:
    """Merge until there is nothing to merge, and let the planner know what came in."""
    while tidy(work):
        pass
    refresh_statistics(work)


def _merged(work: Work, compact: Callable[[Connection, str], int]) -> int:
    """A worker that lost the race for segments leaves them to the other.

    It takes its turn as compilations do: a rebuild that met it would leave blocks that no segment holds.
    """
    try:
        with writing(work.database, work.tenant) as conn:
            compile_beside_others(conn, work.tenant)
            return compact(conn, work.tenant)
    except (psycopg.errors.DeadlockDetected, Conflict):
        log.debug("another worker is compacting")
        return 0
