"""Who can read something, and why: the chains of groups from each clause of an audience to a person."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from muniment.domain.audience import EVERYONE, Audience, is_principal
from muniment.domain.principals import Permitted
from muniment.gate.accounts import people_of
from muniment.gate.containers import containers_until
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Access", "Directory", "readers_of", "reasons", "standings", "who_can", "who_can_container", "why"]

Clauses: TypeAlias = Collection[Collection[str]]
Edge: TypeAlias = tuple[str, str]
Accounts: TypeAlias = Mapping[str, Collection[str]]
Standings: TypeAlias = dict[str, str | None]
Reasons: TypeAlias = dict[str, tuple[str, ...]]
_SQL: Final = load("gate")


@dataclass(frozen=True, slots=True)
class Access:
    """Someone who can read, with a chain for each clause they had to satisfy."""

    principal: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Directory:
    """As much of who is who as one question needs."""

    members: Mapping[str, Sequence[str]]
    containers: Mapping[str, Clauses]
    standings: Standings
    accounts: Accounts


def who_can(
    conn: Connection, tenant: str, audience: Audience, at: datetime | None, now: datetime
) -> list[Access]:
    """Everyone who can read now; or, at a time, who could by what was said for a time no later than that."""
    containers = _containers(conn, tenant, audience, at, now)
    groups = _groups(audience, containers)
    members = (
        _members_now(conn, tenant, groups, now) if at is None else _members_then(conn, tenant, groups, at)
    )
    known = standings(conn, tenant, at)
    accounts = _accounts(_names(conn, tenant, at), known)
    found = reasons(audience, Directory(members, containers, known, accounts))
    return [Access(principal, chains) for principal, chains in sorted(found.items())]


def who_can_container(
    conn: Connection, tenant: str, ref: str, at: datetime | None, now: datetime
) -> list[Access]:
    """The same of a container: what its items without an audience of their own are read by."""
    return who_can(conn, tenant, Audience.of(ref), at, now)


def readers_of(
    conn: Connection, tenant: str, audiences: Mapping[int, Audience], now: datetime
) -> dict[int, frozenset[str]]:
    """Everyone who can read now, of many audiences at once."""
    every = [clause for audience in audiences.values() for clause in audience.clauses]
    if not every:
        return {}
    together = Audience(frozenset(every))
    containers = _containers(conn, tenant, together, None, now)
    members = _members_now(conn, tenant, _groups(together, containers), now)
    known = standings(conn, tenant, None)
    directory = Directory(members, containers, known, _accounts(_names(conn, tenant, None), known))
    return {number: frozenset(reasons(audience, directory)) for number, audience in audiences.items()}


def why(conn: Connection, tenant: str, audience: Audience, permitted: Permitted, now: datetime) -> list[str]:
    """The chains through which a principal satisfies an audience now; none where they do not."""
    bound = {"tenant": tenant, "principal": permitted.principal, "now": now}
    shared = conn.execute(_SQL["shared_names"], bound).fetchall()
    mine: Standings = dict(conn.execute(_SQL["standing"], bound))
    # What is not theirs by now was left out where their rights were resolved.
    accounts = {
        account: people
        for account, people in _accounts(shared, mine).items()
        if account in permitted.subjects and permitted.principal in people
    }
    names = [permitted.principal, *accounts]
    members = _by_group(conn.execute(_SQL["edges_above"], {**bound, "names": names}))
    containers = _containers(conn, tenant, audience, None, now)
    found = reasons(audience, Directory(members, containers, mine, accounts))
    return list(found.get(permitted.principal, ()))


def reasons(audience: Audience, directory: Directory) -> Reasons:
    """Everyone who satisfies the audience and is not deactivated, with the plainest chains that say why."""
    found = _all_of(audience.people, directory)
    return {who: chains for who, chains in found.items() if directory.standings.get(who) != "deactivated"}


def _all_of(clauses: Clauses, directory: Directory) -> Reasons:
    """No clauses at all are met by nobody."""
    met = [_any_of(clause, directory) for clause in sorted(map(sorted, clauses))]
    everywhere = set.intersection(*map(set, met)) if met else set()
    return {who: tuple(dict.fromkeys(chain for found in met for chain in found[who])) for who in everywhere}


def _any_of(clause: Collection[str], directory: Directory) -> Reasons:
    plainest: Reasons = {}
    for member in clause:
        for who, chains in _through(member, directory).items():
            plainest[who] = min(plainest.get(who, chains), chains, key=_plainness)
    return plainest


def _plainness(chains: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return sum(chain.count(" through ") + 1 for chain in chains), chains


def _through(member: str, directory: Directory) -> Reasons:
    """Everyone one word of a clause stands for."""
    if member == EVERYONE:
        full = (who for who, standing in directory.standings.items() if standing == "member")
        return {who: (f"{EVERYONE} through {who}",) for who in full}
    if member.startswith("container:"):
        opened = _all_of(directory.containers.get(member, ()), directory)
        return {who: tuple(f"{member} through {chain}" for chain in chains) for who, chains in opened.items()}
    found: Reasons = {member: (member,)} if is_principal(member) else _inside(member, directory.members)
    return _as_people(found, directory.accounts)


def _as_people(found: Reasons, accounts: Accounts) -> Reasons:
    """Those found, and whoever is one of them under another name."""
    everyone = dict(found)
    for account, chains in sorted(found.items()):
        for person in accounts.get(account, ()):
            through = tuple(f"{chain} through {person}" for chain in chains)
            everyone[person] = min(everyone.get(person, through), through, key=_plainness)
    return everyone


def _inside(group: str, members: Mapping[str, Sequence[str]]) -> Reasons:
    """Everyone in a group, nearest first, so that each chain is a shortest one; a cycle ends itself."""
    chains = {group: group}
    waiting = deque([group])
    while waiting:
        outer = waiting.popleft()
        for member in members.get(outer, ()):
            if member not in chains:
                chains[member] = f"{chains[outer]} through {member}"
                waiting.append(member)
    return {who: (chain,) for who, chain in chains.items() if is_principal(who)}


def _groups(audience: Audience, containers: Mapping[str, Clauses]) -> list[str]:
    clauses = [*audience.people, *(clause for opened in containers.values() for clause in opened)]
    return sorted({member for clause in clauses for member in clause if member.startswith("group:")})


def _containers(
    conn: Connection, tenant: str, audience: Audience, at: datetime | None, now: datetime
) -> dict[str, Clauses]:
    members = (member for clause in audience.people for member in clause)
    refs = sorted({member for member in members if member.startswith("container:")})
    return {one.ref: one.open_to(at or now) for one in containers_until(conn, tenant, refs, at)}


def _members_now(conn: Connection, tenant: str, groups: list[str], now: datetime) -> dict[str, list[str]]:
    return _by_group(conn.execute(_SQL["edges_below"], {"tenant": tenant, "groups": groups, "now": now}))


def _members_then(conn: Connection, tenant: str, groups: list[str], at: datetime) -> dict[str, list[str]]:
    ever = conn.execute(_SQL["edges_ever"], {"tenant": tenant, "groups": groups}).fetchall()
    bound = {
        "tenant": tenant,
        "members": [member for member, _ in ever],
        "groups": [group for _, group in ever],
        "until": at,
    }
    said = conn.execute(_SQL["edges_until"], bound)
    return _by_group((member, group) for member, group, start, end in said if _holds(start, end, at))


def _holds(start: datetime | None, end: datetime | None, at: datetime) -> bool:
    return (start is None or start <= at) and (end is None or at < end)


def _by_group(edges: Iterable[Edge]) -> dict[str, list[str]]:
    members: dict[str, list[str]] = defaultdict(list)
    for member, group in sorted(edges):
        members[group].append(member)
    return members


def standings(conn: Connection, tenant: str, at: datetime | None) -> Standings:
    """Everyone's standing now, or by what was said for a time no later than that."""
    if at is not None:
        return _standings_then(conn, tenant, at)
    return dict(conn.execute(_SQL["standings"], {"tenant": tenant}))


def _standings_then(conn: Connection, tenant: str, at: datetime) -> Standings:
    return {principal: standing for principal, _, standing, *_ in _people_then(conn, tenant, at)}


def _people_then(conn: Connection, tenant: str, at: datetime) -> list[Any]:
    ever = [name for (name,) in conn.execute(_SQL["principals_ever"], {"tenant": tenant})]
    bound = {"tenant": tenant, "principals": ever, "until": at}
    return conn.execute(_SQL["principals_until"], bound).fetchall()


def _names(conn: Connection, tenant: str, at: datetime | None) -> list[Edge]:
    """Who goes by which name now, or went by it by what was said for a time no later than that."""
    if at is None:
        return conn.execute(_SQL["shared_names"], {"tenant": tenant, "principal": None}).fetchall()
    rows = _people_then(conn, tenant, at)
    return [(principal, name) for principal, _, _, emails, others in rows for name in (*emails, *others)]


def _accounts(names: Iterable[Edge], known: Standings) -> Accounts:
    return people_of(names, {who for who, standing in known.items() if standing == "deactivated"})
