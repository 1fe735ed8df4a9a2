"""What language models take."""

from __future__ import annotations

from datetime import datetime

from muniment.domain.model_use import ModelCost
from muniment.jobs import calls
from muniment.steward.desk import Desk

__all__ = ["model_costs"]


def model_costs(desk: Desk, since: datetime | None, *, by_run: bool) -> list[ModelCost]:
    """By purpose and model, and by run where that is asked for."""
    with desk.writing() as conn:
        return calls.costs(conn, desk.tenant, since, by_run=by_run)
