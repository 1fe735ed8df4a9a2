"""The locks of a transaction that compiles or compacts, in the one order in which everybody takes them.

1. the right to compile: shared by all who do, alone for whoever changes what compilations read besides keys
2. the directory (`gate.directory.lock`), for whoever states who is who
3. the keys, in their own order
4. audiences of the index, then watermarks (`gate.writer`)

Lineage leads from keys that are held to others that come before them. Whoever meets a deadlock there comes
again alone: tried again beside others it could meet the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

import psycopg

from muniment.domain.errors import Conflict
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["MOST_TRIES", "Turn", "compile_alone", "compile_beside_others", "hold_keys", "unhindered"]

Turn = Callable[[Connection, str], None]
Done = TypeVar("Done")
MOST_TRIES: Final = 5

SQL: Final = load("jobs")
EVENTS: Final = load("events")


def compile_beside_others(conn: Connection, tenant: str) -> None:
    """Compile while nobody changes the reach of containers.

    An item compiled meanwhile would miss the change for ever.
    """
    conn.execute(SQL["compile_beside_others"], {"tenant": tenant})


def compile_alone(conn: Connection, tenant: str) -> None:
    """Wait until no other transaction compiles, and let none begin before this one ends."""
    conn.execute(SQL["compile_alone"], {"tenant": tenant})


def hold_keys(conn: Connection, tenant: str, keys: Collection[tuple[str, str]]) -> None:
    """Wait for these keys: whoever compiles a key holds it, or two would write its rows at once."""
    values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    conn.execute(EVENTS["lock_streams"], values)


def unhindered(act: Callable[[Turn], Done]) -> Done:
    """The act, a transaction that begins with the turn it is given; alone where another was in the way.

    That one got through, and we wrote nothing.
    """
    turn: Turn = compile_beside_others
    for _ in range(MOST_TRIES - 1):
        try:
            return act(turn)
        except (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure, Conflict):
            turn = compile_alone
    return act(turn)
