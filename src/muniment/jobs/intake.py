"""A batch through the front door, and at once everything that must act before the caller is told it was taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.events import AudienceEvent, ContentEvent, MemberEvent, Op, PrincipalEvent
from muniment.events.accept import Arrival, Outcome, accept, key_of
from muniment.events.rights import Credential
from muniment.gate import directory
from muniment.jobs.compile import Key, compile_keys
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Intake", "take_in"]

SQL = load("jobs")
EVENTS = load("events")
_AT_ONCE = frozenset((Op.DELETE, Op.REDACT, Op.RECALL))


@dataclass(frozen=True, slots=True)
class Intake:
    """What a batch needs besides its events: whose record, by which clock and salt, on whose word."""

    tenant: str
    key: bytes
    credential: Credential
    accepted_at: datetime
    salts: Callable[[], bytes]
    kind: str
    trust: str


def take_in(conn: Connection, intake: Intake, arrivals: Sequence[Arrival]) -> list[Outcome]:
    """Accept a batch in the caller's transaction; memberships, audiences and removals hold when it commits."""
    _register(conn, intake, arrivals)
    outcomes = accept(
        conn,
        intake.tenant,
        intake.credential,
        arrivals,
        key=intake.key,
        accepted_at=intake.accepted_at,
        salts=intake.salts,
    )
    taken = [outcome.arrival.event for outcome in outcomes if outcome.state == "accepted"]
    refs = _state(conn, intake, taken)
    at_once = {key_of(event) for event in taken if _acts_at_once(event)}
    at_once |= _inheriting(conn, intake.tenant, refs)
    _compile_now(conn, intake, at_once)
    _finish(conn, intake.tenant, [key_of(event) for event in taken if _acted(event)])
    return outcomes


def _register(conn: Connection, intake: Intake, arrivals: Sequence[Arrival]) -> None:
    sources = sorted({arrival.event.source for arrival in arrivals})
    values = {"tenant": intake.tenant, "sources": sources, "kind": intake.kind}
    conn.execute(EVENTS["register_sources"], {**values, "trust": intake.trust, "authority": "default"})


def _state(conn: Connection, intake: Intake, taken: Sequence[object]) -> set[str]:
    """Directory events into the directory; the containers whose audience changed."""
    principals = [event for event in taken if isinstance(event, PrincipalEvent)]
    members = [event for event in taken if isinstance(event, MemberEvent)]
    containers = [event for event in taken if isinstance(event, AudienceEvent) and event.container is not None]
    if principals:
        directory.state_principals(conn, intake.tenant, principals, intake.accepted_at)
    if members:
        directory.state_members(conn, intake.tenant, members, intake.accepted_at)
    if not containers:
        return set()
    return directory.state_containers(conn, intake.tenant, containers, intake.accepted_at)


def _acts_at_once(event: object) -> bool:
    match event:
        case ContentEvent(op=op):
            return op in _AT_ONCE
        case AudienceEvent(item=str()):
            return True
    return False


def _acted(event: object) -> bool:
    """Whether nothing is left for the queue to do."""
    match event:
        case PrincipalEvent() | MemberEvent() | AudienceEvent(item=None):
            return True
    return False


def _inheriting(conn: Connection, tenant: str, refs: set[str]) -> set[Key]:
    if not refs:
        return set()
    return {(row[0], row[1]) for row in conn.execute(SQL["inheriting"], {"tenant": tenant, "refs": sorted(refs)})}


def _compile_now(conn: Connection, intake: Intake, keys: set[Key]) -> None:
    if keys:
        compile_keys(conn, intake.tenant, intake.key, keys)
        _finish(conn, intake.tenant, sorted(keys))


def _finish(conn: Connection, tenant: str, keys: Sequence[Key]) -> None:
    if keys:
        values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
        conn.execute(SQL["advance_all"], values)
