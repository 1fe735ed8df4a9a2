"""Every question in every wording under every condition, and what the whole record cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, stdev

import muniment
from evals.ledger import scoring
from evals.ledger.conditions import CONDITIONS, Handed, ask
from evals.ledger.corpus import NOW
from evals.ledger.entries import UNDERWRITER, Gold, Ledger, Question
from evals.ledger.reading import answer

__all__ = ["Mean", "Outcome", "Wiki", "mean", "outcomes", "wiki"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question under one condition: each figure is the mean over its wordings."""

    question: Question
    condition: str
    accuracy: float
    reached: float
    stated: float
    alike: float
    overlap: float
    evidence: float
    tokens: float
    seconds: float
    missed: tuple[tuple[str, tuple[Gold, ...], tuple[Gold, ...]], ...]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int

    def text(self) -> str:
        return f"{self.value:.3f} ({self.low:.2f}–{self.high:.2f})"


@dataclass(frozen=True, slots=True)
class Wiki:
    """The pages of a reader who may read everything."""

    pages: int
    characters: int


def outcomes(org: muniment.Org, ledger: Ledger, say: Callable[[str], None]) -> Iterator[Outcome]:
    """Condition by condition, in the order of the questions."""
    titles = {one.id: one.title for one in ledger.documents}
    for condition in CONDITIONS:
        say(f"{condition}: {len(ledger.questions)} questions in three wordings")
        yield from (_outcome(org, question, condition, titles) for question in ledger.questions)


def _outcome(org: muniment.Org, question: Question, condition: str, titles: Mapping[str, str]) -> Outcome:
    handed = [ask(org, question, wording, condition, titles) for wording in question.wordings]
    answers = [answer(question, wording, one) for wording, one in zip(question.wordings, handed, strict=True)]
    return Outcome(
        question,
        condition,
        fmean(scoring.accuracy(question, one) for one in handed),
        fmean(scoring.reached(question, one) for one in handed) if question.must_state else 1.0,
        fmean(scoring.accuracy(question, one) for one in answers),
        scoring.overlap(answers),
        scoring.overlap(handed),
        scoring.overlap_of_evidence(question, handed),
        fmean(one.tokens for one in handed),
        fmean(one.seconds for one in handed),
        tuple(_missed(question, handed)),
    )


def _missed(
    question: Question, handed: Iterable[Handed]
) -> Iterator[tuple[str, tuple[Gold, ...], tuple[Gold, ...]]]:
    """Each wording that went wrong: what was not shown, and what was shown as if it held."""
    for wording, one in zip(question.wordings, handed, strict=True):
        if scoring.accuracy(question, one) < 1:
            wanted = (*question.through, *question.must_state)
            yield (
                wording,
                tuple(gold for gold in wanted if not scoring.is_shown(gold, one.shown)),
                tuple(gold for gold in question.must_not_state if scoring.as_current(gold, one.shown)),
            )


def mean(values: Iterable[float]) -> Mean:
    """A mean and its interval by the normal approximation.

    All alike: the rule of three.
    """
    every = list(values)
    if not every:
        return Mean(0.0, 0.0, 1.0, 0)
    middle = fmean(every)
    alike = len(set(every)) == 1
    most = 1.0 if max(every) <= 1 else inf  # shares end at one; tokens and milliseconds do not
    half = min(1.0, 3 / len(every)) if alike else 1.96 * stdev(every) / sqrt(len(every))
    return Mean(middle, max(0.0, middle - half), min(most, middle + half), len(every))


def wiki(org: muniment.Org) -> Wiki:
    """How large the wiki is as the reader of most of it sees it."""
    reader = org.reader(UNDERWRITER, as_of=NOW)
    pages = [reader.page(one.entity) for one in reader.pages()]
    return Wiki(len(pages), sum(len(page.markdown) for page in pages))
