"""Levels kept what exact statements and the policy make of them, in the transaction that changes either."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString, TypeVar
from uuid import UUID

from psycopg.rows import class_row

from muniment.claims.claim import Statement
from muniment.claims.ties import obeyed
from muniment.disclosure.files import read_policy
from muniment.disclosure.levels import Disclosed, Topic, disclosed
from muniment.disclosure.policy import NO_POLICY, Policy
from muniment.disclosure.words import level_projection
from muniment.domain.names import normal_name
from muniment.domain.record import AssertionRow, EdgeRow, ItemRow
from muniment.gate.labelled import Quality
from muniment.gate.writer import Writer
from muniment.index.projection import Projection
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = [
    "Stated",
    "disclosing",
    "in_force",
    "policies",
    "redisclose",
    "state_policy",
    "topics_of",
    "withdraw",
]

SQL: Final = load("disclosure")
AT_ONCE: Final = 200  # topics a statement
Name = tuple[str, str]  # an entity as statements write it, and an attribute
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Stated:
    """A policy as a steward set it."""

    since: datetime
    by: str
    content: str

    @property
    def policy(self) -> Policy:
        """What it says."""
        return read_policy(self.content)


@dataclass(frozen=True, slots=True)
class _Item(ItemRow):
    """An item, and since when the record knows it."""

    begun: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Named:
    item: UUID


def policies(conn: Connection, tenant: str) -> list[Stated]:
    """Every policy that was ever set, the one in force last."""
    return [Stated(*row) for row in conn.execute(SQL["policies"], {"tenant": tenant})]


def state_policy(conn: Connection, tenant: str, stated: Stated) -> None:
    """Write a policy down; `redisclose` makes it hold."""
    values = {"tenant": tenant, "since": stated.since, "by": stated.by, "content": stated.content}
    conn.execute(SQL["state_policy"], values)


@contextmanager
def disclosing(
    conn: Connection, tenant: str, key: bytes, items: Collection[UUID], new: Sequence[Projection] = ()
) -> Generator[None]:
    """Derived rows of items are written inside; what a policy discloses of them is made anew at its end.

    Whoever writes what a policy governs holds the levels to the end of the transaction: two that each wrote a
    statement of one slot would otherwise each miss the other's.
    """
    policy = in_force(conn, tenant)
    if not policy.rules:
        yield
        return
    touched = _stored(conn, tenant, policy, items) | _coming(policy, new)
    if touched:
        conn.execute(SQL["hold_levels"], {"tenant": tenant})
    yield
    _disclose(conn, tenant, key, policy, touched)


def withdraw(conn: Connection, tenant: str, key: bytes, items: Sequence[UUID]) -> None:
    """Take everything derived from these items away, and from what is disclosed with them."""
    with disclosing(conn, tenant, key, items):
        Writer(conn, tenant).withdraw(items)


def redisclose(conn: Connection, tenant: str, key: bytes) -> int:
    """Make every level anew by the policy in force; how many topics it looked at. Nobody else may compile."""
    policy = in_force(conn, tenant)
    values = {"tenant": tenant, "attributes": sorted(policy.attributes)}
    every = sorted(conn.execute(SQL["topics_of_attributes"], values).fetchall())
    for at in range(0, len(every), AT_ONCE):
        _disclose(conn, tenant, key, policy, every[at : at + AT_ONCE])
    return len(every)


def topics_of(conn: Connection, tenant: str, names: Collection[Name]) -> Iterator[Topic]:
    """All that is stated of these, whoever may read it. For levels and their verifier alone."""
    values = _named(tenant, names)
    rows = _rows(conn, AssertionRow, "exact_of_topics", values)
    items = {item.item: item for item in _items(conn, tenant, {row.item for row in rows})}
    edges = _rows(conn, EdgeRow, "ties", {"tenant": tenant, "items": sorted(items)})
    ties = obeyed(edges, list(items.values()))
    begun = {item.item: item.begun for item in items.values() if item.begun is not None}
    said: dict[Name, list[Statement]] = {}
    for row in rows:
        if row.item in items and row.entity is not None and row.attribute is not None:
            said.setdefault((row.entity, row.attribute), []).append(
                Statement(row, items[row.item], row.entity)
            )
    kept = frozenset(tie for tie in ties if tie.actor.item in begun)
    for name in sorted(said):
        yield Topic(*name, said[name], kept, begun)


def in_force(conn: Connection, tenant: str) -> Policy:
    """The policy that holds now."""
    row = conn.execute(SQL["policy"], {"tenant": tenant}).fetchone()
    return NO_POLICY if row is None else read_policy(row[0])


def _stored(conn: Connection, tenant: str, policy: Policy, items: Collection[UUID]) -> set[Name]:
    """What the items say now of what the policy governs."""
    values = {"tenant": tenant, "items": list(items), "attributes": sorted(policy.attributes)}
    return {(entity, attribute) for entity, attribute in conn.execute(SQL["topics_of_items"], values)}


def _coming(policy: Policy, new: Iterable[Projection]) -> set[Name]:
    """What they will say."""
    slots = (one.said.slot for projection in new for one in projection.assertions)
    return {
        (normal_name(slot.entity), slot.attribute)
        for slot in slots
        if slot is not None and slot.attribute in policy.attributes
    }


def _disclose(conn: Connection, tenant: str, key: bytes, policy: Policy, names: Collection[Name]) -> None:
    """Make the levels of these exactly what the statements and the policy say."""
    if not names:
        return
    found = [one for topic in topics_of(conn, tenant, names) for one in _levels(topic, policy)]
    made = {(projection := level_projection(key, one)).item: (projection, one.trust) for one in found}
    stored = {row.item for row in _rows(conn, _Named, "levels_of_topics", _named(tenant, names))}
    writer = Writer(conn, tenant)
    if gone := sorted(stored - made.keys()):
        writer.withdraw(gone)
    if made:
        qualities = {one.standing.ref: Quality(trust, "member") for one, trust in made.values()}
        writer.write([one for one, _ in made.values()], qualities)


def _levels(topic: Topic, policy: Policy) -> list[Disclosed]:
    rule = policy.rule(topic.attribute)
    return [] if rule is None else disclosed(topic, rule)


def _items(conn: Connection, tenant: str, items: Collection[UUID]) -> list[_Item]:
    """The items that stand, and every one that replaces or amends one of them, however many steps away."""
    return _rows(conn, _Item, "tied_items", {"tenant": tenant, "items": sorted(items)})


def _named(tenant: str, names: Collection[Name]) -> dict[str, object]:
    ordered = sorted(names)
    return {
        "tenant": tenant,
        "entities": [entity for entity, _ in ordered],
        "attributes": [attribute for _, attribute in ordered],
    }


def _rows(conn: Connection, shape: type[Row], query: LiteralString, values: dict[str, object]) -> list[Row]:
    with conn.cursor(row_factory=class_row(shape)) as cursor:
        return cursor.execute(SQL[query], values).fetchall()
