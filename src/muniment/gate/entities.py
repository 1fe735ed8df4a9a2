"""Entities and topology as sources declare them, labelled with the audience they were declared for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

import psycopg
from psycopg.types.range import TimestamptzRange

from muniment.domain.events import EntityEvent, TopologyEvent
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import is_usable, normal_name
from muniment.domain.topology import held
from muniment.domain.versions import orders
from muniment.gate import agents
from muniment.gate.audiences import audience_ids
from muniment.store.queries import load

__all__ = ["drop_entity", "state_entities", "state_topology"]

Connection = psycopg.Connection[Any]
SQL = load("entities")


def state_entities(
    conn: Connection, tenant: str, key: bytes, name: tuple[str, str], events: Sequence[EntityEvent]
) -> None:
    """The names one entity has now: those of its newest event, whatever came in which order."""
    # By time and then version; of several said at once, whoever reads it must be among the readers of all.
    places = [(event.at, orders([(event.version, event.at, False)])[0]) for event in events]
    last = [event for place, event in zip(places, events, strict=True) if place == max(places)]
    newest = max(last, key=lambda event: (event.name, event.aliases))
    ever = agents.targets_ever(conn, tenant)
    said = reduce(and_, (event.audience for event in last))
    readers = agents.within_reach(said, agents.refs_of(name[0], None, None), ever)
    audience = audience_ids(conn, tenant, {readers})[readers]
    origin = f"entity:{name[0]}:{newest.id}"
    entity = keyed_uuid(key, "entity", "declared", newest.source, newest.id)
    conn.execute(SQL["drop_origin"], {"tenant": tenant, "origin": origin})
    names = dict.fromkeys(
        normal_name(one) for one in (newest.name, newest.id, *newest.aliases, *newest.domains)
    )
    with conn.cursor() as cursor:
        cursor.executemany(
            SQL["name_entity"],
            [
                {
                    "tenant": tenant,
                    "name": one,
                    "origin": origin,
                    "entity": entity,
                    "kind": newest.kind,
                    "title": newest.name,
                    "audience": audience,
                }
                for one in names
                if is_usable(one)
            ],
        )


def drop_entity(conn: Connection, tenant: str, name: tuple[str, str]) -> None:
    """Take the names of an entity away of which nothing is known any more."""
    origin = f"entity:{name[0]}:{name[1].removeprefix('@entity/')}"
    conn.execute(SQL["drop_origin"], {"tenant": tenant, "origin": origin})


def state_topology(
    conn: Connection, tenant: str, source: str, events: Sequence[tuple[int, TopologyEvent]]
) -> None:
    """Every edge a source has stated, each with its period; which holds when is for the reader to ask."""
    ever, refs = agents.targets_ever(conn, tenant), agents.refs_of(source, None, None)
    rows = held(events)
    said = {one.audience: agents.within_reach(one.audience, refs, ever) for one in rows}
    labels = audience_ids(conn, tenant, set(said.values()))
    conn.execute(SQL["drop_topology"], {"tenant": tenant, "source": source})
    with conn.cursor() as cursor:
        cursor.executemany(
            SQL["state_edge"],
            [
                {
                    "tenant": tenant,
                    "source": source,
                    "seq": one.seq,
                    "upstream": one.edge[0],
                    "relation": one.edge[1],
                    "downstream": one.edge[2],
                    "audience": labels[said[one.audience]],
                    "environment": one.environment,
                    "valid": TimestamptzRange(one.start, one.end, "[)"),
                }
                for one in rows
            ],
        )
