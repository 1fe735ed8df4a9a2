"""A language model at work on a steward's word: how far it may go, what comes first, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from muniment.assertions.distil import extractor_of
from muniment.domain.distilled import Distilled, PageCost, Planned
from muniment.jobs import distil as job
from muniment.models.language import LanguageModel
from muniment.steward.desk import Desk
from muniment.store.queries import load

__all__ = ["again", "costs", "plan", "run"]

SQL: Final = load("distil")


@dataclass(frozen=True, slots=True)
class _Visible:
    source: str
    id: str


def run(desk: Desk, model: LanguageModel, limit: int | None, spend: Decimal | None) -> Distilled:
    """Have the model read what is due, and write in the audit what that came to."""
    with desk.writing():
        pass  # Refused before anything is spent.
    done = job.distil_due(desk.work, model, limit=limit, spend=spend)
    with desk.writing() as conn:
        counts: dict[str, object] = {"calls": done.calls, "cost": done.cost, "stopped": done.stopped}
        desk.record(conn, "distil", model.name, counts)
    return done


def plan(desk: Desk, model: LanguageModel, limit: int) -> list[Planned]:
    """What a run would look at first, as if there were nothing but what this steward may read."""
    every = job.due_items(desk.work, model)
    with desk.reading() as reader:
        sources, ids = [one.source for one in every], [one.item for one in every]
        rows = reader.rows(_Visible, "erasing", "visible", sources=sources, ids=ids)
        audiences = list(reader.permitted.audiences)
    visible = {(one.source, one.id) for one in rows}
    first = [one for one in every if (one.source, one.item) in visible][:limit]
    with desk.writing() as conn:
        values = {"tenant": desk.tenant, "extractor": extractor_of(model.name), "audiences": audiences}
        calls, cost = conn.execute(SQL["spent"], values).fetchone() or (0, Decimal(0))
    return job.plan(desk.work, model, first, cost / calls if calls else None)


def costs(desk: Desk) -> list[PageCost]:
    """What models have cost for each page, of items that this steward may read, the dearest first."""
    with desk.reading() as reader:
        audiences = list(reader.permitted.audiences)
    with desk.writing() as conn:
        values = {"tenant": desk.tenant, "audiences": audiences}
        rows = conn.execute(SQL["spent_on_pages"], values).fetchall()
    return [PageCost(name, calls, f"{cost:f}") for name, calls, cost in rows]


def again(desk: Desk) -> None:
    """Make due again what was given up."""
    with desk.writing() as conn:
        desk.record(conn, "distil again", "queue", {})
    job.retry(desk.work)
