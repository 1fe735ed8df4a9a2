"""Reads at least as fresh as a write: a receipt's token, and waiting for what it is for.

A token is sealed with the record's key, so that nobody learns from guessed ones how far the log has come.
Whether the write is here is asked of its own entry in the audit, which a replica has once it has all of it.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final

from muniment.domain.errors import Malformed, Unavailable
from muniment.domain.identity import keyed_digest
from muniment.gate.binding import looking
from muniment.jobs.loop import Work
from muniment.store.queries import load

__all__ = ["PATIENCE", "await_fresh", "token_of"]

SQL: Final = load("jobs")
PATIENCE: Final = 2.0  # seconds that a read waits; then its caller is better off to ask again, or elsewhere
_STEP: Final = 0.02


def token_of(key: bytes, place: str) -> str:
    """What a receipt carries for a place in the log."""
    return f"{place}.{keyed_digest(key, 'receipt', place).hex()}"


def await_fresh(work: Work, token: str, ticks: Callable[[], float], wait: Callable[[float], None]) -> None:
    """Return once everything is here that the receipt was given for, compiled as far as it ever will be.

    Malformed for what is on no receipt of this record; Unavailable where it is not here in time.
    """
    place, _, _ = token.partition(".")
    if not hmac.compare_digest(token_of(work.key, place).encode(), token.encode("utf-8", "replace")):
        raise Malformed("at_least_as_fresh is on no receipt of this record; send the token as it came")
    end = ticks() + PATIENCE
    while not _is_here(work, token):
        if ticks() >= end:
            raise Unavailable("what this receipt was given for is not here yet; ask again")
        wait(_STEP)


def _is_here(work: Work, token: str) -> bool:
    """Whether the batch is here and none of what its importer handed in up to then still waits."""
    with looking(work.database, work.tenant) as conn:
        batch = conn.execute(SQL["batch_of_token"], {"tenant": work.tenant, "token": token}).fetchone()
        if batch is None:
            return False
        values = {"tenant": work.tenant, "importer": batch[0], "at": batch[1]}
        return conn.execute(SQL["has_waiting"], values).fetchone() == (False,)
