"""What a steward names: an item or a container, one of which must exist."""

from __future__ import annotations

from muniment.domain.audience import container_ref
from muniment.domain.errors import Refused, Usage
from muniment.gate import grants
from muniment.steward.desk import Desk
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["get_target"]

SQL = load("steward")


def get_target(desk: Desk, conn: Connection, target: str) -> str:
    """The reference of an item (`source:id`) or container (`source:name`), one of which exists."""
    source, colon, name = target.partition(":")
    if not colon:
        raise Usage(f"{target!r} names nothing: write SOURCE:ID, such as slack:C042")
    values = {"tenant": desk.tenant, "source": source, "id": name}
    if conn.execute(SQL["has_item"], values).fetchone() == (True,):
        return grants.item_ref(source, name)
    if conn.execute(SQL["has_container"], {**values, "ref": container_ref(source, name)}).fetchone() == (
        True,
    ):
        return container_ref(source, name)
    raise Refused(f"no item or container {target!r}")
