"""What is there besides the record."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.answer.seat import Seat
from muniment.jobs.calls import Calls
from muniment.models.embedding import Embedder
from muniment.models.language import LanguageModel
from muniment.store.migrate import Capabilities

__all__ = ["Surroundings"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Models, each or None, and what the database can do.

    `before` is the embedder that `embedder` replaces, whose vectors questions go by until it has its own;
    `seat` is the language model for answers, where it is wanted there; `calls` its ledger.
    """

    embedder: Embedder | None
    capabilities: Capabilities
    language: LanguageModel | None = None
    seat: Seat | None = None
    calls: Calls | None = None
    before: Embedder | None = None

    @property
    def helping(self) -> str | None:
        """The language model and what it does here, in words."""
        if self.language is None:
            return None
        return f"{self.language.name}, {'helps' if self.seat else 'does not help'} with answers"
