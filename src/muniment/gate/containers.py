"""What a container's audience was by the statements up to a time, grants included."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.domain.audience import Audience
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Container", "containers_until", "placed"]

_SQL: Final = load("gate")


@dataclass(frozen=True, slots=True)
class Container:
    """A container's clauses in canonical order, grants included; none at all admits nobody."""

    ref: str
    clauses: tuple[frozenset[str], ...]
    live: bool
    verified_through: datetime | None
    closes_at: datetime | None
    granted: frozenset[str]

    def open_to(self, now: datetime) -> tuple[frozenset[str], ...]:
        """The clauses that count now: where they are too old, only those a steward let in."""
        if self.closes_at is None or self.closes_at >= now or not self.clauses:
            return self.clauses
        return (self.granted,) if self.granted else ()


def placed(refs: Collection[str]) -> dict[str, list[str]]:
    """References with the source and container each names; no source has a colon in its name."""
    ordered = sorted(refs)
    parts = [ref.split(":", 2) for ref in ordered]
    return {
        "refs": ordered,
        "sources": [source for _, source, _ in parts],
        "containers": [container for _, _, container in parts],
    }


def containers_until(
    conn: Connection, tenant: str, refs: Collection[str], until: datetime | None
) -> list[Container]:
    """The containers anything was said of for a time no later than `until`, or ever."""
    bound = {"tenant": tenant, **placed(refs), "until": until}
    return [
        Container(ref, _granting(clauses, granted), live, verified_through, closes_at, frozenset(granted))
        for ref, clauses, live, verified_through, closes_at, granted in conn.execute(
            _SQL["containers_until"], bound
        )
    ]


def _granting(clauses: list[list[str]] | None, granted: list[str]) -> tuple[frozenset[str], ...]:
    """A grant admits whatever the clauses say; where nobody stated any, nobody is admitted to anything."""
    if clauses is None:
        return ()
    audience = Audience(frozenset(frozenset(clause) for clause in clauses))
    for principal in granted:
        audience = audience.or_also(principal)
    return tuple(frozenset(clause) for clause in audience.as_lists())
