"""What a task takes, against what it may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from muniment.context.tokens import count_tokens
from muniment.domain.tasks import Limits, Spending
from muniment.models.language import Completion, LanguageModel, Prompt
from muniment.models.within import Within

__all__ = ["Meter"]


@dataclass(slots=True)
class Meter:
    """Counts each request to the model. `ticks` are seconds as they pass."""

    limits: Limits
    ticks: Callable[[], float]
    steps: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    _dearest: Decimal = Decimal(0)
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.ticks()

    @property
    def seconds_left(self) -> float:
        """How much longer the task may go on."""
        return self._began + self.limits.seconds - self.ticks()

    @property
    def spent(self) -> Spending:
        """What it took so far; not how long, which would be another reply each time."""
        return Spending(self.steps, self.tokens, float(self.usd))

    def over(self, prompt: Prompt) -> str | None:
        """Which limit one more request would pass, at the most it can take; None where it may be made.

        Money is known afterwards: the next request is taken to cost as much as the dearest so far.
        """
        shown = count_tokens(prompt.instructions) + count_tokens(prompt.material)
        limits = self.limits
        passed = {
            "steps": self.steps + 1 > limits.steps,
            "tokens": self.tokens + shown + prompt.most_tokens > limits.tokens,
            "seconds": self.seconds_left <= 0,
            "usd": self.usd + self._dearest > limits.usd,
        }
        return next((name for name, is_passed in passed.items() if is_passed), None)

    def ask(self, model: LanguageModel, prompt: Prompt) -> str:
        """The model's reply, counted. Raises LanguageModelFailed."""
        self.steps += 1
        done = Within(model, max(0.001, self.seconds_left), self.ticks).complete(prompt)
        self._count(done)
        return done.text

    def _count(self, done: Completion) -> None:
        self.tokens += done.tokens_in + done.tokens_out
        self.usd += done.cost
        self._dearest = max(self._dearest, done.cost)
