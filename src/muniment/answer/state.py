"""Which of the three states an answer has. Pure, and a function of visible evidence alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.answer.evidence import Evidence, is_known
from muniment.context.question import Question, alike
from muniment.context.retrieve import Found
from muniment.domain.values import AnswerState

__all__ = ["THRESHOLDS", "Thresholds", "decide", "suffices"]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What decides, each from 0 to 1, chosen on the development halves of `python -m evals abstention`.

    support: of the sentence, by the published formula. spoken: of the asked words, by the sentence itself.
    subject: covered anywhere visible, for a question that names nothing to count as within what is tracked.
    """

    support: float = 0.60
    spoken: float = 0.42
    subject: float = 0.50


THRESHOLDS = Thresholds()


def decide(
    question: Question, found: Found, sufficient: Sequence[Evidence], *, names_entity: bool
) -> AnswerState:
    """Answered where a visible passage covers enough of the question, else by whether its subject is known.

    names_entity: the question holds a name of an entity this reader can see.
    """
    if sufficient:
        return "answered"
    if names_entity:
        return "not_found"
    if question.named:
        return "not_found" if any(is_known(named, found) for named in question.named) else "out_of_scope"
    known = [
        term
        for term in question.terms
        if all(any(found.frequencies.get(other, 0) for other in alike(lexeme)) for lexeme in term)
    ]
    share = len(known) / len(question.terms) if question.terms else 0.0
    return "not_found" if share >= THRESHOLDS.subject else "out_of_scope"


def suffices(one: Evidence) -> bool:
    """Whether the sentence covers enough of the question to answer it."""
    return one.traits.is_about and one.support >= THRESHOLDS.support and one.asked >= THRESHOLDS.spoken
