"""A model under its limits: one request at a time, paced, tried again, counted, and left alone when down."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Protocol
from uuid import UUID

from muniment.domain.model_use import Price, Spent
from muniment.models.language import (
    FAULTS,
    Completion,
    LanguageModel,
    LanguageModelFailed,
    LanguageModelLate,
    LanguageModelResting,
    LanguageModelUnfit,
    Prompt,
)

__all__ = ["Breaker", "Ledger", "Metered", "Pace", "Real"]

IN_A_ROW: Final = 4  # failed requests, and the model is down rather than unlucky
FIRST_REST: Final = 30.0  # seconds
LONGEST_REST: Final = 600.0
FIRST_WAIT: Final = 0.5  # seconds before the second try, twice as long before each further one
LONGEST_WAIT: Final = 20.0
MINUTE: Final = 60.0
# A token is at least about two bytes of any text, so that this is more than a request takes.
_BYTES_A_TOKEN: Final = 2
_AROUND: Final = 200  # tokens of a request that are not ours: roles, schema, template


class Ledger(Protocol):
    """Where it is written down what was asked and what it took."""

    def reserve(self, prompt: Prompt, model: str, worst: Spent) -> UUID:
        """Before a request, at the most it can take. Raises LanguageModelResting where that is too much."""
        ...

    def settle(self, call: UUID, outcome: str, took: tuple[int, int, Decimal] | None) -> None:
        """After it: answered, failed or late, and what it took; None leaves what was reserved."""
        ...


@dataclass(frozen=True, slots=True)
class Real:
    """Time as it passes, in seconds, and letting it pass."""

    ticks: Callable[[], float]
    wait: Callable[[float], None]


@dataclass(slots=True)
class Breaker:
    """After some failures in a row nothing is asked for a while, then once; a failure doubles the while."""

    in_a_row: int = 0
    rests: int = 0
    until: float | None = None

    def check(self, now: float, name: str) -> None:
        """Raise LanguageModelResting while it rests."""
        if self.until is not None and now < self.until:
            left = self.until - now
            raise LanguageModelResting(f"model {name!r} has been down and is not asked for {left:.0f} s")

    def note(self, now: float, *, failed: bool) -> None:
        """How a request went."""
        if not failed:
            self.in_a_row, self.rests, self.until = 0, 0, None
            return
        self.in_a_row += 1
        if self.in_a_row >= IN_A_ROW:
            self.until = now + min(FIRST_REST * 2**self.rests, LONGEST_REST)
            self.rests = min(self.rests + 1, 10)


@dataclass(slots=True)
class Pace:
    """No more than so many requests in any minute."""

    a_minute: int
    begun: deque[float] = field(default_factory=deque)

    def due_in(self, now: float) -> float:
        """Seconds to wait before the next request, which this takes to be made then."""
        wait = 0.0
        if len(self.begun) >= self.a_minute:
            wait = max(0.0, self.begun.popleft() + MINUTE - now)
        self.begun.append(now + wait)
        return wait


@dataclass(slots=True)
class Metered:
    """A model, its ledger and its terms. Threads that ask at once wait for each other."""

    model: LanguageModel
    ledger: Ledger
    price: Price
    tries: int
    pace: Pace
    real: Real
    breaker: Breaker = field(default_factory=Breaker)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    def complete(self, prompt: Prompt) -> Completion:
        """Its reply, within the limits; what can pass is tried again."""
        with self._turn:
            for attempt in range(1, self.tries):
                try:
                    return self._once(prompt)
                except (LanguageModelResting, LanguageModelUnfit):
                    raise
                except LanguageModelFailed:
                    self.real.wait(min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT))
            return self._once(prompt)

    def _once(self, prompt: Prompt) -> Completion:
        self.breaker.check(self.real.ticks(), self.name)
        if wait := self.pace.due_in(self.real.ticks()):
            self.real.wait(wait)
        call = self.ledger.reserve(prompt, self.name, self._worst(prompt))
        try:
            done = self._reply(prompt)
        except LanguageModelFailed as error:
            self._failed(call, error)
            raise
        self.breaker.note(self.real.ticks(), failed=False)
        self.ledger.settle(call, "answered", (done.tokens_in, done.tokens_out, done.cost))
        return done

    def _reply(self, prompt: Prompt) -> Completion:
        try:
            return self.model.complete(prompt)
        except FAULTS as error:
            # Its words may quote what it was shown, so only its kind is kept.
            raise LanguageModelFailed(f"model {self.name!r} failed: {type(error).__name__}") from None

    def _failed(self, call: UUID, error: LanguageModelFailed) -> None:
        # A text that the model will not take says nothing about whether it is up.
        if not isinstance(error, LanguageModelUnfit):
            self.breaker.note(self.real.ticks(), failed=True)
        if isinstance(error, LanguageModelLate):
            self.ledger.settle(call, "late", None)
        else:
            self.ledger.settle(call, "failed", (0, 0, Decimal(0)))

    def _worst(self, prompt: Prompt) -> Spent:
        shown = len((prompt.instructions + prompt.material).encode("utf-8", "surrogatepass"))
        tokens_in = shown // _BYTES_A_TOKEN + _AROUND
        return Spent(self.price.of(tokens_in, prompt.most_tokens), tokens_in + prompt.most_tokens)
