"""Vectors for passages that have none: read, embed outside any transaction, write what still stands."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from uuid import UUID

from muniment.gate.binding import writing
from muniment.index import codes, vectors
from muniment.jobs.lease import Turn, try_turn
from muniment.jobs.loop import Work
from muniment.models.embedding import Embedder, Floats, embed
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["BATCH", "TURN", "embed_due"]

log = logging.getLogger(__name__)
SQL: Final = load("vectors")
BATCH: Final = 256  # passages a call: what a worker does before it looks for more urgent work
TURN: Final = "embed"
AT_ONCE: Final = 32  # texts a request to the embedder, and passages a transaction
# This many failures running, and it is not the texts: the embedder is down, and the rest is not tried.
MOST_IN_A_ROW: Final = 4
_DROPPED_AT_ONCE: Final = 10_000
_FIRST_WAIT: Final = timedelta(seconds=30)
_LONGEST_WAIT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _Due:
    """A passage without a vector, and the words it should be embedded by."""

    passage: UUID
    text: str


@dataclass(slots=True)
class _Outcome:
    """What came of a batch: passages with their vectors, and those that failed, with the kind of error."""

    done: list[tuple[_Due, Floats]] = field(default_factory=list)
    failed: list[tuple[_Due, str]] = field(default_factory=list)
    is_down: bool = False


def embed_due(work: Work, embedder: Embedder, *, limit: int = BATCH) -> int:
    """Give up to `limit` passages their vector, current text first; how many got one.

    0 where all have one, where the rest is put off because it failed, where the embedder is down, where
    another worker is at it, or where the database holds no vectors. Once nothing is due, what an earlier
    model left is dropped.
    """
    if not _is_on(work):
        return 0
    with try_turn(work, TURN) as turn:
        if turn is None:
            return 0
        _begin(work, embedder.name)
        due = _due(work, limit)
        if not due:
            _drop_others(turn, embedder.name)
        return _embed_all(turn, embedder, due)


def _is_on(work: Work) -> bool:
    with writing(work.database, work.tenant) as conn:
        return vectors.is_on(conn)


def _begin(work: Work, model: str) -> None:
    """A model that is new here has everything to do."""
    values = {"tenant": work.tenant, "model": model}
    with writing(work.database, work.tenant) as conn:
        if conn.execute(SQL["begin_model"], values).fetchone() is not None:
            log.info("vectors are made with %r from now on", model)
            conn.execute(SQL["all_due"], values)


def _due(work: Work, limit: int) -> list[_Due]:
    values = {"tenant": work.tenant, "now": work.clock(), "limit": limit}
    with writing(work.database, work.tenant) as conn:
        return [_Due(passage, text) for passage, text in conn.execute(SQL["due"], values)]


def _embed_all(turn: Turn, embedder: Embedder, due: Sequence[_Due]) -> int:
    """Batch by batch, until the turn is lost or the embedder is down."""
    done = 0
    for start in range(0, len(due), AT_ONCE):
        outcome = _embed(embedder, due[start : start + AT_ONCE])
        written = _write(turn, embedder.name, outcome)
        if written is None:
            log.info("another worker embeds with %r now", embedder.name)
            break
        done += written
        if outcome.is_down:
            log.warning("embedder %r fails whatever it is asked; it is tried again later", embedder.name)
            break
    return done


def _embed(embedder: Embedder, batch: Sequence[_Due]) -> _Outcome:
    try:
        found = embed(embedder, [one.text for one in batch], query=False)
    except Exception as error:  # an embedder is anybody's code, and one text must not stop the rest
        log.debug("a batch failed with %s: one by one", type(error).__name__)
        return _one_by_one(embedder, batch)
    return _Outcome(list(zip(batch, found, strict=True)))


def _one_by_one(embedder: Embedder, batch: Sequence[_Due]) -> _Outcome:
    outcome = _Outcome()
    in_a_row = 0
    for one in batch:
        try:
            outcome.done.append((one, embed(embedder, [one.text], query=False)[0]))
        except Exception as error:  # as above; its words may quote the text, so only its kind is kept
            outcome.failed.append((one, type(error).__name__))
            in_a_row += 1
        else:
            in_a_row = 0
        if in_a_row == MOST_IN_A_ROW:
            outcome.is_down = True
            break
    return outcome


def _write(turn: Turn, model: str, outcome: _Outcome) -> int | None:
    """How many were written: passages that still have the words embedded. None for a turn that was lost."""
    with writing(turn.work.database, turn.work.tenant) as conn:
        if not turn.holds(conn):
            return None
        written = _write_done(conn, turn.work.tenant, model, outcome.done)
        _put_off(conn, turn.work, outcome)
        return written


def _write_done(conn: Connection, tenant: str, model: str, done: Sequence[tuple[_Due, Floats]]) -> int:
    values = {
        "tenant": tenant,
        "model": model,
        "passages": [due.passage for due, _ in done],
        "texts": [due.text for due, _ in done],
        "codes": [codes.code_of(model, vector) for _, vector in done],
        "vectors": [vectors.text_of(vector) for _, vector in done],
    }
    written = [row[0] for row in conn.execute(SQL["write"], values)]
    conn.execute(SQL["settle"], {"tenant": tenant, "passages": written})
    return len(written)


def _put_off(conn: Connection, work: Work, outcome: _Outcome) -> None:
    """A text's own failures double its wait; an embedder that is down does not, so that all heals with it."""
    values = {
        "tenant": work.tenant,
        "passages": [due.passage for due, _ in outcome.failed],
        "reasons": [reason for _, reason in outcome.failed],
        "counts": 0 if outcome.is_down else 1,
        "now": work.clock(),
        "first": _FIRST_WAIT,
        "longest": _LONGEST_WAIT,
    }
    conn.execute(SQL["put_off"], values)


def _drop_others(turn: Turn, model: str) -> None:
    """What other models left, some at a time, now that this one has all it can have."""
    dropped = 1
    while dropped:
        with writing(turn.work.database, turn.work.tenant) as conn:
            if not turn.holds(conn):
                return
            values = {"tenant": turn.work.tenant, "model": model, "limit": _DROPPED_AT_ONCE}
            if conn.execute(SQL["is_complete"], values).fetchone() != (True,):
                return
            dropped = conn.execute(SQL["drop_other_vectors"], values).rowcount
