"""How well a sentence supports an answer, as one number from a published formula. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

__all__ = ["FITTED", "PLACES", "Formula", "Traits", "support"]

PLACES = 6


@dataclass(frozen=True, slots=True)
class Traits:
    """What counts for or against a sentence, each from 0 to 1 at most. None is about how the question is put.

    covered: of the question's weight, by the sentence and what stands around it. named: what the question
    names, persons apart, is there. person: a person it names is who the sentence is about. period: it
    does not come after the year asked about. rival: how much more of the asked words a sentence about others
    says. unsaid: the share of the asked words that nobody visible ever said. ahead: by how much of the best
    rank's worth it ranks above what is about others, -1 to 1; 0 where nothing is named.
    """

    covered: float
    named: bool
    person: bool
    period: bool
    rival: float
    unsaid: float
    ahead: float = 0.0

    @property
    def is_about(self) -> bool:
        """Whether it is about who and what the question names, at the time it names."""
        return self.named and self.person and self.period


@dataclass(frozen=True, slots=True)
class Formula:
    """A weight for each trait, added up; the sum goes through the logistic function."""

    bias: float
    covered: float
    named: float
    person: float
    period: float
    rival: float
    unsaid: float
    ahead: float = 0.0


# Written by `python -m evals abstention fit` from the development halves; see docs/explanations/answers.md.
# `ahead` came in later, beside the others as they were: the best of 0, 0.5, 1 and 1.5 on the same halves.
FITTED = Formula(
    bias=-8.15, covered=2.47, named=1.09, person=3.85, period=2.66, rival=-3.63, unsaid=-0.78, ahead=1.0
)


def support(traits: Traits, formula: Formula = FITTED) -> float:
    """How likely, 0 to 1, such a sentence answered the question in the development sets."""
    total = (
        formula.bias
        + formula.covered * traits.covered
        + formula.named * traits.named
        + formula.person * traits.person
        + formula.period * traits.period
        + formula.rival * traits.rival
        + formula.unsaid * traits.unsaid
        + formula.ahead * traits.ahead
    )
    return round(1 / (1 + exp(-total)), PLACES)
