"""What of a text survives where there is no room for all of it. Pure.

What was asked, and what a paraphrase would lose: names, dates, amounts and conditions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from muniment.assertions.terms import find_terms
from muniment.context.question import Question, capitalised
from muniment.context.retrieve import Found
from muniment.domain.regex import regex
from muniment.domain.remembered import remembered
from muniment.index.words import lexemes
from muniment.items.sentences import sentences

__all__ = ["Bearing", "condensed", "facts"]

LONGEST = (320, 160)  # bytes of a condensed passage, about 80 and 40 tokens, unless one sentence is longer
LEAST = 0.7  # of a text: what would leave more than this is told whole
CUT = " … "
_CONDITION = regex(
    r"\b(?:if|unless|until|except|only|provided|subject to|at least|at most|no later|not|never|must)\b"
    r"|如果|除非|直到|仅|只有|但|不得|必须|至少|最多|不",
    re.IGNORECASE,
)
_ASKS = ("?", "？")
# What each fact that a sentence holds is worth beside the rarity of the words that were asked.
_TERM, _NAME, _NEED, _QUESTION = 0.6, 0.4, 0.3, -0.8
_MOST = 3  # facts of a kind that count


@dataclass(frozen=True, slots=True)
class Bearing:
    """How much of a question's words a text holds, each by how rare it is among what the reader can see."""

    rarity: Mapping[str, float]

    @classmethod
    def of(cls, question: Question, found: Found) -> Bearing:
        return cls(
            {
                word: log(1 + found.documents / (1 + found.frequencies.get(word, 0)))
                for word in question.lexemes
            }
        )

    def on(self, text: str) -> float:
        """What the text says of what was asked."""
        return sum(self.rarity[word] for word in sorted(set(lexemes(text)) & self.rarity.keys()))


@remembered
def facts(text: str) -> float:
    """How much a text states that a paraphrase would lose."""
    told = _TERM * min(len(find_terms(text)), _MOST) + _NAME * min(len(capitalised(text)), _MOST)
    told += _NEED if _CONDITION.search(text) is not None else 0.0
    return told + (_QUESTION if text.rstrip().endswith(_ASKS) else 0.0)


def condensed(body: str, bearing: Bearing) -> tuple[str, ...]:
    """The sentences that tell most, in the order they stand: fewer and fewer, where that saves enough."""
    spans = [span for span in sentences(body) if span[1] > span[0]]
    texts = [body[start:end].strip() for start, end in spans]
    worth = [bearing.on(text) + facts(text) for text in texts]
    shorter: list[str] = []
    for longest in LONGEST:
        text = _joined(body, spans, sorted(_chosen(texts, worth, longest)))
        if text and len(text) <= LEAST * len(shorter[-1] if shorter else body):
            shorter.append(text)
    return tuple(shorter)


def _joined(body: str, spans: Sequence[tuple[int, int]], kept: Sequence[int]) -> str:
    """The kept sentences; neighbours as they stand, a mark where something between them is left out."""
    text, last = "", -1
    for at in kept:
        start, end = spans[at]
        between = body[spans[last][1] : start] if last == at - 1 and text else CUT if text else ""
        text, last = f"{text}{between}{body[start:end]}", at
    return text.strip()


def _chosen(texts: Sequence[str], worth: Sequence[float], longest: int) -> list[int]:
    left = longest
    kept: list[int] = []
    for at in sorted(range(len(texts)), key=lambda at: (-worth[at], at)):
        size = len(texts[at].encode())
        if kept and size > left:
            continue
        kept.append(at)
        left -= size
    return kept
