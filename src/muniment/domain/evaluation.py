"""How well a search finds what it should: questions with their evidence, measures, and what they came to."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from muniment.domain.errors import Usage
from muniment.domain.values import Value

__all__ = [
    "Evaluation",
    "Figure",
    "Measure",
    "Miss",
    "Packed",
    "Sought",
    "Wanted",
    "evaluate",
    "hit",
    "read_wanted",
    "recall",
    "wilson",
]

_FIRST = 5  # recall is told at 1, at this many and at the limit


@dataclass(frozen=True, slots=True)
class Measure:
    """A score of one question from what was found, best first; None where the question does not count."""

    name: str
    score: Callable[[Sequence[str], frozenset[str]], float | None]


def recall(k: int, *, empty: float | None = None) -> Measure:
    """The share of the gold among the first k; `empty` for a question without gold, None leaves it out."""

    def score(found: Sequence[str], gold: frozenset[str]) -> float | None:
        return len(gold.intersection(found[:k])) / len(gold) if gold else empty

    return Measure(f"recall@{k}", score)


def hit(k: int) -> Measure:
    """Whether any gold is among the first k, over questions that have some."""

    def score(found: Sequence[str], gold: frozenset[str]) -> float | None:
        return float(not gold.isdisjoint(found[:k])) if gold else None

    return Measure(f"hit@{k}", score)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question on a line of a file, and the items that hold its evidence, as `source:item`."""

    line: int
    question: str
    gold: frozenset[str]
    kind: str | None


@dataclass(frozen=True, slots=True)
class Packed:
    """The items that a pack cites, and its tokens."""

    cited: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Sought:
    """What was found for a question, best first, what was packed where a pack was asked for, and the time."""

    wanted: Wanted
    found: tuple[str, ...]
    packed: Packed | None
    ms: float


@dataclass(frozen=True, slots=True)
class Figure(Value):
    """A mean over n questions, with its 95 % interval."""

    measure: str
    value: float
    n: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Miss(Value):
    """A question whose evidence was not all found, what is missing, and what came instead."""

    line: int
    question: str
    missing: tuple[str, ...]
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluation(Value):
    """A file of questions asked: figures over all and by kind, and every question that missed something.

    `tokens` is the mean of the packs, None where none was asked for.
    """

    questions: int
    with_evidence: int
    limit: int
    figures: tuple[Figure, ...]
    kinds: Mapping[str, tuple[Figure, ...]]
    missed: tuple[Miss, ...]
    tokens: float | None
    ms: float

    @property
    def recall(self) -> float:
        """The share of the evidence among all that was asked for; 1 where there is no evidence."""
        name = f"recall@{self.limit}"
        return next((one.value for one in self.figures if one.measure == name), 1.0)


def read_wanted(lines: Iterable[str]) -> list[Wanted]:
    """The questions of a JSONL file; Usage names the line that is none."""
    found = [_wanted(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise Usage(
            'there is no question: give one object a line, {"question": "…", "gold": ["source:item"]}'
        )
    return found


def _wanted(number: int, line: str) -> Wanted:
    try:
        said = json.loads(line)
    except ValueError:
        raise Usage(f"line {number} is no JSON") from None
    match said:
        case {"question": str(question), "gold": list(gold), **rest} if question.strip():
            if not all(isinstance(one, str) and ":" in one for one in gold):
                raise Usage(f"line {number}: gold is a list of items as source:item, not {gold!r}")
            kind = rest.get("kind")
            return Wanted(number, question, frozenset(gold), None if kind is None else str(kind))
    raise Usage(f'line {number} is no question: {{"question": "…", "gold": ["source:item", …]}}')


def evaluate(sought: Sequence[Sought], limit: int) -> Evaluation:
    """What the questions came to, searched to this limit."""
    kinds: dict[str, list[Sought]] = defaultdict(list)
    for one in sought:
        if one.wanted.kind is not None:
            kinds[one.wanted.kind].append(one)
    tokens = [one.packed.tokens for one in sought if one.packed is not None]
    return Evaluation(
        questions=len(sought),
        with_evidence=sum(bool(one.wanted.gold) for one in sought),
        limit=limit,
        figures=_figures(sought, limit),
        kinds={kind: _figures(ones, limit) for kind, ones in sorted(kinds.items())},
        missed=tuple(_missed(sought, limit)),
        tokens=fmean(tokens) if tokens else None,
        ms=fmean(one.ms for one in sought) if sought else 0.0,
    )


def _figures(sought: Sequence[Sought], limit: int) -> tuple[Figure, ...]:
    depths = sorted({depth for depth in (1, _FIRST, limit) if depth <= limit})
    measures = [*(recall(depth) for depth in depths), hit(limit)]
    scored = [(one.name, [one.score(each.found, each.wanted.gold) for each in sought]) for one in measures]
    packs = [(one.packed.cited, one.wanted.gold) for one in sought if one.packed is not None]
    if packs:
        scored.append(("recall in pack", [recall(len(cited)).score(cited, gold) for cited, gold in packs]))
    return tuple(_figure(name, [one for one in scores if one is not None]) for name, scores in scored)


def _figure(name: str, scores: Sequence[float]) -> Figure:
    """Wilson's interval is wide enough: no shares vary more than rights and wrongs of their mean."""
    low, high = wilson(sum(scores), len(scores))
    return Figure(name, fmean(scores) if scores else 0.0, len(scores), low, high)


def _missed(sought: Sequence[Sought], limit: int) -> Iterable[Miss]:
    for one in sought:
        missing = one.wanted.gold.difference(one.found[:limit])
        if missing:
            yield Miss(one.wanted.line, one.wanted.question, tuple(sorted(missing)), one.found[:_FIRST])


def wilson(right: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if not n:
        return 0.0, 1.0
    z, share = 1.96, right / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, centre - half), min(1.0, centre + half)
