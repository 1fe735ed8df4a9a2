"""Taking back what a source said since a time, as one does when it was poisoned; and taking that back.

Every event is marked, none is lost: whatever reads events passes marked ones by, so that the record is as if
they had not come, whatever time is asked about. The same events handed in again are known already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from muniment.domain.errors import Refused, Usage
from muniment.domain.identity import keyed_uuid
from muniment.domain.times import format_instant
from muniment.domain.values import Value
from muniment.gate import directory, holds
from muniment.jobs.compile import Key, moves_of
from muniment.jobs.restate import restate
from muniment.steward.desk import Desk, alone
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Reverted", "revert", "undo"]

SQL: Final = load("reverting")
_DIRECTORY: Final = ("@principal/", "@member/", "@audience/")


@dataclass(frozen=True, slots=True)
class Reverted(Value):
    """What was taken back, or would be: events, and how many items, and words on who is who, they are of."""

    source: str
    since: datetime | None
    dry_run: bool
    undone: bool
    events: int
    items: int
    directory: int


def revert(desk: Desk, source: str, since: datetime, *, dry_run: bool) -> Reverted:
    """Let everything a source said since then count for nothing."""
    with alone(desk) as conn:
        directory.lock(conn, desk.tenant)
        _require(conn, desk, source)
        values = {"tenant": desk.tenant, "source": source, "since": since}
        said: list[tuple[str, int]] = conn.execute(SQL["accepted_since"], values).fetchall()
        keys = sorted({(source, id_) for id_, _ in said})
        found = _reverted(source, since, len(said), keys, dry_run=dry_run, undone=False)
        reached = _reached(conn, desk, source, keys)
        holds.refuse_held(conn, desk.tenant, reached)
        if not dry_run and said:
            _mark(desk, conn, source, since, said)
            restate(conn, desk.work, {*reached, *_reached(conn, desk, source, keys)})
            desk.record(conn, "revert", source, {"since": format_instant(since), "events": len(said)})
    return found


def _mark(
    desk: Desk, conn: Connection, source: str, since: datetime, said: Sequence[tuple[str, int]]
) -> None:
    first, last = said[0], said[-1]
    times = (format_instant(since), format_instant(desk.now))
    reversal = keyed_uuid(desk.work.key, "reversal", source, *times, str(first), str(last), desk.work.salts())
    values = {"tenant": desk.tenant, "source": source, "reversal": reversal, "since": since, "now": desk.now}
    conn.execute(SQL["revert"], {**values, "by": desk.principal})
    conn.execute(SQL["mark"], {**values, "ids": [id_ for id_, _ in said], "seqs": [seq for _, seq in said]})


def undo(desk: Desk, source: str, since: datetime | None, *, dry_run: bool) -> Reverted:
    """Let what was reverted count again: all of a source, or one reversal by its `since`."""
    with alone(desk) as conn:
        directory.lock(conn, desk.tenant)
        _require(conn, desk, source)
        values: dict[str, object] = {"tenant": desk.tenant, "source": source, "since": since}
        reversals: list[UUID] = [row[0] for row in conn.execute(SQL["open_reversals"], values)]
        if not reversals:
            raise Usage(f"nothing of source {source!r} is reverted" + (" since then" if since else ""))
        values = {**values, "reversals": reversals, "by": desk.principal, "now": desk.now}
        keys = sorted((source, id_) for (id_,) in conn.execute(SQL["marked"], values))
        events = (conn.execute(SQL["count_marked"], values).fetchone() or (0,))[0]
        reached = _reached(conn, desk, source, keys)
        if not dry_run:
            conn.execute(SQL["undo"], values)
            restate(conn, desk.work, {*reached, *_reached(conn, desk, source, keys)})
            desk.record(conn, "revert undo", source, {"events": events})
    return _reverted(source, since, events, keys, dry_run=dry_run, undone=True)


def _require(conn: Connection, desk: Desk, source: str) -> None:
    if not holds.has_source(conn, desk.tenant, source):
        raise Refused(f"no source {source!r}")


def _reached(conn: Connection, desk: Desk, source: str, keys: Sequence[Key]) -> list[Key]:
    """The keys, and those under which their items are now: a move may be among what is taken back."""
    return sorted(moves_of(conn, desk.tenant, {source}).onward(keys))


def _reverted(
    source: str, since: datetime | None, events: int, keys: Sequence[Key], *, dry_run: bool, undone: bool
) -> Reverted:
    of_directory = sum(id_.startswith(_DIRECTORY) for _, id_ in keys)
    return Reverted(source, since, dry_run, undone, events, len(keys) - of_directory, of_directory)
