"""Who is who, who is in what, and who may read which container, as the sources state it.

Every statement is kept; what they add up to is settled beside them in the same transaction, and is the same
whatever order they arrived in. The latest `(at, version)` decides. At a tie removal wins: for a principal
the narrowest standing and only the names all sources give, for a container the AND of the audiences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from email.utils import parseaddr
from typing import Final
from unicodedata import normalize

from psycopg.types.json import Jsonb

from muniment.domain.audience import Cover, container_ref
from muniment.domain.events import AudienceEvent, MemberEvent, PrincipalEvent
from muniment.domain.names import is_usable, normal_name
from muniment.gate.containers import Container, containers_until
from muniment.gate.versions import sortable
from muniment.store.pool import Connection
from muniment.store.queries import load
from muniment.store.rows import Row, as_json

__all__ = [
    "address_of",
    "alias_of",
    "covers",
    "lock",
    "rebuild",
    "settle_containers",
    "settle_containers_of",
    "state_containers",
    "state_members",
    "state_principals",
]

Edge = tuple[str, str]
Period = tuple[datetime | None, datetime | None]
_SQL: Final = load("gate")


def alias_of(name: str) -> str:
    """The form a name is kept and looked up in as an alias: an e-mail in one case, the rest as it is.

    Compatibility forms (a wide letter, a ligature) are the letters they stand for; `ann+x@` is not `ann@`.
    """
    plain = normalize("NFKC", name)
    if "@" not in plain or ":" in plain:
        return name
    return normalize("NFKC", plain.casefold())


def address_of(author: str) -> str:
    """By what alias an author may be known: an address, be it alone, beside a name or in a principal."""
    return alias_of((parseaddr(author)[1] or author) if "<" in author else author.removeprefix("user:"))


# Principals


def state_principals(
    conn: Connection, tenant: str, events: Sequence[PrincipalEvent], accepted_at: datetime
) -> None:
    """Record what was said of principals and settle who they are now."""
    if not events:
        return
    lock(conn, tenant)
    with conn.cursor() as cursor:
        cursor.executemany(
            _SQL["state_principal"], [_statement(tenant, event, accepted_at) for event in events]
        )
    _settle_principals(conn, tenant, {event.id for event in events})


def _statement(tenant: str, event: PrincipalEvent, accepted_at: datetime) -> dict[str, object]:
    return {
        "tenant": tenant,
        "principal": event.id,
        "at": event.at,
        "version": sortable(event.version),
        "source": event.source,
        "accepted_at": accepted_at,
        "name": event.name,
        "emails": _names(event.emails),
        "aliases": _names(event.aliases),
        "standing": event.standing,
    }


def _names(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else sorted({alias_of(name) for name in names})


def _settle_principals(conn: Connection, tenant: str, principals: Collection[str]) -> None:
    wanted = {"tenant": tenant, "principals": sorted(principals), "until": None}
    settled = conn.execute(_SQL["principals_until"], wanted).fetchall()
    conn.execute(
        _SQL["settle_principals"],
        {
            "tenant": tenant,
            "principals": [principal for principal, *_ in settled],
            "names": [name for _, name, *_ in settled],
            "standings": [standing for _, _, standing, *_ in settled],
        },
    )
    aliases = sorted(
        {(alias, principal) for principal, _, _, emails, others in settled for alias in (*emails, *others)}
    )
    conn.execute(
        _SQL["settle_aliases"],
        {
            "tenant": tenant,
            "principals": sorted(principals),
            "aliases": [alias for alias, _ in aliases],
            "owners": [owner for _, owner in aliases],
        },
    )
    rows = [
        row
        for principal, name, _, emails, others in settled
        for row in _called(tenant, principal, name, {*emails, *others})
    ]
    conn.execute(_SQL["forget_person_names"], {"tenant": tenant, "principals": sorted(principals)})
    conn.execute(_SQL["name_people"], {"tenant": tenant, "rows": as_json(rows)})


def _called(tenant: str, principal: str, name: str | None, others: Collection[str]) -> Iterator[Row]:
    """A row for each name somebody goes by, with all ids they may have written under."""
    # Under `slack:U1` its source writes `user:slack:U1` (gate/accounts).
    ids = sorted({normal_name(one) for one in (principal, *others, *(f"user:{other}" for other in others))})
    title = principal if name is None else name
    for one in sorted({*ids, normal_name(title)}):
        if is_usable(one):
            yield {"tenant": tenant, "name": one, "principal": principal, "title": title, "ids": ids}


# Membership


def state_members(
    conn: Connection, tenant: str, events: Sequence[MemberEvent], accepted_at: datetime
) -> None:
    """Record who joined or left, or a group's full listing, and settle who is in what now."""
    if not events:
        return
    lock(conn, tenant)
    _state_edges(conn, tenant, events, accepted_at)
    _state_listings(conn, tenant, events, accepted_at)
    said = {(member, event.group) for event in events for member in _named_in(event)}
    groups = sorted({event.group for event in events if event.listing is not None})
    held = conn.execute(_SQL["edges_of_groups"], {"tenant": tenant, "groups": groups})
    _settle_edges(conn, tenant, said.union(held))


def _named_in(event: MemberEvent) -> tuple[str, ...]:
    return event.add + event.remove + (event.listing or ())


def _state_edges(conn: Connection, tenant: str, events: Sequence[MemberEvent], accepted_at: datetime) -> None:
    said = [
        (member, event.group, event.at, sortable(event.version), present, event.source, *period)
        for event in events
        for present, members, period in (
            (True, event.add, (event.valid_from, event.valid_to)),
            (False, event.remove, (None, None)),
        )
        for member in members
    ]
    names = ("members", "groups", "ats", "versions", "presents", "sources", "froms", "tos")
    columns = _named_columns(names, said)
    conn.execute(_SQL["state_edges"], {"tenant": tenant, "accepted_at": accepted_at, **columns})


def _state_listings(
    conn: Connection, tenant: str, events: Sequence[MemberEvent], accepted_at: datetime
) -> None:
    listings = [
        {
            "tenant": tenant,
            "group": event.group,
            "at": event.at,
            "version": sortable(event.version),
            "source": event.source,
            "accepted_at": accepted_at,
            "members": sorted(set(event.listing)),
            "valid_from": event.valid_from,
            "valid_to": event.valid_to,
        }
        for event in events
        if event.listing is not None
    ]
    if listings:
        with conn.cursor() as cursor:
            cursor.executemany(_SQL["state_listing"], listings)


def _settle_edges(conn: Connection, tenant: str, edges: Collection[Edge]) -> None:
    """Bring these edges to what the statements say; no other edge is touched."""
    members, groups = _columns(edges)
    bound = {"tenant": tenant, "members": members, "groups": groups, "until": None}
    holding: dict[Edge, Period] = {
        (member, group): (start, end)
        for member, group, start, end in conn.execute(_SQL["edges_until"], bound)
    }
    members, groups = _columns(holding)
    gone_members, gone_groups = _columns(set(edges) - holding.keys())
    conn.execute(
        _SQL["settle_edges"],
        {
            "tenant": tenant,
            "members": members,
            "groups": groups,
            "froms": [holding[edge][0] for edge in sorted(holding)],
            "tos": [holding[edge][1] for edge in sorted(holding)],
            "gone_members": gone_members,
            "gone_groups": gone_groups,
        },
    )


def _columns(edges: Iterable[Edge]) -> tuple[list[str], list[str]]:
    ordered = sorted(edges)
    return [member for member, _ in ordered], [group for _, group in ordered]


# Containers


def state_containers(
    conn: Connection, tenant: str, events: Sequence[AudienceEvent], accepted_at: datetime
) -> set[str]:
    """Record what was said of containers, settle them, and return the refs of those that changed.

    Events about items are passed by: an item's audience is the writer's to label.
    """
    said = [
        {
            "tenant": tenant,
            "source": event.source,
            "container": event.container,
            "at": event.at,
            "version": sortable(event.version),
            "accepted_at": accepted_at,
            "clauses": None if event.audience is None else Jsonb(event.audience.as_lists()),
            "live": event.live,
            "verified_through": event.verified_through,
        }
        for event in events
        if event.container is not None
    ]
    if not said:
        return set()
    lock(conn, tenant)
    with conn.cursor() as cursor:
        cursor.executemany(_SQL["state_container"], said)
    refs = {container_ref(event.source, event.container) for event in events if event.container is not None}
    return settle_containers(conn, tenant, refs)


def settle_containers(conn: Connection, tenant: str, refs: Collection[str]) -> set[str]:
    """Bring containers to what the statements and grants say; return the refs of those that changed."""
    stated = containers_until(conn, tenant, refs, None)
    rows = [
        (member, container.ref, number, len(container.clauses), member in container.granted)
        for container in stated
        for number, clause in enumerate(container.clauses)
        for member in sorted(clause)
    ]
    changed = conn.execute(
        _SQL["settle_containers"],
        {
            "tenant": tenant,
            **_named_columns(("members", "owners", "clauses", "totals", "granted"), rows),
            **_container_columns(stated),
        },
    )
    return {ref for (ref,) in changed}


def settle_containers_of(conn: Connection, tenant: str, source: str) -> None:
    """The same for every container of a source, as its limit has changed."""
    lock(conn, tenant)
    refs = {ref for (ref,) in conn.execute(_SQL["containers_of"], {"tenant": tenant, "source": source})}
    settle_containers(conn, tenant, refs)


def _container_columns(stated: Sequence[Container]) -> dict[str, list[object]]:
    return {
        "refs": [container.ref for container in stated],
        "counts": [len(container.clauses) for container in stated],
        "lives": [container.live for container in stated],
        "verifieds": [container.verified_through for container in stated],
        "closings": [container.closes_at for container in stated],
    }


def covers(conn: Connection, tenant: str, refs: Collection[str]) -> dict[str, Cover]:
    """How far the audience of each container is known; one nobody has spoken of is absent."""
    rows = conn.execute(_SQL["container_states"], {"tenant": tenant, "refs": list(refs)})
    return {ref: Cover(live, verified_through) for ref, live, verified_through in rows}


def _named_columns(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> dict[str, list[object]]:
    """Rows as one array a column, for `unnest`."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


# All of it


def lock(conn: Connection, tenant: str) -> None:
    """Wait until no other transaction states who is who in this tenant. Held to the end of this one."""
    conn.execute(_SQL["lock_directory"], {"tenant": tenant})


def rebuild(conn: Connection, tenant: str) -> None:
    """Make everything that is settled here again from the statements alone."""
    lock(conn, tenant)
    conn.execute(_SQL["forget_settled"], {"tenant": tenant})
    _settle_principals(conn, tenant, _ever(conn, tenant, "principals_ever"))
    groups = _ever(conn, tenant, "groups_ever")
    edges = conn.execute(_SQL["edges_ever"], {"tenant": tenant, "groups": groups}).fetchall()
    _settle_edges(conn, tenant, edges)
    settle_containers(conn, tenant, _ever(conn, tenant, "containers_ever"))


def _ever(conn: Connection, tenant: str, query: str) -> list[str]:
    return [name for (name,) in conn.execute(_SQL[query], {"tenant": tenant})]
