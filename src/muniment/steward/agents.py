"""What agents may read for whomever they act for: everything, or a list of sources, containers and items."""

from __future__ import annotations

from muniment.domain.errors import Refused, Usage
from muniment.gate import agents
from muniment.gate.policy import storable
from muniment.jobs.loop import drain
from muniment.jobs.turns import compile_alone
from muniment.steward.desk import Desk
from muniment.steward.targets import get_target
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["ALL", "give", "give_all", "take", "take_all"]

SQL = load("steward")
REACH = load("agents")
ALL = agents.ALL


def give(desk: Desk, agent: str, target: str) -> bool:
    """Put a source, container or item on an agent's list; its labels say so before this returns."""
    with desk.writing() as conn:
        # Alone: what compiled beside this would miss the new target for ever.
        compile_alone(conn, desk.tenant)
        ref = _get_ref(desk, conn, agent, target)
        if ref not in agents.targets_ever(conn, desk.tenant):
            _reopen(desk, conn, ref)
        changed = agents.grant(conn, desk.tenant, agent, ref, desk.principal, desk.now)
        desk.record(conn, "grant", agent, {"read": ref})
    drain(desk.work)
    return changed


def take(desk: Desk, agent: str, target: str) -> bool:
    """Take it off the list again, which holds on the next read."""
    with desk.writing() as conn:
        ref = _get_ref(desk, conn, agent, target)
        if agents.reach_of(conn, desk.tenant, agent, None) == ALL:
            raise Usage(f"{agent!r} reads all that its user may: grant it what it may read, or revoke {ALL}")
        changed = agents.revoke(conn, desk.tenant, agent, ref, desk.principal, desk.now)
        desk.record(conn, "revoke", agent, {"read": ref})
    return changed


def give_all(desk: Desk, agent: str) -> bool:
    """Let an agent read all that whoever it acts for may read."""
    _require_agent(agent)
    with desk.writing() as conn:
        changed = agents.grant_all(conn, desk.tenant, agent, desk.principal, desk.now)
        desk.record(conn, "grant", agent, {"read": ALL})
    return changed


def take_all(desk: Desk, agent: str) -> bool:
    """Leave an agent nothing until it is granted something."""
    _require_agent(agent)
    with desk.writing() as conn:
        changed = agents.revoke_all(conn, desk.tenant, agent, desk.principal, desk.now)
        desk.record(conn, "revoke", agent, {"read": ALL})
    return changed


def _require_agent(agent: str) -> None:
    if not agent.startswith("agent:") or agent == "agent:" or storable(agent) != agent:
        raise Usage(f"{agent!r} is no agent: {ALL} is for agent:… alone")


def _get_ref(desk: Desk, conn: Connection, agent: str, target: str) -> str:
    _require_agent(agent)
    if ":" in target:
        return get_target(desk, conn, target)
    if not conn.execute(SQL["configured"], {"tenant": desk.tenant, "source": storable(target)}).fetchall():
        raise Refused(f"no source {target!r}")
    return agents.source_ref(target)


def _reopen(desk: Desk, conn: Connection, ref: str) -> None:
    kind, source, name = (*ref.split(":", 2), None)[:3]
    conn.execute(
        REACH["reopen_reach"],
        {
            "tenant": desk.tenant,
            "source": source,
            "container": name if kind == "container" else None,
            "id": name if kind == "item" else None,
            "now": desk.now,
        },
    )
