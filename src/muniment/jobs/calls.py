"""The ledger of language models: what each request took, and whether there is enough left for the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from muniment.domain.model_use import ModelCost, ModelUse, SpendLimits, Spent, over_limit, purse_of
from muniment.gate.binding import writing
from muniment.jobs.loop import Work
from muniment.models.language import LanguageModel, LanguageModelResting, Prompt
from muniment.models.metered import Metered, Pace, Real
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Calls", "Placed", "costs", "place"]

SQL: Final = load("models")


@dataclass(slots=True)
class Calls:
    """The ledger of one organisation, as one run writes it.

    A run is one sync, or all that one process asks in a day outside of those.
    """

    work: Work
    limits: SpendLimits
    run: UUID = field(init=False)

    def __post_init__(self) -> None:
        self.begin_run()

    def begin_run(self) -> None:
        """What is asked from now on counts as another run."""
        self.run = _fresh(self.work)

    def reserve(self, prompt: Prompt, model: str, worst: Spent) -> UUID:
        """A row for a request that may take that much. Raises LanguageModelResting where it may not."""
        return self.reserve_for(prompt.purpose, model, worst, prompt.most_tokens)

    def reserve_for(self, purpose: str, model: str, worst: Spent, tokens_out: int) -> UUID:
        """The same for anything that is asked, which is no more of it than its purpose and its size."""
        call, now = _fresh(self.work), self.work.clock()
        with writing(self.work.database, self.work.tenant) as conn:
            conn.execute(SQL["reserve_alone"], {"tenant": self.work.tenant})
            run, day = self._spent(conn, purpose, now)
            if limit := over_limit(self.limits, run, day, worst):
                raise LanguageModelResting(
                    f"model {model!r} is not asked for {purpose!r}: {limit} would be passed; "
                    "it goes on tomorrow (UTC), or with a higher limit, see muniment models"
                )
            values = {
                "tenant": self.work.tenant,
                "call": call,
                "run": self.run,
                "at": now,
                "purpose": purpose,
                "model": model,
                "tokens_in": worst.tokens - tokens_out,
                "tokens_out": tokens_out,
                "usd": worst.usd,
            }
            conn.execute(SQL["reserve"], values)
        return call

    def settle(self, call: UUID, outcome: str, took: tuple[int, int, Decimal] | None) -> None:
        """How the request ended and what it took; None where that is not known, and the most stays."""
        tokens_in, tokens_out, usd = took or (None, None, None)
        values = {
            "tenant": self.work.tenant,
            "call": call,
            "outcome": outcome,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "usd": usd,
        }
        with writing(self.work.database, self.work.tenant) as conn:
            conn.execute(SQL["settle"], values)

    def refuse(self, purpose: str, model: str, why: str) -> None:
        """Count a reply that the gates let not pass; `why` names the gate and nothing of the reply."""
        values = {
            "tenant": self.work.tenant,
            "refusal": _fresh(self.work),
            "run": self.run,
            "at": self.work.clock(),
            "purpose": purpose,
            "model": model,
            "why": why,
        }
        with writing(self.work.database, self.work.tenant) as conn:
            conn.execute(SQL["refuse"], values)

    def _spent(self, conn: Connection, purpose: str, now: datetime) -> tuple[Spent, Spent]:
        """In this run and in this day, of the same kind."""
        purposes, among = purse_of(purpose)
        values = {
            "tenant": self.work.tenant,
            "run": self.run,
            "since": now.replace(hour=0, minute=0, second=0, microsecond=0),
            "purposes": list(purposes),
            "among": among,
        }
        row = conn.execute(SQL["spent"], values).fetchone() or (Decimal(0), 0, Decimal(0), 0)
        return Spent(row[0], int(row[1])), Spent(row[2], int(row[3]))


@dataclass(frozen=True, slots=True)
class Placed:
    """A model in its place: under its terms, with its ledger in the record."""

    model: Metered
    calls: Calls
    use: ModelUse


def place(work: Work, model: LanguageModel, use: ModelUse, real: Real) -> Placed:
    """Put a model in its place in one organisation."""
    calls = Calls(work, use.limits)
    return Placed(Metered(model, calls, use.terms, use.tries, Pace(use.a_minute), real), calls, use)


def costs(conn: Connection, tenant: str, since: datetime | None, *, by_run: bool) -> list[ModelCost]:
    """What was used, by purpose and model, oldest first."""
    rows = conn.execute(SQL["costs"], {"tenant": tenant, "since": since, "by_run": by_run})
    return [_cost(*row) for row in rows]


def _cost(purpose: str, model: str, run: UUID | None, *rest: Any) -> ModelCost:
    first, last, calls, failed, refused, why, tokens_in, tokens_out, usd = rest
    return ModelCost(
        purpose=purpose,
        model=model,
        run=None if run is None else run.hex,
        since=first,
        through=last,
        calls=calls,
        failed=failed,
        refused=int(refused),
        why=dict(sorted(why.items())),
        tokens_in=int(tokens_in),
        tokens_out=int(tokens_out),
        usd=float(usd),
    )


def _fresh(work: Work) -> UUID:
    return UUID(bytes=work.salts())
