"""Whom an item was for at an earlier time, by its own history."""

from __future__ import annotations

from datetime import datetime

from muniment.domain.audience import Cover
from muniment.gate.containers import Container, containers_until
from muniment.gate.grants import item_grants, item_ref
from muniment.items.fold import Standing, fold
from muniment.jobs.compile import Key, container_refs, histories_of
from muniment.store.pool import Connection

__all__ = ["standing_then"]


def standing_then(conn: Connection, tenant: str, name: Key, at: datetime) -> Standing | None:
    """How it stood by what was said for a time no later than that; None while no text was known."""
    history = [one for one in histories_of(conn, tenant, [name]).get(name, ()) if one.event.at <= at]
    ref = item_ref(*name)
    containers = containers_until(conn, tenant, container_refs(history), at)
    grants = item_grants(conn, tenant, [ref], at).get(ref, frozenset())
    return fold(history, {one.ref: _cover(one) for one in containers}, grants)


def _cover(container: Container) -> Cover:
    """One whose audience nobody had stated was neither live nor verified."""
    if not container.clauses:
        return Cover(live=False, verified_through=None)
    return Cover(container.live, container.verified_through)
