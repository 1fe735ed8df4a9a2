"""The audit's chain kept up with the audit, beside everything else that is done in the background."""

from __future__ import annotations

from muniment.gate import chain
from muniment.gate.binding import writing
from muniment.jobs.loop import Work

__all__ = ["seal_due"]


def seal_due(work: Work) -> int:
    """Seal what waits; how many entries that was."""
    with writing(work.database, work.tenant) as conn:
        return chain.seal(conn, work.tenant, work.clock())
