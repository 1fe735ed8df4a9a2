"""Prompts to words: what a language model is asked and what it gives. A model proposes; gates decide."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol

from muniment.domain.errors import Unavailable
from muniment.domain.identity import keyed_digest

__all__ = [
    "FAULTS",
    "Completion",
    "LanguageModel",
    "LanguageModelFailed",
    "LanguageModelLate",
    "LanguageModelResting",
    "LanguageModelUnfit",
    "Prompt",
    "input_hash",
]


# What a model raises that is not ours: anybody's code, so that any of it means the same to us.
FAULTS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class LanguageModelFailed(Unavailable):
    """The model did not answer in time, or not at all; it may be asked again."""


class LanguageModelLate(LanguageModelFailed):
    """It took too long. It may have been at work all the same, and cost what it costs."""


class LanguageModelUnfit(LanguageModelFailed):
    """It will not take this request, now or later: too long, no such model, no valid key."""


class LanguageModelResting(LanguageModelFailed):
    """It was not asked, as a limit is reached or it has been down. All else that is due will fare alike."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request to a model.

    `instructions` are ours. `material` is text from sources, which reaches the model labelled as data.
    `schema` is the JSON Schema of the reply, `most_tokens` the reply's limit. `purpose` and `version` name
    the wording, so that a changed prompt is another input.
    """

    purpose: str
    version: str
    instructions: str
    material: str
    schema: Mapping[str, object]
    most_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply as it came, unchecked, and what it took; `cost` in US dollars, 0 for a local model."""

    text: str
    tokens_in: int
    tokens_out: int
    cost: Decimal = Decimal(0)


class LanguageModel(Protocol):
    """A model that continues a prompt. `name` changes whenever the same prompt may get another reply."""

    @property
    def name(self) -> str: ...

    def complete(self, prompt: Prompt) -> Completion:
        """The reply. Raises LanguageModelFailed."""
        ...


def input_hash(key: bytes, model: str, prompt: Prompt) -> bytes:
    """16 bytes that stand for a model and all it was shown; keyed, or short texts could be guessed by it."""
    shown = (prompt.purpose, prompt.version, prompt.instructions, prompt.material)
    limits = (json.dumps(prompt.schema, sort_keys=True), str(prompt.most_tokens))
    return keyed_digest(key, "model-input", model, *shown, *limits)
