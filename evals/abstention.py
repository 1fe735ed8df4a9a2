"""Are unanswerable questions recognised, and at the price of how many answerable ones?

`python -m evals abstention` reports; `python -m evals abstention-fit` fits the formula on the development
halves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import muniment
from evals.asked import Asked, every_set
from evals.fitting import Row, fit
from evals.ranking import auroc, auroc_interval, recognised_at
from evals.shared import wilson
from muniment.answer.compose import Judged, compose
from muniment.answer.evidence import Evidence
from muniment.answer.state import THRESHOLDS
from muniment.answer.support import Formula, Traits, support
from muniment.domain.values import AnswerState, Citation
from muniment.view import judged

__all__ = ["fitted", "run"]

WRONG_REFUSALS = 0.05
STATES: tuple[AnswerState, ...] = ("answered", "not_found", "out_of_scope")
FITTED_ON = ("company", "locomo")
STEPS = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question, what was said to it, what would have been if it had to be answered, and the best support.

    `right` and `forced_right`: whether the first citation proves the answer; None where the set does not say.
    """

    asked: Asked
    state: AnswerState
    right: bool | None
    forced: bool
    forced_right: bool | None
    support: float
    traits: tuple[Traits, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A report that is already text."""

    body: str

    def text(self) -> str:
        return self.body


def run(org: muniment.Org) -> Text:
    """Figures of the held halves; the development halves are there to be tuned on."""
    outcomes = [_outcome(asked) for asked in every_set(org)]
    held = [one for one in outcomes if one.asked.half == "held"]
    parts = [
        "## answer states",
        f"`python -m evals abstention`: held halves; nothing is fitted on them; {THRESHOLDS}",
        _ranking_table(held),
        _state_table([one for one in held if one.asked.set in ("company", "demo")]),
        _kind_table([one for one in held if one.asked.set == "company"]),
        _forced_table(held),
        *(_curve(name, group) for name, group in _by_set(held) if name in FITTED_ON),
    ]
    return Text("\n\n".join(parts))


def fitted(org: muniment.Org) -> Text:
    """The formula of the development halves, for `answer/support.py`, and what it is worth elsewhere."""
    outcomes = [_outcome(asked) for asked in every_set(org)]
    dev = [one for one in outcomes if one.asked.half == "dev"]
    parts = [str(fit(_rows(dev, FITTED_ON))), _ranking_table(dev), _left_out_table(outcomes)]
    return Text("\n\n".join(parts))


def _rows(outcomes: Sequence[Outcome], sets: Sequence[str]) -> list[Row]:
    """Every set counts the same, and in it what can be answered as much as what cannot."""
    sizes = Counter((one.asked.set, one.asked.answerable) for one in outcomes)
    return [
        Row(
            one.traits,
            answerable=one.asked.answerable,
            weight=1 / sizes[one.asked.set, one.asked.answerable],
        )
        for one in outcomes
        if one.asked.set in sets and one.traits
    ]


def _left_out_table(outcomes: Sequence[Outcome]) -> str:
    """Each set by a formula fitted on the others alone."""
    rows = ["| set left out | AUROC | at ≤ 5 % wrong |", "|---|---|---|"]
    for name, group in _by_set(outcomes):
        others = [one for one in FITTED_ON if one != name]
        formula = fit(_rows([one for one in outcomes if one.asked.set in others], others))
        yes = [_best_by(formula, one) for one in group if one.asked.answerable]
        no = [_best_by(formula, one) for one in group if not one.asked.answerable]
        rows.append(f"| {name} | {auroc(yes, no):.3f} | {recognised_at(yes, no, WRONG_REFUSALS):.3f} |")
    return "\n".join(rows)


def _best_by(formula: Formula, outcome: Outcome) -> float:
    return max((support(one, formula) for one in outcome.traits), default=0.0)


def _outcome(asked: Asked) -> Outcome:
    view = asked.view
    with view._reading() as reader:
        sought = view._seek(reader, asked.question, view._meaning(asked.question)[0], asked.entity)
        found, forced = judged(reader, sought), judged(reader, sought, _anything)
        said = compose(reader, found).citations
        invented = compose(reader, forced).citations
    return Outcome(
        asked,
        found.state,
        _is_right(asked, said),
        forced.state == "answered",
        _is_right(asked, invented),
        _best(found),
        tuple(dict.fromkeys(one.traits for one in found.weighed)),
    )


def _anything(_: Evidence) -> bool:
    """The forced system's bar: whatever there is will do."""
    return True


def _best(found: Judged) -> float:
    return max((one.support for one in found.weighed), default=0.0)


def _is_right(asked: Asked, citations: Sequence[Citation]) -> bool | None:
    """Whether the first citation is from an item that answers and holds the terms."""
    if not asked.answerable:
        return False
    if not asked.items:
        return None
    if not citations:
        return False
    first = citations[0]
    said = asked.view.explain(first.id).passage.replace("⟦", "").replace("⟧", "")
    # A mail goes by its Message-ID, wherever it was sent from, and whatever it says.
    named = {first.item, (first.item or "").partition("@")[0], first.source}
    return not named.isdisjoint(asked.items) and all(term in said for term in asked.terms)


def _by_set(outcomes: Iterable[Outcome]) -> list[tuple[str, list[Outcome]]]:
    return [(name, list(group)) for name, group in groupby(outcomes, key=lambda one: one.asked.set)]


def _ranking_table(outcomes: Sequence[Outcome]) -> str:
    """Support as a score of answerability, and what the thresholds make of it."""
    rows = [
        "| set | answerable | not | AUROC | 95 % | at ≤ 5 % wrong | recognised | wrong refusals |",
        "|---|---|---|---|---|---|---|---|",
    ]
    rows += [_ranking_row(name, group) for name, group in _by_set(outcomes)]
    in_one = [one for one in outcomes if one.asked.set == "company" and one.asked.kind != "other_language"]
    rows.append(_ranking_row("company, one language", in_one))
    return "\n".join(rows)


def _ranking_row(name: str, group: Sequence[Outcome]) -> str:
    yes = [one.support for one in group if one.asked.answerable]
    no = [one.support for one in group if not one.asked.answerable]
    low, high = auroc_interval(yes, no)
    refused = [one for one in group if one.state != "answered"]
    recognised = sum(not one.asked.answerable for one in refused)
    wrongly = len(refused) - recognised
    return (
        f"| {name} | {len(yes)} | {len(no)} | {auroc(yes, no):.3f} | {low:.3f}–{high:.3f} "
        f"| {recognised_at(yes, no, WRONG_REFUSALS):.3f} "
        f"| {_share(recognised, len(no))} | {_share(wrongly, len(yes))} |"
    )


def _share(right: int, n: int) -> str:
    low, high = wilson(right, n)
    return f"{right / n if n else 0:.3f} ({low:.2f}–{high:.2f})"


def _state_table(outcomes: Sequence[Outcome]) -> str:
    rows = ["| set, expected | answered | not_found | out_of_scope | n |", "|---|---|---|---|---|"]
    for name, group in _by_set(outcomes):
        for state in STATES:
            mine = Counter(one.state for one in group if one.asked.expect[0] == state)
            rows.append(f"| {name}, {state} | {' | '.join(str(mine[s]) for s in STATES)} | {mine.total()} |")
    return "\n".join(rows)


def _kind_table(outcomes: Sequence[Outcome]) -> str:
    rows = [
        "| kind of company question | answerable | answered | of them proved | n |",
        "|---|---|---|---|---|",
    ]
    for kind in sorted({one.asked.kind for one in outcomes}):
        mine = [one for one in outcomes if one.asked.kind == kind]
        answered = [one for one in mine if one.state == "answered"]
        proved = sum(one.right is True for one in answered)
        yes = "yes" if mine[0].asked.answerable else "no"
        rows.append(f"| {kind} | {yes} | {len(answered)} | {proved} | {len(mine)} |")
    return "\n".join(rows)


def _forced_table(outcomes: Sequence[Outcome]) -> str:
    """What the refusals become where refusing is not allowed; only where a set says what proves."""
    rows = [
        "| set | refusals | forced: right | forced: inventions | nothing to say | answers | proved |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, group in _by_set(outcomes):
        known = [one for one in group if one.right is not None]
        refused = [one for one in known if one.state != "answered"]
        right = sum(one.forced_right is True for one in refused)
        silent = sum(not one.forced for one in refused)
        answered = [one for one in known if one.state == "answered"]
        proved = sum(one.right is True for one in answered)
        rows.append(
            f"| {name} | {len(refused)} | {right} | {len(refused) - right - silent} | {silent} "
            f"| {len(answered)} | {_share(proved, len(answered))} |"
        )
    return "\n".join(rows)


def _curve(name: str, outcomes: Sequence[Outcome]) -> str:
    """Detection over wrong refusals as the bar on support rises; the other conditions stay."""
    points = [_point(outcomes, step / STEPS) for step in range(STEPS + 1)]
    width = 40
    lines = [f"{name}, n = {len(outcomes)}: bar on support, recognised (#), wrong refusals (x)", ""]
    for step, (recognised, wrong) in enumerate(points):
        bar = "#" * round(recognised * width)
        lines.append(
            f"{step / STEPS:.2f}  {recognised:.2f} {bar:<{width}} {wrong:.2f} {'x' * round(wrong * width)}"
        )
    return "```\n" + "\n".join(lines) + "\n```"


def _point(outcomes: Sequence[Outcome], bar: float) -> tuple[float, float]:
    yes = [one.support < bar for one in outcomes if one.asked.answerable]
    no = [one.support < bar for one in outcomes if not one.asked.answerable]
    return sum(no) / len(no), sum(yes) / len(yes)
