"""Keys whose events are no longer what they were: what follows from them, made again from what is left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from muniment.domain.audience import container_ref
from muniment.domain.events import AudienceEvent, Event, ItemRef, MemberEvent, PrincipalEvent
from muniment.gate import directory
from muniment.gate.containers import placed
from muniment.gate.unsaid import unsay
from muniment.index.projection import item_uuid
from muniment.jobs.attempts import put_off, try_compile
from muniment.jobs.authors import written_by
from muniment.jobs.compile import Key, event_of
from muniment.jobs.disclose import withdraw
from muniment.jobs.loop import BATCH, Work
from muniment.jobs.turns import hold_keys
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["restate"]

SQL: Final = load("jobs")
_DIRECTORY: Final = ("@principal/", "@member/", "@audience/")


def restate(conn: Connection, work: Work, keys: Collection[Key]) -> None:
    """Make the directory and derived rows of these keys what their events say now.

    No other compilation may be at work.
    """
    stated = [name for name in keys if name[1].startswith(_DIRECTORY)]
    wanted = set(keys).difference(stated)
    if stated:
        wanted |= _state_again(conn, work, sorted(stated))
    names = sorted(wanted)
    for start in range(0, len(names), BATCH):
        some = names[start : start + BATCH]
        hold_keys(conn, work.tenant, some)
        _compile(conn, work, some)


def _compile(conn: Connection, work: Work, names: Sequence[Key]) -> None:
    """What cannot be compiled is withdrawn and due again: it must not stand as it was, nor stop the rest."""
    error = try_compile(conn, work.tenant, work.key, names)
    if error is None:
        values = {
            "tenant": work.tenant,
            "sources": [one[0] for one in names],
            "ids": [one[1] for one in names],
        }
        conn.execute(SQL["settle"], values)
    elif len(names) > 1:
        for name in names:
            _compile(conn, work, [name])
    else:
        withdraw(conn, work.tenant, work.key, [item_uuid(work.key, ItemRef(*names[0]))])
        conn.execute(SQL["reopen"], {"tenant": work.tenant, "source": names[0][0], "id": names[0][1]})
        put_off(conn, work.tenant, names[0], error, work.clock())


def _state_again(conn: Connection, work: Work, keys: Sequence[Key]) -> set[Key]:
    """The items whose audience or worth follows from it."""
    about = {id_.removeprefix("@principal/") for _, id_ in keys if id_.startswith("@principal/")}
    wrote = written_by(conn, work.tenant, about)
    unsay(conn, work.tenant, keys)
    values = {"tenant": work.tenant, "sources": [one[0] for one in keys], "ids": [one[1] for one in keys]}
    rows = conn.execute(SQL["history"], values).fetchall()
    for accepted_at, content in sorted(((row[3], row[5]) for row in rows), key=lambda row: row[0]):
        _state(conn, work.tenant, event_of(content), accepted_at)
    directory.rebuild(conn, work.tenant)
    wrote |= written_by(conn, work.tenant, about)
    refs = {
        container_ref(source, id_.removeprefix("@audience/")) for source, id_ in keys if "@audience/" in id_
    }
    if not refs:
        return wrote
    found = conn.execute(SQL["in_containers"], {"tenant": work.tenant, **placed(refs)})
    return wrote.union((source, id_) for source, id_ in found)


def _state(conn: Connection, tenant: str, event: Event, accepted_at: datetime) -> None:
    """As it was when it was accepted: what is dated after that counts as said then."""
    match event:
        case PrincipalEvent():
            said = replace(event, at=min(event.at, accepted_at))
            directory.state_principals(conn, tenant, [said], accepted_at)
        case MemberEvent():
            joined = replace(event, at=min(event.at, accepted_at))
            directory.state_members(conn, tenant, [joined], accepted_at)
        case AudienceEvent():
            opened = replace(event, at=min(event.at, accepted_at))
            directory.state_containers(conn, tenant, [opened], accepted_at)
        case _:
            raise TypeError(f"a {type(event).__name__} is nothing that a directory says")
