"""What one principal may read now, decided where the statements are, never from a copy on the content."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.principals import Permitted
from muniment.gate.directory import alias_of
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["find_principal", "has_steward", "is_deactivated", "is_steward", "permitted", "storable"]

_SQL: Final = load("gate")


def find_principal(conn: Connection, tenant: str, name: str) -> str | None:
    """The principal an exact id, an alias or an e-mail means; None where that is nobody, or several."""
    principal, _, _ = _resolve(conn, tenant, name, None)  # who is meant depends on no time
    return principal


def permitted(conn: Connection, tenant: str, name: str, now: datetime) -> Permitted:
    """Who is meant and every audience they satisfy now. Nobody known: the name as asked, and nothing else."""
    principal, subjects, audiences = _resolve(conn, tenant, name, now)
    return Permitted(principal or name, frozenset(subjects), tuple(audiences))


def is_steward(conn: Connection, tenant: str, principal: str) -> bool:
    """Whether the principal holds the role now and has not been deactivated."""
    row = conn.execute(_SQL["is_steward"], {"tenant": tenant, "principal": principal}).fetchone()
    return row is not None and row[0] is True


def has_steward(conn: Connection, tenant: str) -> bool:
    """Whether anybody may still run the record."""
    return conn.execute(_SQL["has_steward"], {"tenant": tenant}).fetchone() == (True,)


def is_deactivated(conn: Connection, tenant: str, principal: str) -> bool:
    """Whether a directory or steward took everything from the principal."""
    row = conn.execute(_SQL["standing"], {"tenant": tenant, "principal": principal}).fetchone()
    return row is not None and row[-1] == "deactivated"


def _resolve(
    conn: Connection, tenant: str, name: str, now: datetime | None
) -> tuple[str | None, list[str], list[int]]:
    """One prepared statement: planning it anew costs more than running it."""
    if not _storable(name):
        return None, [], []
    bound = {
        "tenant": tenant,
        "name": name,
        "alias": alias_of(name),
        "is_id": is_principal(name),
        "now": now,
    }
    row = conn.execute(_SQL["permitted"], bound, prepare=True).fetchone()
    return (None, [], []) if row is None else (row[0], row[1], row[2])


def _storable(name: str) -> bool:
    """Text the database could hold: what it could not can name nobody."""
    return storable(name) == name


def storable(name: str) -> str:
    """The name as the database could hold it."""
    return name.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
