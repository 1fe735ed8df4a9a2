"""A double of a language model: scripted, counting, and failing on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from muniment.models.language import Completion, LanguageModelFailed, Prompt

__all__ = ["CountingModel", "Shown", "draft", "drafts", "of_all_sorts", "ruling", "sentences_of"]

Shown = Mapping[str, object]
Script = Callable[[str, Shown], str]


def draft(kind: str, statement: str, quote: str | None = None, *slot: str) -> dict[str, object]:
    """A statement as a model gives it; `slot` is about, attribute and value."""
    named = dict(zip(("about", "attribute", "value"), slot, strict=False))
    return {"kind": kind, "statement": statement, "quote": quote or statement, **named}


def drafts(*listed: Mapping[str, object]) -> str:
    """A reply to what a passage states."""
    return json.dumps({"statements": listed})


def ruling(verdict: str, statement: Mapping[str, object] | None = None) -> str:
    """A reply to what became of a statement."""
    return json.dumps({"verdict": verdict, "statement": statement})


def sentences_of(_: str, shown: Shown) -> str:
    """Every sentence of a text, as a fact; of an earlier statement, that it is said no more."""
    if "earlier" in shown:
        return ruling("retracted")
    text = " ".join(line for line in str(shown["text"]).splitlines() if not line.startswith("#"))
    found = [one.strip(" .") for one in text.split(". ") if len(one) > 10]
    return drafts(*(draft("fact", one) for one in found[:20]))


def of_all_sorts(purpose: str, shown: Shown) -> str:
    """Much that is right and some that is not, the same for the same text on every machine."""
    text = " ".join(str(shown["text"]).split())
    number = sum(text.encode())
    words = text.split(". ")[number % (text.count(". ") + 1)].strip()
    right = draft("fact", words.rstrip("."), words)
    if purpose == "re-examine":
        return ruling(("confirmed", "revised", "retracted")[number % 3], right)
    wrong = draft("policy", f"{words} and Zork pays 77 EUR", words)
    return "no JSON" if number % 7 == 0 else drafts(*((right, wrong) if number % 2 else (right,)))


@dataclass
class CountingModel:
    """`answers` gives the reply to a purpose and what is shown; `asked` holds each call, in order.

    `fails` picks what it cannot answer; `before` runs before each call and may do anything.
    """

    answers: Script = sentences_of
    name: str = "counted"
    cost: Decimal = Decimal("0.001")
    fails: Callable[[Shown], bool] = lambda _: False
    before: Callable[[], object] = lambda: None
    asked: list[tuple[str, Shown]] = field(default_factory=list)

    def complete(self, prompt: Prompt) -> Completion:
        shown = json.loads(prompt.material)
        self.asked.append((prompt.purpose, shown))
        self.before()
        if self.fails(shown):
            raise LanguageModelFailed(f"model {self.name!r} was told to fail")
        reply = self.answers(prompt.purpose, shown)
        return Completion(reply, len(prompt.material) // 4, len(reply) // 4, self.cost)

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.asked)

    def texts(self) -> Sequence[str]:
        """The texts it was shown."""
        return [str(shown["text"]) for _, shown in self.asked]
