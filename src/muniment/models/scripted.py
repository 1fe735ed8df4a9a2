"""Doubles of an embedder and of a language model: the same on every machine, and failures on demand."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from muniment.models.embedding import EmbedderFailed, Floats
from muniment.models.language import Completion, LanguageModelFailed, LanguageModelLate, Prompt

__all__ = ["EMPTY", "HUGE", "NO_JSON", "ScriptedEmbedder", "ScriptedModel", "fails", "is_late"]

# Replies that are no answer.
NO_JSON = "Sure! Here is what you asked for: {"
EMPTY = ""
HUGE = '{"sentences": [{"text": "' + "word " * 200_000 + '"}]}'


@dataclass(slots=True)
class ScriptedEmbedder:
    """Texts that share words are near each other.

    `fails` picks the texts it cannot embed; `amiss` is how many dimensions too many it gives; `before` runs
    before each call and may take its time. `seen` holds every text it was asked for, in order.
    """

    name: str = "scripted"
    dimensions: int = 64
    is_centred: bool = True
    fails: Callable[[str], bool] = lambda _: False
    amiss: int = 0
    before: Callable[[], object] = lambda: None
    seen: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:  # noqa: ARG002  # the same place for both
        self.before()
        self.seen += texts
        if any(self.fails(text) for text in texts):
            raise EmbedderFailed(f"embedder {self.name!r} was told to fail")
        width = self.dimensions + self.amiss
        return np.array([_place(text, width) for text in texts], np.float32).reshape(len(texts), width)


def _place(text: str, width: int) -> Floats:
    """The sum of its words' directions, and a little of its own."""
    total = np.float32(0.25) * _direction(text, width)
    for word in text.casefold().split():
        total += _direction(word, width)
    return total


def _direction(word: str, width: int) -> Floats:
    bits = hashlib.shake_256(word.encode()).digest(2 * width)
    return np.frombuffer(bits, ">i2").astype(np.float32) / np.float32(32768)


@dataclass(slots=True)
class ScriptedModel:
    """Replies by rule: `reply` makes the text from the prompt, or raises what a model raises.

    `cost` is what each completion costs, in US dollars; `before` runs before each call and may take its time.
    `asked` holds every prompt, in order.
    """

    reply: Callable[[Prompt], str]
    name: str = "scripted"
    cost: Decimal = Decimal(0)
    before: Callable[[], object] = lambda: None
    asked: list[Prompt] = field(default_factory=list)

    @property
    def calls(self) -> Counter[str]:
        """How often it was asked, by purpose."""
        return Counter(prompt.purpose for prompt in self.asked)

    def complete(self, prompt: Prompt) -> Completion:
        """What the script says; tokens are words."""
        self.asked.append(prompt)
        self.before()
        text = self.reply(prompt)
        shown = len(prompt.instructions.split()) + len(prompt.material.split())
        return Completion(text, shown, len(text.split()), self.cost)


def fails(prompt: Prompt) -> str:
    """A reply of a model that is down."""
    raise LanguageModelFailed(f"model 'scripted' was told to fail at {prompt.purpose!r}")


def is_late(prompt: Prompt) -> str:
    """A reply that did not come in time."""
    raise LanguageModelLate(f"model 'scripted' was told to be late at {prompt.purpose!r}")
