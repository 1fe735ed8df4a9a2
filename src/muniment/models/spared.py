"""A served embedder under its terms: so many requests a minute, written down, and left alone while down."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Protocol
from uuid import UUID

from muniment.domain.embedder_use import EmbedderUse
from muniment.domain.model_use import EMBEDDING, PLACING, Spent
from muniment.models.embedding import EmbedderDown, EmbedderFailed, EmbedderLate, EmbedderResting, Floats
from muniment.models.language import LanguageModelResting
from muniment.models.metered import LONGEST_REST, Breaker, Pace, Real
from muniment.models.served import Placed, ServedEmbedder

__all__ = ["Book", "SparedEmbedder"]

_BYTES_A_TOKEN: Final = 2  # a token is at least about two bytes of any text
_AROUND: Final = 8  # tokens a text that are not its own: marks of its beginning and end


class Book(Protocol):
    """Where it is written down what was asked and what it took."""

    def reserve_for(self, purpose: str, model: str, worst: Spent, tokens_out: int) -> UUID:
        """Before a request, at the most it can take. Raises LanguageModelResting where that is too much."""
        ...

    def settle(self, call: UUID, outcome: str, took: tuple[int, int, Decimal] | None) -> None:
        """After it: answered, failed or late, and what it took."""
        ...


@dataclass(slots=True)
class SparedEmbedder:
    """A served embedder under its terms. Threads may ask at once; none waits for another's reply."""

    served: ServedEmbedder
    use: EmbedderUse
    book: Book
    real: Real
    pace: Pace = field(init=False)
    breaker: Breaker = field(default_factory=Breaker)
    is_centred: bool = False
    _state: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.pace = Pace(self.use.a_minute)

    @property
    def name(self) -> str:
        """The embedder's own."""
        return self.served.name

    @property
    def dimensions(self) -> int:
        """The embedder's own."""
        return self.served.dimensions

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        """Its vectors, within the limits. Raises EmbedderFailed."""
        self._check()
        if not query:
            self._take_turn()
        call = self._reserve(texts, PLACING if query else EMBEDDING)
        try:
            placed = self.served.place(texts, query=query)
        except EmbedderFailed as error:
            self._failed(call, error)
            raise
        with self._state:
            self.breaker.note(self.real.ticks(), failed=False)
        self._settle(call, texts, placed)
        return placed.vectors

    def _take_turn(self) -> None:
        """Passages wait until they may be sent; a question, which somebody waits for, is not held up."""
        with self._state:
            wait = self.pace.due_in(self.real.ticks())
        if wait:
            self.real.wait(wait)

    def _check(self) -> None:
        with self._state:
            now, until = self.real.ticks(), self.breaker.until
        if until is not None and now < until:
            raise EmbedderResting(f"embedder {self.name!r} is down and not asked for a while")

    def _reserve(self, texts: Sequence[str], purpose: str) -> UUID:
        worst = self._worst(texts)
        try:
            return self.book.reserve_for(purpose, self.name, Spent(self.use.terms.of(worst, 0), worst), 0)
        except LanguageModelResting:
            # How much was asked by others is for stewards, in muniment models.
            raise EmbedderResting(f"embedder {self.name!r} may not be asked more today") from None

    def _failed(self, call: UUID, error: EmbedderFailed) -> None:
        if isinstance(error, EmbedderDown):
            self._rest(error.rest)
        if isinstance(error, EmbedderLate):
            self.book.settle(call, "late", None)
        else:
            self.book.settle(call, "failed", (0, 0, Decimal(0)))

    def _rest(self, seconds: float | None) -> None:
        with self._state:
            now = self.real.ticks()
            self.breaker.note(now, failed=True)
            if seconds is not None:
                self.breaker.until = max(self.breaker.until or now, now + min(seconds, LONGEST_REST))

    def _settle(self, call: UUID, texts: Sequence[str], placed: Placed) -> None:
        took = placed.tokens or self._worst(texts)
        self.book.settle(call, "answered", (took, 0, self.use.terms.of(took, 0)))

    def _worst(self, texts: Sequence[str]) -> int:
        shown = sum(len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN + _AROUND for text in texts)
        prefix = max(len(self.use.query_prefix), len(self.use.passage_prefix))
        return shown + prefix * len(texts)
