"""A batch through the front door, and at once what must act before the caller is told it was taken."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.domain.errors import Usage
from muniment.domain.events import AudienceEvent, ContentEvent, ItemRef, MemberEvent, Op, PrincipalEvent
from muniment.events.accept import Arrival, Outcome, Seal, accept, key_of
from muniment.events.rights import Credential
from muniment.gate import directory
from muniment.gate.containers import placed
from muniment.index.projection import item_uuid
from muniment.items.fold import Accepted
from muniment.jobs.attempts import put_off, try_compile
from muniment.jobs.authors import reopen, written_by
from muniment.jobs.compile import Key
from muniment.jobs.disclose import withdraw
from muniment.jobs.turns import compile_alone, compile_beside_others, hold_keys
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = [
    "Intake",
    "Spoilt",
    "Stamped",
    "Within",
    "at_one_go",
    "compile_taken",
    "leave_due",
    "stamped",
    "take_in",
    "with_care",
]

log = logging.getLogger(__name__)

SQL = load("jobs")
EVENTS = load("events")
_AT_ONCE = frozenset((Op.DELETE, Op.REDACT, Op.RECALL))


Within = Callable[[Connection], AbstractContextManager[object]]


class Spoilt(Exception):  # no fault of the caller's: the batch is taken again with care
    """Something of a batch could not be stored or compiled, so that nothing of it was kept."""


def with_care(conn: Connection) -> AbstractContextManager[object]:
    """What fails inside is taken back, and the transaction goes on."""
    return conn.transaction()


def at_one_go(conn: Connection) -> AbstractContextManager[object]:
    """What fails inside ends the transaction. Most batches have nothing in them that fails.

    A statement whose result nobody asks for is not waited for: whatever it met is told when this ends.
    """
    return conn.pipeline()


@dataclass(frozen=True, slots=True)
class Intake:
    """What a batch needs besides its events: whose record, by which clock and salt, on whose word.

    `apply` is `compile_taken`, or `leave_due` for a batch whose work is left to others; `within`, what it may
    fail in.
    """

    tenant: str
    key: bytes
    credential: Credential
    accepted_at: datetime
    salts: Callable[[], bytes]
    kind: str
    trust: str
    apply: Callable[[Connection, Intake, Sequence[Outcome]], None]
    within: Within = with_care


@dataclass(frozen=True, slots=True)
class Stamped:
    """A batch's intake, as soon as there is a transaction to look up on whose word it comes."""

    tenant: str
    intake: Callable[[Connection], Intake]


def stamped(intake: Intake) -> Stamped:
    """An intake that is known as it is."""
    return Stamped(intake.tenant, lambda _: intake)


def take_in(conn: Connection, intake: Intake, arrivals: Sequence[Arrival]) -> list[Outcome]:
    """Accept a batch in the caller's transaction.

    Memberships, audiences and removals hold when it commits.
    """
    _hold(conn, intake.tenant, [arrival.event for arrival in arrivals])
    _register(conn, intake, arrivals)
    who = intake.credential
    done = _done_when_written(intake, [arrival.event for arrival in arrivals])
    seal = Seal(who.importer, intake.accepted_at, intake.key, intake.salts, who.foreign, done=done)
    outcomes = accept(conn, intake.tenant, seal, arrivals)
    taken = [outcome.arrival.event for outcome in outcomes if outcome.state == "accepted"]
    refs = _state(conn, intake, taken)
    at_once = {key_of(event) for event in taken if _acts_at_once(event)}
    at_once |= _inheriting(conn, intake.tenant, refs)
    _compile_now(conn, intake, at_once)
    _finish(conn, intake.tenant, [key_of(event) for event in taken if _acted(event)])
    return outcomes


def leave_due(_conn: Connection, _intake: Intake, _outcomes: Sequence[Outcome]) -> None:
    """Leave what was accepted to `sync` or a worker."""


def compile_taken(conn: Connection, intake: Intake, outcomes: Sequence[Outcome]) -> None:
    """Compile what was just accepted, in the transaction that accepted it. A key that fails stays due."""
    taken = [outcome for outcome in outcomes if outcome.state == "accepted"]
    keys = {key_of(one.arrival.event) for one in taken if not _acted(one.arrival.event)}
    if not keys:
        return
    error = try_compile(conn, intake.tenant, intake.key, keys, _whole(intake, taken), within=intake.within)
    if error is not None and intake.within is at_one_go:
        raise Spoilt from error
    if error is None:
        if not _done_when_written(intake, [outcome.arrival.event for outcome in outcomes]):
            _finish(conn, intake.tenant, sorted(keys))
    else:  # the loop comes back to these keys one by one
        log.error("a batch of %d keys could not be compiled at once: %s", len(keys), type(error).__name__)


def _done_when_written(intake: Intake, events: Iterable[object]) -> bool:
    """Whether everything is compiled in the transaction that accepts it, or nothing of it kept.

    Who is who may open again what was done: what they wrote, in this batch too.
    """
    at_once = intake.within is at_one_go and intake.apply is compile_taken
    return at_once and not any(isinstance(event, PrincipalEvent) for event in events)


def _whole(intake: Intake, taken: Sequence[Outcome]) -> dict[Key, list[Accepted]]:
    """The histories of items whose first event is in this batch, as far as its content is kept."""
    found: dict[Key, list[Accepted]] = {}
    for one in taken:
        event, name = one.arrival.event, key_of(one.arrival.event)
        if one.kept and isinstance(event, ContentEvent | AudienceEvent) and one.seq is not None:
            new = Accepted(one.seq, intake.accepted_at, intake.credential.importer, event)
            found.setdefault(name, []).append(new)
    return {name: history for name, history in found.items() if history[0].seq == 1}


def _hold(conn: Connection, tenant: str, events: Sequence[object]) -> None:
    """Locks that come before keys, in everybody's order (`jobs.turns`)."""
    if any(isinstance(event, AudienceEvent) and event.container is not None for event in events):
        compile_alone(conn, tenant)
    else:
        compile_beside_others(conn, tenant)
    if any(_acted(event) for event in events):
        directory.lock(conn, tenant)


def _register(conn: Connection, intake: Intake, arrivals: Sequence[Arrival]) -> None:
    """Sources not met before, with what this import says of them; what was said before stands."""
    sources = sorted({arrival.event.source for arrival in arrivals} - intake.credential.met)
    if not sources and intake.trust == "default":
        return
    sources = sorted({arrival.event.source for arrival in arrivals})
    who = intake.credential.importer
    values = {"tenant": intake.tenant, "sources": sources, "kind": intake.kind, "importer": who}
    # What a kind of item is worth, such as a CRM record, only a steward's source may claim for itself.
    authority = "default" if intake.credential.steward else "member"
    conn.execute(EVENTS["register_sources"], {**values, "trust": intake.trust, "authority": authority})
    if intake.trust == "default":
        return
    for source, trust, *_ in conn.execute(SQL["source_qualities"], values):
        if trust != intake.trust:
            raise Usage(
                f"source {source!r} is trusted as {trust!r} already; use another --source for other trust"
            )


def _state(conn: Connection, intake: Intake, taken: Sequence[object]) -> set[str]:
    """Directory events into the directory; the containers whose audience changed."""
    # What is dated after it came counts as said when it came, or nobody could unsay it until then.
    now = intake.accepted_at
    principals = [replace(one, at=min(one.at, now)) for one in taken if isinstance(one, PrincipalEvent)]
    members = [replace(one, at=min(one.at, now)) for one in taken if isinstance(one, MemberEvent)]
    containers = [
        replace(one, at=min(one.at, now))
        for one in taken
        if isinstance(one, AudienceEvent) and one.container is not None
    ]
    if principals:
        _state_principals(conn, intake, principals)
    if members:
        directory.state_members(conn, intake.tenant, members, intake.accepted_at)
    if not containers:
        return set()
    return directory.state_containers(conn, intake.tenant, containers, intake.accepted_at)


def _state_principals(conn: Connection, intake: Intake, events: Sequence[PrincipalEvent]) -> None:
    """Who is who, and due again what they wrote, where it may count for more or less than it did."""
    about = {one.id for one in events}
    before = written_by(conn, intake.tenant, about)
    directory.state_principals(conn, intake.tenant, events, intake.accepted_at)
    reopen(conn, intake.tenant, before | written_by(conn, intake.tenant, about), intake.accepted_at)


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
    return {(row[0], row[1]) for row in conn.execute(SQL["inheriting"], {"tenant": tenant, **placed(refs)})}


def _compile_now(conn: Connection, intake: Intake, keys: set[Key]) -> None:
    if not keys:
        return
    hold_keys(conn, intake.tenant, keys)
    names = sorted(keys)
    if try_compile(conn, intake.tenant, intake.key, names) is not None:
        names = [name for name in names if _is_compiled(conn, intake, name)]
    _finish(conn, intake.tenant, names)


def _is_compiled(conn: Connection, intake: Intake, name: Key) -> bool:
    """Whether what acts at once has acted.

    An item that cannot be compiled is withdrawn: nobody can say who may still read it.
    """
    error = try_compile(conn, intake.tenant, intake.key, [name])
    if error is not None:
        withdraw(conn, intake.tenant, intake.key, [item_uuid(intake.key, ItemRef(*name))])
        conn.execute(SQL["reopen"], {"tenant": intake.tenant, "source": name[0], "id": name[1]})
        put_off(conn, intake.tenant, name, error, intake.accepted_at)
    return error is None


def _finish(conn: Connection, tenant: str, keys: Sequence[Key]) -> None:
    if keys:
        values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
        conn.execute(SQL["advance_all"], values)
