"""What one read may see: what the asker may, as far as its agent reaches and all who hear it may too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import and_
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.principals import Permitted
from muniment.gate import agents, policy
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Hearing", "is_heard", "rights_of"]

_SQL: Final = load("gate")


@dataclass(frozen=True, slots=True)
class Hearing:
    """Whose rights a read runs under: the asker's, cut down to what everyone who will hear it may read.

    `agent` is who asks on the principal's behalf: with as much of the principal's rights as it was granted.
    A hearer may be a group: everyone in it hears.
    """

    principal: str
    hearers: tuple[str, ...] = ()
    agent: str | None = None


def rights_of(conn: Connection, tenant: str, hearing: Hearing, now: datetime) -> Permitted:
    """What may be read now; nothing where anyone concerned is unknown, or a group has nobody in it."""
    asking = _of(conn, tenant, hearing.principal, now)
    if hearing.agent is not None:
        asking = agents.narrowed(conn, tenant, asking, hearing.agent)
    for hearer in dict.fromkeys(hearing.hearers):
        asking &= _all_of(_of(conn, tenant, one, now) for one in _heard_by(conn, tenant, hearer, now))
    return asking


def _of(conn: Connection, tenant: str, name: str, now: datetime) -> Permitted:
    """One name's own rights; an agent that is named itself has no more than its grant either."""
    found = policy.permitted(conn, tenant, name, now)
    if found.principal.startswith("agent:"):
        return agents.narrowed(conn, tenant, found, found.principal)
    return found


def _all_of(found: Iterable[Permitted]) -> Permitted:
    everyone = list(found)
    return reduce(and_, everyone) if everyone else Permitted("", frozenset(), ())


def is_heard(conn: Connection, tenant: str, hearer: str, now: datetime) -> bool:
    """Whether a hearer stands for anybody: a principal, or a group that somebody is in."""
    names = _heard_by(conn, tenant, hearer, now)
    return any(policy.find_principal(conn, tenant, one) is not None for one in names)


def _heard_by(conn: Connection, tenant: str, hearer: str, now: datetime) -> Iterator[str]:
    """The principals a hearer stands for: itself, or everyone in a group but those who were deactivated."""
    if not hearer.startswith("group:"):
        yield hearer
        return
    inside = conn.execute(
        _SQL["edges_below"], {"tenant": tenant, "groups": [policy.storable(hearer)], "now": now}
    )
    for member in sorted({member for member, _ in inside.fetchall() if is_principal(member)}):
        if not policy.is_deactivated(conn, tenant, member):
            yield member
