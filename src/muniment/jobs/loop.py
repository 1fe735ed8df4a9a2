"""The loop: lock due keys, compile them, advance them, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import psycopg

from muniment.domain.errors import Conflict
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.jobs.compile import Key, compile_keys
from muniment.store.pool import Connection, Database
from muniment.store.queries import load

__all__ = ["BATCH", "Work", "drain", "work_once"]

log = logging.getLogger(__name__)
SQL = load("jobs")
BATCH = 256
MOST_ATTEMPTS = 5
_WAIT = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker works on, and the clock and randomness it goes by."""

    database: Database
    tenant: str
    key: bytes
    clock: Callable[[], datetime]
    salts: Callable[[], bytes]


def drain(work: Work, *, seen: Callable[[int], None] = lambda _: None) -> int:
    """Work until nothing is due; how many keys were done. Keys another worker holds are left to it."""
    total = 0
    while done := work_once(work):
        total += done
        seen(total)
    return total


def work_once(work: Work, limit: int = BATCH) -> int:
    """One batch: all of it, or, where one key spoils it, each key by itself so that the others get through."""
    try:
        done = _batch(work, limit)
    except (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure, Conflict):
        # Another worker was in the way and got through; nothing of ours was written.
        done = _batch(work, limit)
    except psycopg.OperationalError:
        raise
    except Exception:  # one of two allowed places: a key that fails must not stop the rest
        done = _one_by_one(work, limit)
    _tidy(work)
    return done


def _batch(work: Work, limit: int) -> int:
    with writing(work.database, work.tenant) as conn:
        claimed = _claim(conn, work, limit)
        if claimed:
            compile_keys(conn, work.tenant, work.key, list(claimed))
            _advance(conn, work, claimed)
        return len(claimed)


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


def _one_by_one(work: Work, limit: int) -> int:
    """Each due key in a transaction of its own; a key that fails is put off, and set aside after a few tries."""
    done = 0
    for _ in range(limit):
        with writing(work.database, work.tenant) as conn:
            claimed = _claim(conn, work, 1)
            if not claimed:
                break
            (key,) = claimed
            try:
                with conn.transaction():
                    compile_keys(conn, work.tenant, work.key, [key])
                    _advance(conn, work, claimed)
            except psycopg.OperationalError:
                raise
            except Exception as error:  # as above
                _put_off(conn, work, key, error)
        done += 1
    return done


def _put_off(conn: Connection, work: Work, key: Key, error: Exception) -> None:
    log.exception("a key could not be compiled: source %r, id %r", *key)
    reason = f"{type(error).__name__}: {error}"[:500]
    values = {"tenant": work.tenant, "source": key[0], "id": key[1], "reason": reason, "most": MOST_ATTEMPTS}
    conn.execute(SQL["put_off"], {**values, "run_at": work.clock() + _WAIT})


def _tidy(work: Work) -> None:
    """Merge small segments of the index; a worker that lost the race for them leaves them to the other."""
    try:
        with writing(work.database, work.tenant) as conn:
            lexical.compact(conn, work.tenant)
    except (psycopg.errors.DeadlockDetected, Conflict):
        log.debug("another worker is compacting")
