"""What a steward settles by hand: full members, roles, and grants on one item or container."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.errors import Usage
from muniment.domain.events import PrincipalEvent
from muniment.gate import directory
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = [
    "Member",
    "add_member",
    "grant_read",
    "grant_role",
    "item_grants",
    "item_ref",
    "list_members",
    "remove_member",
    "revoke_read",
    "revoke_role",
]

_SQL: Final = load("gate")
_OURS: Final = "muniment"  # the source of what a steward says


@dataclass(frozen=True, slots=True)
class Member:
    """Someone the record knows. Only the standing `member` makes a full member."""

    principal: str
    name: str | None
    standing: str | None
    groups: tuple[str, ...]


def item_ref(source: str, id: str) -> str:  # noqa: A002  # the contract's own word for it
    """What a grant on one item names."""
    return f"item:{source}:{id}"


def add_member(conn: Connection, tenant: str, principal: str, at: datetime) -> None:
    """Make someone a full member, as a directory would; a later statement of a directory still decides."""
    _state(conn, tenant, principal, "member", at)


def remove_member(conn: Connection, tenant: str, principal: str, at: datetime) -> None:
    """Take everything from someone at once, groups and direct mentions included.

    A guest who keeps those is stated by a `principal` event with that standing.
    """
    _state(conn, tenant, principal, "deactivated", at)


def list_members(conn: Connection, tenant: str, now: datetime) -> list[Member]:
    """Everyone the record knows, in the order of their ids, with the groups they are in now."""
    rows = conn.execute(_SQL["members"], {"tenant": tenant, "now": now})
    return [Member(principal, name, standing, tuple(groups)) for principal, name, standing, groups in rows]


def grant_role(conn: Connection, tenant: str, principal: str, role: str, by: str, at: datetime) -> bool:
    """Give a role; False where they hold it already."""
    _require_principal(principal)
    bound = {"tenant": tenant, "principal": principal, "role": role, "by": by, "at": at}
    return conn.execute(_SQL["grant_role"], bound).rowcount > 0


def revoke_role(conn: Connection, tenant: str, principal: str, role: str, by: str, at: datetime) -> bool:
    """Take a role away; False where they do not hold it."""
    bound = {"tenant": tenant, "principal": principal, "role": role, "by": by, "at": at}
    return conn.execute(_SQL["revoke_role"], bound).rowcount > 0


def grant_read(conn: Connection, tenant: str, target: str, principal: str, by: str, at: datetime) -> bool:
    """Admit someone to a container at once; an item is labelled anew by the caller, from `item_grants`."""
    if not principal.startswith("group:"):
        _require_principal(principal)
    directory.lock(conn, tenant)
    bound = {"tenant": tenant, "target": target, "principal": principal, "by": by, "at": at}
    granted = conn.execute(_SQL["grant_read"], bound).rowcount > 0
    _settle(conn, tenant, target)
    return granted


def revoke_read(conn: Connection, tenant: str, target: str, principal: str, by: str, at: datetime) -> bool:
    """Take a grant back; what the source itself says of the audience stays."""
    directory.lock(conn, tenant)
    bound = {"tenant": tenant, "target": target, "principal": principal, "by": by, "at": at}
    revoked = conn.execute(_SQL["revoke_read"], bound).rowcount > 0
    _settle(conn, tenant, target)
    return revoked


def item_grants(
    conn: Connection, tenant: str, refs: Collection[str], until: datetime | None
) -> dict[str, frozenset[str]]:
    """Who holds an open grant on each item, or held one at a time; an item without one is absent."""
    rows = conn.execute(_SQL["item_grants"], {"tenant": tenant, "refs": list(refs), "until": until})
    return {target: frozenset(principals) for target, principals in rows}


def _settle(conn: Connection, tenant: str, target: str) -> None:
    if target.startswith("container:"):
        directory.settle_containers(conn, tenant, [target])


def _state(conn: Connection, tenant: str, principal: str, standing: str, at: datetime) -> None:
    _require_principal(principal)
    said = PrincipalEvent(_OURS, principal, at, None, None, None, None, standing, {})
    directory.state_principals(conn, tenant, [said], at)


def _require_principal(principal: str) -> None:
    if not is_principal(principal):
        raise Usage(f"{principal!r} names nobody: use user:…, service:… or agent:…")
