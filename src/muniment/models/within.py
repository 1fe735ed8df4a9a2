"""A model that is waited for only so long, whatever it does meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TypeAlias

from muniment.domain.errors import MunimentError
from muniment.models.language import (
    FAULTS,
    Completion,
    LanguageModel,
    LanguageModelFailed,
    LanguageModelLate,
    Prompt,
)

__all__ = ["Within"]

_Came: TypeAlias = Completion | LanguageModelFailed


@dataclass(slots=True)
class Within:
    """The same model for somebody who waits: after `seconds` it is late.

    A request that nobody waits for any more goes on by itself, so that what it takes is counted; until it is
    over, no other is begun.
    """

    model: LanguageModel
    seconds: float
    ticks: Callable[[], float]
    _free: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1))

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    def complete(self, prompt: Prompt) -> Completion:
        """Its reply, or LanguageModelLate."""
        late = LanguageModelLate(f"model {self.name!r} did not answer within {self.seconds:g} s")
        began = self.ticks()
        if not self._free.acquire(timeout=self.seconds):
            raise late
        came: SimpleQueue[_Came] = SimpleQueue()
        threading.Thread(target=self._ask, args=(prompt, came), name="model", daemon=True).start()
        try:
            done = came.get(timeout=max(0.0, began + self.seconds - self.ticks()))
        except Empty:
            raise late from None
        if isinstance(done, LanguageModelFailed):
            raise done
        return done

    def _ask(self, prompt: Prompt, came: SimpleQueue[_Came]) -> None:
        try:
            came.put(self.model.complete(prompt))
        except LanguageModelFailed as error:
            came.put(error)
        except (MunimentError, *FAULTS) as error:
            # The ledger's too: whoever asked may have closed the record and gone.
            came.put(LanguageModelFailed(f"model {self.name!r} failed: {type(error).__name__}"))
        finally:
            self._free.release()
