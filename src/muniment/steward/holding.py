"""Legal holds, as a steward sets and releases them."""

from __future__ import annotations

from muniment.domain.audience import is_principal
from muniment.domain.errors import Refused, Usage
from muniment.gate import holds
from muniment.gate.holds import Hold
from muniment.jobs.turns import compile_beside_others
from muniment.steward.desk import Desk
from muniment.steward.targets import get_target
from muniment.store.pool import Connection

__all__ = ["Hold", "hold", "list_holds", "release"]


def hold(desk: Desk, target: str, reason: str) -> bool:
    """Let nothing erase or revert a target; False where it is held already."""
    if not reason.strip():
        raise Usage("a hold needs a reason")
    with desk.writing() as conn:
        # An erasure that began before ends before, and one that comes later sees the hold.
        compile_beside_others(conn, desk.tenant)
        ref = _get_ref(desk, conn, target)
        changed = holds.add(conn, desk.tenant, ref, reason, desk.principal, desk.now)
        desk.record(conn, "hold add", ref, {"reason": reason})
    return changed


def release(desk: Desk, target: str, reason: str) -> bool:
    """End the hold on a target; False where there is none."""
    with desk.writing() as conn:
        ref = _get_ref(desk, conn, target)
        changed = holds.release(conn, desk.tenant, ref, desk.principal, desk.now)
        desk.record(conn, "hold remove", ref, {"reason": reason})
    return changed


def list_holds(desk: Desk) -> list[Hold]:
    """Every hold there is and was, oldest first."""
    with desk.writing() as conn:
        return holds.list_holds(conn, desk.tenant)


def _get_ref(desk: Desk, conn: Connection, target: str) -> str:
    """A principal, `source:NAME`, or an item or container that exists or that was held before."""
    if is_principal(target):
        return target
    if target in {one.target for one in holds.list_holds(conn, desk.tenant)}:
        return target
    kind, _, name = target.partition(":")
    if kind == "source":
        if not holds.has_source(conn, desk.tenant, name):
            raise Refused(f"no source {name!r}")
        return target
    return get_target(desk, conn, target)
