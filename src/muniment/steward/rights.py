"""Who may read, and who may run the record: members, roles, grants, and who can read what through what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.domain.audience import Audience
from muniment.domain.errors import Conflict, Usage
from muniment.domain.values import Value
from muniment.gate import agents as reach
from muniment.gate import directory, grants, policy, who
from muniment.gate.audiences import get_audience
from muniment.jobs.authors import reopen, written_by
from muniment.jobs.compile import Key, compile_keys
from muniment.jobs.then import standing_then
from muniment.jobs.turns import hold_keys
from muniment.steward import agents
from muniment.steward.desk import Desk, beside_others
from muniment.steward.targets import get_target
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = [
    "Access",
    "Granted",
    "Member",
    "add_member",
    "grant_read",
    "grant_role",
    "members",
    "remove_member",
    "revoke_read",
    "revoke_role",
    "who_can",
]

SQL = load("steward")
ROLES = ("steward", "importer")


@dataclass(frozen=True, slots=True)
class Access(Value):
    """Someone who can read, and the chain of groups through which they can."""

    principal: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member(Value):
    """Someone the record knows; only the standing `member` makes a full member."""

    principal: str
    name: str | None
    standing: str | None
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Granted(Value):
    """What a grant or its withdrawal changed, and, after a withdrawal, how someone can still read."""

    principal: str
    target: str
    changed: bool
    still: tuple[str, ...]


def members(desk: Desk) -> list[Member]:
    """Everyone the record knows."""
    with desk.writing() as conn:
        found = grants.list_members(conn, desk.tenant, desk.now)
    return [Member(one.principal, one.name, one.standing, one.groups) for one in found]


def add_member(desk: Desk, principal: str) -> None:
    """Make someone a full member: they may read what everyone may."""
    with desk.writing() as conn:
        grants.add_member(conn, desk.tenant, principal, desk.now)
        # Whoever wrote from an address before anybody said whose it is may be a member's word now.
        reopen(conn, desk.tenant, written_by(conn, desk.tenant, [principal]), desk.now)
        desk.record(conn, "members add", principal, {})


def remove_member(desk: Desk, principal: str) -> None:
    """Take everything from someone at once."""
    with desk.writing() as conn:
        directory.lock(conn, desk.tenant)
        grants.remove_member(conn, desk.tenant, principal, desk.now)
        _require_steward(desk, conn, principal)
        desk.record(conn, "members remove", principal, {})


def grant_role(desk: Desk, principal: str, role: str) -> Granted:
    """Give a role, or, to an agent, all that whoever it acts for may read."""
    if role == agents.ALL:
        return Granted(principal, role, agents.give_all(desk, principal), ())
    return _role(desk, principal, role, "grant")


def revoke_role(desk: Desk, principal: str, role: str) -> Granted:
    """Take a role back, or from an agent everything."""
    if role == agents.ALL:
        return Granted(principal, role, agents.take_all(desk, principal), ())
    return _role(desk, principal, role, "revoke")


def _role(desk: Desk, principal: str, role: str, action: Literal["grant", "revoke"]) -> Granted:
    if role not in ROLES:
        raise Usage(f"role {role!r} is unknown: use {' or '.join(ROLES)}, or read ITEM or CONTAINER")
    if (action, role) == ("grant", "steward") and principal.startswith("agent:"):
        raise Usage(f"{principal!r} acts for somebody and has no rights of its own: make a user steward")
    act = grants.grant_role if action == "grant" else grants.revoke_role
    with desk.writing() as conn:
        directory.lock(conn, desk.tenant)
        changed = act(conn, desk.tenant, principal, role, desk.principal, desk.now)
        _require_steward(desk, conn, principal)
        desk.record(conn, action, principal, {"role": role})
    return Granted(principal, role, changed, ())


def _require_steward(desk: Desk, conn: Connection, principal: str) -> None:
    """Under the directory's lock, or two stewards could take each other's role at once."""
    if not policy.has_steward(conn, desk.tenant):
        raise Conflict(f"{principal!r} is the last steward: make somebody else one first")


def grant_read(desk: Desk, principal: str, target: str) -> Granted:
    """Let someone read an item or a container, whatever its source says; an agent, what it is granted."""
    if principal.startswith("agent:"):
        return Granted(principal, target, agents.give(desk, principal, target), ())

    def give(conn: Connection) -> Granted:
        ref = get_target(desk, conn, target)
        changed = grants.grant_read(conn, desk.tenant, ref, principal, desk.principal, desk.now)
        _relabel(desk, conn, ref)
        desk.record(conn, "grant", principal, {"read": ref})
        return Granted(principal, target, changed, ())

    return beside_others(desk, give)


def revoke_read(desk: Desk, principal: str, target: str) -> Granted:
    """Take a grant back; says how they can still read it, where they can."""
    if principal.startswith("agent:"):
        return Granted(principal, target, agents.take(desk, principal, target), ())

    def take(conn: Connection) -> Granted:
        ref = get_target(desk, conn, target)
        changed = grants.revoke_read(conn, desk.tenant, ref, principal, desk.principal, desk.now)
        _relabel(desk, conn, ref)
        desk.record(conn, "revoke", principal, {"read": ref})
        still = [one for one in _who_can(desk, conn, ref, None) if one.principal == principal]
        return Granted(principal, target, changed, still[0].why if still else ())

    return beside_others(desk, take)


def who_can(desk: Desk, target: str, *, at: datetime | None = None) -> list[Access]:
    """Everyone who can read an item or container, now or at an earlier time, and through what."""
    with desk.writing() as conn:
        ref = get_target(desk, conn, target)
        desk.record(conn, "who-can", ref, {"at": at.isoformat() if at else None})
        return [Access(one.principal, one.why) for one in _who_can(desk, conn, ref, at)]


def _who_can(desk: Desk, conn: Connection, ref: str, at: datetime | None) -> Sequence[who.Access]:
    tenant = desk.tenant
    if ref.startswith("container:"):
        _, source, container = ref.split(":", 2)
        people = who.who_can_container(conn, tenant, ref, at, desk.now)
        refs = reach.refs_of(source, None, container)
    else:
        source, _, id_ = ref.removeprefix("item:").partition(":")
        found = _stands(desk, conn, (source, id_), at)
        if found is None:
            return ()
        audience, place = found
        people = who.who_can(conn, tenant, audience, at, desk.now)
        refs = reach.refs_of(source, id_, place)
    return [*people, *reach.through_agents(conn, tenant, refs, people, at)]


def _stands(
    desk: Desk, conn: Connection, name: Key, at: datetime | None
) -> tuple[Audience, str | None] | None:
    """For whom an item is or was, and in which container."""
    tenant = desk.tenant
    if at is not None:
        then = standing_then(conn, tenant, name, at)
        return None if then is None else (then.audience, then.container)
    values = {"tenant": tenant, "source": name[0], "id": name[1]}
    row = conn.execute(SQL["item_audience"], values).fetchone()
    return None if row is None else (get_audience(conn, tenant, row[0]), row[1])


def _relabel(desk: Desk, conn: Connection, ref: str) -> None:
    """An item's label holds its grants, so it is written anew; a container's holds them itself."""
    if ref.startswith("item:"):
        source, _, id_ = ref.removeprefix("item:").partition(":")
        hold_keys(conn, desk.tenant, [(source, id_)])
        compile_keys(conn, desk.tenant, desk.work.key, [(source, id_)])
