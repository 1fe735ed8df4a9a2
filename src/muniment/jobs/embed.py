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
from muniment.jobs.swap import begin, keeps_up, settle_models
from muniment.models.embedding import Embedder, EmbedderFailed, EmbedderResting, Floats, embed
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["BATCH", "TURN", "embed_due", "revive", "troubles"]

log = logging.getLogger(__name__)
SQL: Final = load("vectors")
BATCH: Final = 256  # passages a call: what a worker does before it looks for more urgent work
TURN: Final = "embed"
AT_ONCE: Final = 32  # texts a request to the embedder, and passages a transaction
# This many failures running, and it is asked for something harmless, to know whether it is the texts.
MOST_IN_A_ROW: Final = 4
MOST_TRIES: Final = 5  # failures of its own after which a passage is set aside
HARMLESS: Final = "1"
_FIRST_WAIT: Final = timedelta(seconds=30)
_LONGEST_WAIT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _Due:
    """A passage without a vector, and the words it should be embedded by."""

    passage: UUID
    text: str


@dataclass(slots=True)
class _Outcome:
    """What came of a batch: passages with their vectors, and those that failed, with the kind of error.

    `is_down`: no text is at fault. `is_over`: nothing more is asked in this call.
    """

    done: list[tuple[_Due, Floats]] = field(default_factory=list)
    failed: list[tuple[_Due, str]] = field(default_factory=list)
    is_down: bool = False
    is_over: bool = False


@dataclass(slots=True)
class _Run:
    """A call as it goes on: what it embeds with, and vectors that it has been given."""

    turn: Turn
    embedder: Embedder
    mean: bytes | None
    known: dict[str, Floats] = field(default_factory=dict)

    @property
    def work(self) -> Work:
        return self.turn.work


def embed_due(work: Work, embedder: Embedder, before: Embedder | None = None, *, limit: int = BATCH) -> int:
    """Give up to `limit` passages their vector, current text first; how many got one.

    0 where all have one, where the rest is put off because it failed, where the embedder is down, where
    another worker is at it, or where the database holds no vectors. While a new model has not had all, the
    one `before` is given what is new first. Once nothing is due, what models left that are no longer used
    is dropped.
    """
    if not _is_on(work):
        return 0
    with try_turn(work, TURN) as turn:
        if turn is None:
            return 0
        done = _keep_up(turn, embedder, before, limit)
        return done + (_embed_with(turn, embedder, limit - done) if done < limit else 0)


def revive(work: Work) -> None:
    """Have passages that were put off or set aside tried again, once what kept them is mended."""
    if _is_on(work):
        with writing(work.database, work.tenant) as conn:
            conn.execute(SQL["revive"], {"tenant": work.tenant})


def troubles(work: Work) -> list[str]:
    """Passages that were set aside, a line for each model and kind of failure."""
    if not _is_on(work):
        return []
    with writing(work.database, work.tenant) as conn:
        rows = conn.execute(SQL["troubled"], {"tenant": work.tenant}).fetchall()
    return [
        f"{model} could not place {count:,} passages ({reason}): found by words alone (muniment sync --retry)"
        for model, reason, count in rows
    ]


def _is_on(work: Work) -> bool:
    with writing(work.database, work.tenant) as conn:
        return vectors.is_on(conn)


def _keep_up(turn: Turn, embedder: Embedder, before: Embedder | None, limit: int) -> int:
    """Vectors of the model that questions still go by, where another has taken over."""
    if before is None or not keeps_up(turn.work, embedder, before):
        return 0
    begin(turn.work, before)
    return _embed_all(*_next(turn, before, limit))


def _embed_with(turn: Turn, embedder: Embedder, limit: int) -> int:
    try:
        begin(turn.work, embedder)
    except EmbedderFailed as error:
        log.warning("vectors cannot be begun with %r: %s", embedder.name, type(error).__name__)
        return 0
    run, due = _next(turn, embedder, limit)
    if not due:
        settle_models(turn, embedder)
    return _embed_all(run, due)


def _next(turn: Turn, embedder: Embedder, limit: int) -> tuple[_Run, list[_Due]]:
    with writing(turn.work.database, turn.work.tenant) as conn:
        vectors.add_up_changes(conn, turn.work.tenant)
        mean = vectors.mean_of(conn, turn.work.tenant, embedder.name)
        return _Run(turn, embedder, mean), _due(conn, turn.work, embedder.name, limit)


def _due(conn: Connection, work: Work, model: str, limit: int) -> list[_Due]:
    values = {"tenant": work.tenant, "model": model, "now": work.clock(), "limit": limit}
    return [_Due(passage, text) for passage, text in conn.execute(SQL["due"], values)]


def _embed_all(run: _Run, due: Sequence[_Due]) -> int:
    """Batch by batch, until the turn is lost or the embedder is down."""
    done = 0
    for start in range(0, len(due), AT_ONCE):
        outcome = _embed(run, due[start : start + AT_ONCE])
        written = _write(run, outcome)
        if written is None:
            log.info("another worker embeds with %r now", run.embedder.name)
            break
        done += written
        if outcome.is_over:
            log.info("embedder %r is not asked now", run.embedder.name)
            break
        if outcome.is_down:
            log.warning("embedder %r fails whatever it is asked; it is tried again later", run.embedder.name)
            break
    return done


def _embed(run: _Run, batch: Sequence[_Due]) -> _Outcome:
    """Each text once, however many passages say it."""
    texts = list(dict.fromkeys(one.text for one in batch if one.text not in run.known))
    try:
        found = embed(run.embedder, texts, query=False) if texts else ()
    except EmbedderResting:
        return _Outcome(is_over=True)
    except Exception as error:  # an embedder is anybody's code, and one text must not stop the rest
        log.debug("a batch failed with %s", type(error).__name__)
        if not _answers(run.embedder):
            return _Outcome(failed=[(one, type(error).__name__) for one in batch], is_down=True)
        return _one_by_one(run, batch)
    run.known.update(zip(texts, found, strict=True))
    return _Outcome([(one, run.known[one.text]) for one in batch])


def _answers(embedder: Embedder) -> bool:
    """Whether it can place a harmless text, so that what it could not place is the texts' own matter."""
    try:
        embed(embedder, [HARMLESS], query=False)
    except Exception as error:  # as above
        log.debug("a harmless text failed with %s", type(error).__name__)
        return False
    return True


def _one_by_one(run: _Run, batch: Sequence[_Due]) -> _Outcome:
    outcome = _Outcome()
    in_a_row = 0
    for one in batch:
        try:
            outcome.done.append((one, embed(run.embedder, [one.text], query=False)[0]))
            in_a_row = 0
        except EmbedderResting:
            outcome.is_over = True
            break
        except Exception as error:  # as above; its words may quote the text, so only its kind is kept
            outcome.failed.append((one, type(error).__name__))
            in_a_row += 1
        if in_a_row and in_a_row % MOST_IN_A_ROW == 0 and not _answers(run.embedder):
            outcome.is_down = True
            break
    return outcome


def _write(run: _Run, outcome: _Outcome) -> int | None:
    """How many were written: passages that still have the words embedded. None for a turn that was lost."""
    with writing(run.work.database, run.work.tenant) as conn:
        if not run.turn.holds(conn):
            return None
        written = _write_done(conn, run, outcome.done)
        _put_off(conn, run, outcome)
        return written


def _write_done(conn: Connection, run: _Run, done: Sequence[tuple[_Due, Floats]]) -> int:
    model = run.embedder.name
    values = {
        "tenant": run.work.tenant,
        "model": model,
        "passages": [due.passage for due, _ in done],
        "texts": [due.text for due, _ in done],
        "codes": [codes.code_of(model, vector, run.mean) for _, vector in done],
        "vectors": [vectors.text_of(vector) for _, vector in done],
    }
    written = [row[0] for row in conn.execute(SQL["write"], values)]
    conn.execute(SQL["settle"], {"tenant": run.work.tenant, "model": model, "passages": written})
    return len(written)


def _put_off(conn: Connection, run: _Run, outcome: _Outcome) -> None:
    """A text's own failures double its wait; an embedder that is down does not, so that all heals with it."""
    values = {
        "tenant": run.work.tenant,
        "model": run.embedder.name,
        "passages": [due.passage for due, _ in outcome.failed],
        "reasons": [reason for _, reason in outcome.failed],
        "counts": 0 if outcome.is_down else 1,
        "most": MOST_TRIES,
        "now": run.work.clock(),
        "first": _FIRST_WAIT,
        "longest": _LONGEST_WAIT,
    }
    conn.execute(SQL["put_off"], values)
