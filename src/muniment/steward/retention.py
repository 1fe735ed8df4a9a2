"""How much of each source is kept: a steward's rule, dated, and the pass that applies it."""

from __future__ import annotations

from typing import Final

from muniment.domain.retention import Keep, KeepFor, KeepQuotes
from muniment.jobs import retention as passes
from muniment.steward.desk import Desk
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["apply_rules", "set_rule"]

SQL: Final = load("retention")


def set_rule(desk: Desk, conn: Connection, source: str, rule: Keep) -> None:
    """The rule that holds from the next pass on, for what the source said before too.

    In a transaction that nothing is taken in beside: it would go by the rule before, and no pass would look
    at it.
    """
    values = {"tenant": desk.tenant, "source": source, "now": desk.now}
    said = {"keep": str(rule), "set_by": desk.principal, "since": desk.now}
    conn.execute(SQL["set_rule"], {**values, **said})
    conn.execute(SQL["forget_due"], values)
    match rule:
        case KeepQuotes():
            conn.execute(SQL["due_by_quotes"], values)
        case KeepFor():
            conn.execute(SQL["due_by_time"], {**values, "span": rule.span})


def apply_rules(desk: Desk) -> int:
    """Apply every rule now; how many items it took."""
    with desk.writing() as conn:
        desk.record(conn, "sources apply", "record", {})
    return passes.apply_all(desk.work)
