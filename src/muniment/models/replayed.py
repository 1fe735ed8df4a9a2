"""Completions kept in a file by what was asked, and given again: the same replies, without a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed
from muniment.models.language import Completion, LanguageModel, LanguageModelUnfit, Prompt, input_hash

__all__ = ["Recorded", "Replayed"]

# A file of replies goes from machine to machine, so its hashes are under a key of their own.
_KEY: Final = b"recorded completions"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A model, every completion of which is appended to a file. It holds what the model was told to say."""

    model: LanguageModel
    path: Path

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    def complete(self, prompt: Prompt) -> Completion:
        """What the model says, once it is in the file."""
        done = self.model.complete(prompt)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(self.name, prompt, done))
        return done


class Replayed:
    """The completions of a file, and none that it does not hold."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._path = path
        self._kept = _read(path)

    def complete(self, prompt: Prompt) -> Completion:
        """What was said to this prompt, word for word."""
        kept = self._kept.get(_hash(self.name, prompt))
        if kept is None:
            raise LanguageModelUnfit(
                f"{str(self._path)!r} has no reply of {self.name!r} to this {prompt.purpose!r} prompt "
                f"(version {prompt.version!r}); record it again"
            )
        return kept


def _hash(name: str, prompt: Prompt) -> str:
    return input_hash(_KEY, name, prompt).hex()


def _line(name: str, prompt: Prompt, done: Completion) -> str:
    kept = {
        "input": _hash(name, prompt),
        "purpose": prompt.purpose,
        "model": name,
        "text": done.text,
        "tokens_in": done.tokens_in,
        "tokens_out": done.tokens_out,
        "cost": str(done.cost),
    }
    return json.dumps(kept, ensure_ascii=False) + "\n"


def _read(path: Path) -> dict[str, Completion]:
    """By input; of two replies to one prompt the later."""
    kept: dict[str, Completion] = {}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                one = json.loads(line)
                done = Completion(one["text"], one["tokens_in"], one["tokens_out"], Decimal(one["cost"]))
                kept[one["input"]] = done
            except (ValueError, KeyError, TypeError, ArithmeticError):
                raise Malformed(f"line {number} of {str(path)!r} is no recorded completion") from None
    return kept
