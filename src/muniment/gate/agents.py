"""What an agent may read for whomever it acts for: all that they may, until a grant makes it a list.

A listed target is written into the labels of what lies under it (`Audience.reach`), so that narrowing an
agent is a choice among audiences like every other right. Who holds a grant is read at every read; labels only
know what was ever granted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Final, Literal, TypeAlias

from muniment.domain.audience import Audience, container_ref
from muniment.domain.principals import Permitted
from muniment.gate.grants import item_ref
from muniment.gate.who import Access, standings
from muniment.items.fold import NOBODY
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = [
    "ALL",
    "grant",
    "grant_all",
    "narrowed",
    "reach_of",
    "refs_of",
    "revoke",
    "revoke_all",
    "source_ref",
    "targets_ever",
    "through_agents",
    "within_reach",
]

_SQL: Final = load("agents")
ALL: Final = "all"
Reach: TypeAlias = Literal["all"] | frozenset[str]


def source_ref(source: str) -> str:
    """What a grant on everything of a source names."""
    return f"source:{source}"


def refs_of(source: str, id: str | None, container: str | None) -> frozenset[str]:  # noqa: A002  # the contract's own word
    """Every target under which something of a source lies."""
    refs = {source_ref(source)}
    refs |= {item_ref(source, id)} if id is not None else set()
    refs |= {container_ref(source, container)} if container is not None else set()
    return frozenset(refs)


def within_reach(audience: Audience, refs: frozenset[str], ever: frozenset[str]) -> Audience:
    """The label of something under these targets, as far as any of them was ever granted."""
    granted = refs & ever
    return audience if not granted or audience == NOBODY else audience.within(granted)


def targets_ever(conn: Connection, tenant: str) -> frozenset[str]:
    """Every target an agent was ever granted."""
    return frozenset(target for (target,) in conn.execute(_SQL["targets_ever"], {"tenant": tenant}))


def reach_of(conn: Connection, tenant: str, agent: str, until: datetime | None) -> Reach:
    """What an agent was granted now, or by a time."""
    bound = {"tenant": tenant, "agent": agent, "until": until}
    row = conn.execute(_SQL["reach"], bound).fetchone()
    return ALL if row is None or row[0] is None else frozenset(row[0])


def narrowed(conn: Connection, tenant: str, permitted: Permitted, agent: str) -> Permitted:
    """What is left of somebody's rights where an agent uses them: nothing for one that was deactivated."""
    bound = {"tenant": tenant, "agent": agent}
    if conn.execute(_SQL["is_deactivated"], bound).fetchone() == (True,):
        return Permitted(permitted.principal, frozenset(), ())
    match reach_of(conn, tenant, agent, None):
        case "all":
            return permitted
        case frozenset() as refs:
            values = {"tenant": tenant, "audiences": permitted.as_text(), "refs": sorted(refs)}
            found = tuple(audience for (audience,) in conn.execute(_SQL["within"], values))
            return Permitted(permitted.principal, permitted.subjects, found)


def grant(conn: Connection, tenant: str, agent: str, target: str, by: str, at: datetime) -> bool:
    """Let an agent read a target; from the first one on it reads what it was granted and nothing else."""
    bound = {"tenant": tenant, "agent": agent, "by": by, "at": at}
    conn.execute(_SQL["leave_all"], bound)
    conn.execute(_SQL["was_all"], bound)
    return conn.execute(_SQL["grant"], {**bound, "target": target}).rowcount > 0


def revoke(conn: Connection, tenant: str, agent: str, target: str, by: str, at: datetime) -> bool:
    """Take a target off an agent's list, which may leave it nothing at all."""
    bound = {"tenant": tenant, "agent": agent, "target": target, "by": by, "at": at}
    return conn.execute(_SQL["revoke"], bound).rowcount > 0


def grant_all(conn: Connection, tenant: str, agent: str, by: str, at: datetime) -> bool:
    """Let an agent read all that whoever it acts for may read; its list is dropped."""
    bound = {"tenant": tenant, "agent": agent, "target": ALL, "by": by, "at": at}
    before = reach_of(conn, tenant, agent, None)
    conn.execute(_SQL["drop_list"], bound)
    conn.execute(_SQL["grant"], bound)
    return before != ALL


def revoke_all(conn: Connection, tenant: str, agent: str, by: str, at: datetime) -> bool:
    """Leave an agent nothing until it is granted something."""
    bound = {"tenant": tenant, "agent": agent, "by": by, "at": at}
    before = reach_of(conn, tenant, agent, None)
    for name in ("drop_list", "leave_all", "was_all"):
        conn.execute(_SQL[name], bound)
    return before != frozenset()


def through_agents(
    conn: Connection, tenant: str, refs: Collection[str], readers: Iterable[Access], at: datetime | None
) -> list[Access]:
    """The agents with a grant that reaches one of these targets, each through everyone it could act for."""
    names = [agent for (agent,) in conn.execute(_SQL["agents_ever"], {"tenant": tenant, "until": at})]
    known = standings(conn, tenant, at)
    reaches = {
        agent: reach_of(conn, tenant, agent, at) for agent in names if known.get(agent) != "deactivated"
    }
    people = [one.principal for one in readers if not one.principal.startswith("agent:")]
    return [
        Access(agent, tuple(f"through {who} and its grant on {name}" for who in people))
        for agent, name in sorted(_reaching(reaches, refs).items())
        if people
    ]


def _reaching(reaches: Mapping[str, Reach], refs: Collection[str]) -> dict[str, str]:
    """Agents whose reach holds one of the targets, by the name of the widest."""
    found: dict[str, str] = {}
    for agent, reach in reaches.items():
        if reach == ALL:
            found[agent] = ALL
        elif held := sorted(set(reach) & set(refs), key=len):
            found[agent] = held[0].partition(":")[2]
    return found
