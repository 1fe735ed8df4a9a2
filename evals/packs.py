"""What a pack holds of the evidence, for how many tokens, beside search results pasted whole.

`python -m evals packs`: LoCoMo and BEAM (shared part). A part counts as held where some of its words are
told, not where the pack only says that it is there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import muniment
from evals.retrieval.dataset import Dataset
from evals.retrieval.sets import beam, locomo
from evals.shared import NotHere, wilson
from muniment.context.tokens import count_tokens
from muniment.domain.values import Pack
from muniment.view import View

__all__ = ["run"]

BUDGETS = (300, 500, 1000, 1500, 3000)
DEPTHS = (5, 10, 20)
MANY = 3000  # the budget at which abilities are compared
_POINTERS = ("(left out for length)", "There is a page on ")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question, who asks it, what kind it is, and the items that hold its evidence."""

    set: str
    question: str
    kind: str
    items: frozenset[str]
    view: View


@dataclass(frozen=True, slots=True)
class Measured:
    """Evidence recall and tokens, of the first so many hits and of packs of so many tokens.

    `pasted`: of as many hits as fit into MANY tokens.
    """

    wanted: Wanted
    hits: Mapping[int, tuple[float, int]]
    packs: Mapping[int, tuple[float, int]]
    pasted: float


@dataclass(frozen=True, slots=True)
class Text:
    """A report that is already text."""

    body: str

    def text(self) -> str:
        return self.body


def run(org: muniment.Org) -> Text:
    """Both sets, those that are here."""
    parts = []
    for dataset in (locomo.MESSAGES, beam.EVIDENCE):
        try:
            parts.append(_told([_measured(one) for one in _wanted(org, dataset)]))
        except NotHere as missing:
            parts.append(f"skipped: {missing}")
    return Text("\n\n".join(parts))


def _wanted(org: muniment.Org, dataset: Dataset) -> Iterator[Wanted]:
    for cluster in dataset.clusters():
        org.ingest(cluster.events)
        org.sync()
        for one in cluster.questions:
            if one.gold:
                yield Wanted(dataset.record, one.text, one.category, one.gold, org.reader(one.reader))


def _measured(wanted: Wanted) -> Measured:
    hits = wanted.view.search(wanted.question, limit=100)
    costs = [count_tokens(f"{hit.text}\n\n") for hit in hits]
    found = [str(hit.item) for hit in hits]
    packs = {budget: wanted.view.context(wanted.question, budget=budget) for budget in BUDGETS}
    fits = max((n for n in range(len(costs) + 1) if sum(costs[:n]) <= MANY), default=0)
    return Measured(
        wanted,
        {k: (_recall(wanted, found[:k]), sum(costs[:k])) for k in DEPTHS},
        {budget: (_recall(wanted, _held(pack)), pack.budget.used) for budget, pack in packs.items()},
        _recall(wanted, found[:fits]),
    )


def _held(pack: Pack) -> list[str]:
    told = [part for part in pack.parts if not any(pointer in part.text for pointer in _POINTERS)]
    return [str(one.item) for part in told for one in part.citations]


def _recall(wanted: Wanted, items: Sequence[str]) -> float:
    return len(wanted.items & set(items)) / len(wanted.items)


def _told(measured: Sequence[Measured]) -> str:
    n = len(measured)
    rows = [
        f"## packs, {measured[0].wanted.set} dev",
        "",
        f"`python -m evals packs`: evidence recall, {n} questions with evidence",
        "",
        "| what is handed over | evidence recall | 95 % | tokens a question |",
        "|---|---|---|---|",
    ]
    rows += [_row(f"first {k} hits, whole", [one.hits[k] for one in measured]) for k in DEPTHS]
    rows += [_row(f"pack of {budget}", [one.packs[budget] for one in measured]) for budget in BUDGETS]
    return "\n".join([*rows, "", *_by_kind(measured)])


def _row(name: str, told: Sequence[tuple[float, int]]) -> str:
    n = len(told)
    right = sum(recall for recall, _ in told)
    low, high = wilson(right, n)
    tokens = sum(tokens for _, tokens in told) / n
    return f"| {name} | {right / n:.3f} | {low:.3f}–{high:.3f} | {tokens:.0f} |"


def _by_kind(measured: Sequence[Measured]) -> Iterator[str]:
    kinds: dict[str, list[Measured]] = defaultdict(list)
    for one in measured:
        kinds[one.wanted.kind].append(one)
    yield f"| kind | n | hits whole, {MANY} tokens | pack of {MANY} | first 10 hits | pack of 1500 |"
    yield "|---|---|---|---|---|---|"
    for kind, some in sorted(kinds.items()):
        shares = (
            sum(one.pasted for one in some),
            sum(one.packs[MANY][0] for one in some),
            sum(one.hits[10][0] for one in some),
            sum(one.packs[1500][0] for one in some),
        )
        yield f"| {kind} | {len(some)} | " + " | ".join(f"{one / len(some):.3f}" for one in shares) + " |"
