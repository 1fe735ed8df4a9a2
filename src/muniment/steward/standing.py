"""How the record stands, and what brings it up again."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.claims.read import conflicts
from muniment.domain.record import Moment
from muniment.domain.values import ClosedContainer, Queue, SourceStatus, Status
from muniment.gate import chain
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing, reading_as
from muniment.index import vectors
from muniment.jobs import distil, embed, loop
from muniment.jobs import rebuild as derived
from muniment.jobs.loop import Work, tidy
from muniment.steward.desk import Desk
from muniment.store.queries import load

__all__ = ["rebuild", "revive", "status", "stuck"]

SQL = load("steward")
GATE = load("gate")


def stuck(work: Work) -> tuple[int, int]:
    """How many keys are dead, and how many items wait for their container's audience."""
    with writing(work.database, work.tenant) as conn:
        values = {"tenant": work.tenant, "now": work.clock()}
        queue = conn.execute(SQL["queue"], values).fetchone() or (0, 0)
        counts = conn.execute(SQL["counts"], values).fetchone() or (0,)
    return queue[1], counts[0]


def status(desk: Desk) -> Status:
    """Sources, queue, and everything that waits for somebody."""
    values = {"tenant": desk.tenant, "now": desk.now}
    with desk.writing() as conn:
        sources = conn.execute(SQL["sources"], values).fetchall()
        waiting, dead = conn.execute(SQL["queue"], values).fetchone() or (0, 0)
        row = conn.execute(SQL["counts"], values).fetchone()
        unsealed = chain.waiting(conn, desk.tenant)
        closed = conn.execute(GATE["closed_containers"], values).fetchall()
        behind = vectors.vectors_behind(conn, desk.tenant, desk.model) if desk.model else 0
    pending, quarantined, candidates, stale, workers = row or (0, 0, 0, 0, 0)
    return Status(
        sources=tuple(SourceStatus(*row) for row in sources),
        queue=Queue(waiting, 0, dead),
        pending_audience=pending,
        vectors_behind=behind,
        quarantined=quarantined,
        candidates=candidates,
        stale=stale,
        conflicts=len(_conflicts(desk)),
        workers=workers,
        unsealed=unsealed,
        model=desk.language_model,
        closed=tuple(ClosedContainer(*row) for row in closed),
        replicas=() if desk.work.spread is None else desk.work.spread.standing(),
        notes=(*embed.troubles(desk.work), *distil.troubles(desk.work)),
    )


def _conflicts(desk: Desk) -> Sequence[object]:
    """Those the steward may see: running the record gives no right to read it."""
    work, now = desk.work, desk.now
    moment = Moment(now, now, None)
    with reading_as(work.database, work.tenant, work.key, Hearing(desk.principal), moment) as reader:
        return conflicts(reader)


def revive(desk: Desk) -> int:
    """Make what failed for good due again, once what spoilt it is mended; how many keys there are.

    Passages without a vector are tried again too.
    """
    with desk.writing() as conn:
        desk.record(conn, "revive", "queue", {})
    embed.revive(desk.work)
    return loop.revive(desk.work)


def rebuild(desk: Desk) -> int:
    """Make everything derived anew from what was handed in; how many keys it took.

    Readers see the old until it is done. Vectors come with the next sync, or by a worker.
    """
    with desk.writing() as conn:
        desk.record(conn, "rebuild", "record", {})
    done = derived.rebuild(desk.work)
    tidy(desk.work)
    return done
