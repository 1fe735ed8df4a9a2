"""Legal holds: what nothing may erase or withdraw until a steward releases it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.domain.errors import Held
from muniment.domain.values import Value
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Hold", "add", "has_source", "held_among", "list_holds", "refuse_held", "release"]

SQL: Final = load("holds")
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Hold(Value):
    """A legal hold: on what, why, who set it and when; and its release."""

    target: str
    reason: str
    held_by: str
    held_at: datetime
    released_by: str | None
    released_at: datetime | None


def add(conn: Connection, tenant: str, target: str, reason: str, by: str, now: datetime) -> bool:
    """Hold a target; False where it is held already."""
    values = {"tenant": tenant, "target": target, "reason": reason, "by": by, "now": now}
    return conn.execute(SQL["add"], values).rowcount > 0


def release(conn: Connection, tenant: str, target: str, by: str, now: datetime) -> bool:
    """End the hold on a target; False where there is none."""
    return (
        conn.execute(SQL["release"], {"tenant": tenant, "target": target, "by": by, "now": now}).rowcount > 0
    )


def has_source(conn: Connection, tenant: str, source: str) -> bool:
    """Whether the record knows a source."""
    return conn.execute(SQL["has_source"], {"tenant": tenant, "source": source}).fetchone() == (True,)


def list_holds(conn: Connection, tenant: str) -> list[Hold]:
    """Every hold there is and was, oldest first."""
    return [Hold(*row) for row in conn.execute(SQL["list"], {"tenant": tenant})]


def held_among(conn: Connection, tenant: str, keys: Sequence[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Those of these items that something holds."""
    values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    return frozenset((source, id_) for source, id_, _ in conn.execute(SQL["held"], values))


def refuse_held(
    conn: Connection, tenant: str, keys: Sequence[tuple[str, str]], also: Sequence[str] = ()
) -> None:
    """Raise Held where one of these items is held, or one of the targets beside them."""
    values = {"tenant": tenant, "sources": [key[0] for key in keys], "ids": [key[1] for key in keys]}
    by_items = {target for _, _, target in conn.execute(SQL["held"], values)}
    standing = {target for (target,) in conn.execute(SQL["open"], {"tenant": tenant})}
    holds = sorted(by_items | standing.intersection(also))
    if holds:
        named = ", ".join(holds[:_SHOWN]) + (
            f" and {len(holds) - _SHOWN} more" if len(holds) > _SHOWN else ""
        )
        raise Held(f"held by a legal hold on {named}; nothing was changed; see muniment hold list")
