"""What was measured, as Markdown: by split and condition, against targets, with what failed and what this
cannot show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evals.ledger.conditions import BUDGET, CONDITIONS
from evals.ledger.corpus import Taken
from evals.ledger.entries import Gold, Ledger
from evals.ledger.measure import Mean, Outcome, Wiki, mean
from evals.ledger.questions import SMALL_BUDGET, SPLITS
from evals.ledger.references import Resolution
from evals.ledger.wordcheck import shared_words
from evals.plots import Chart

__all__ = ["Measured", "charts", "report"]

_SHOWN = 6  # of the questions that failed, for each split and condition


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of the benchmark."""

    ledger: Ledger
    seed: int
    taken: Taken
    wiki: Wiki
    graph: Resolution | None
    outcomes: tuple[Outcome, ...]
    where: str
    command: str

    def of(self, split: str, condition: str) -> list[Outcome]:
        return [one for one in self.outcomes if one.question.split == split and one.condition == condition]

    def mean(self, split: str, condition: str, figure: Callable[[Outcome], float]) -> Mean:
        return mean(figure(one) for one in self.of(split, condition))

    def all(self, condition: str, figure: Callable[[Outcome], float]) -> Mean:
        return mean(figure(one) for one in self.outcomes if one.condition == condition)


_FIGURES: dict[str, tuple[str, Callable[[Outcome], float]]] = {
    "Accuracy": ("share of must-state shown, less must-not-state shown as current", lambda one: one.accuracy),
    "The way shown": (
        "share of all words on the way, references included, that are shown",
        lambda one: one.reached,
    ),
    "Stated by the reader": (
        "the same of the one statement that a fixed rule takes from the pack, following references in it",
        lambda one: one.stated,
    ),
    "Consistency, statements": (
        "Jaccard of the statements that rule takes, between wordings",
        lambda one: one.alike,
    ),
    "Consistency, evidence": (
        "Jaccard of the shown words that bear on the question, between wordings",
        lambda one: one.evidence,
    ),
    "Consistency, everything cited": (
        "Jaccard of all cited passages, between wordings",
        lambda one: one.overlap,
    ),
}


def report(run: Measured) -> str:
    """The whole report."""
    parts = [
        ["# The ledger benchmark", "", run.where, "", f"`{run.command}`, seed {run.seed}.", ""],
        _corpus(run),
        _targets(run),
        *(_table(run, name, *figure) for name, figure in _FIGURES.items()),
        _cost(run),
        _wording(run.ledger),
        _failures(run),
        _cannot(),
    ]
    return "\n".join(line for part in parts for line in part)


def _corpus(run: Measured) -> list[str]:
    ledger, taken = run.ledger, run.taken
    words = [len(one.body.split()) for one in ledger.documents]
    kinds = Counter(one.kind for one in ledger.documents)
    return [
        "## Corpus",
        "",
        "| what | figure |",
        "|---|---|",
        f"| documents | {len(words)}: {_counted(kinds)} |",
        f"| words | {sum(words):,}; a document {min(words):,} to {max(words):,} |",
        f"| facts with place and version | {len(ledger.facts):,} |",
        f"| references between sections | {len(ledger.references)} |",
        f"| questions | {len(ledger.questions)}, each in three wordings |",
        f"| taken in | {taken.documents} documents, {taken.refused} refused, in {taken.seconds:.1f} s |",
        f"| pages | {run.wiki.pages}, {run.wiki.characters:,} characters |",
        *_graph(run.graph),
        "",
    ]


def _counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in kinds.items())


def _graph(graph: Resolution | None) -> Iterator[str]:
    if graph is None:
        yield "| references resolved | not measured: this version builds no graph |"
        return
    yield (
        f"| references resolved | {graph.right} of {graph.wanted} to the right section, "
        f"{graph.documents} to the right document; {graph.others} more that nobody wrote |"
    )
    yield f"| ties in front matter | {graph.fields_right} of {graph.fields} |"
    yield f"| references read | {graph.characters:,} characters in {graph.seconds:.2f} s |"


def _targets(run: Measured) -> list[str]:
    best = list(CONDITIONS)[-1]
    connected = run.mean("connected", best, lambda one: one.accuracy)
    base = run.mean("connected", "search", lambda one: one.accuracy)
    alike = run.mean("connected", best, lambda one: one.evidence)
    times = f"{connected.value / base.value:.1f}" if base.value else "not defined: search has none"
    size = run.wiki.characters / run.taken.characters
    rows = [
        (f"connected accuracy, *{best}*", "≥ .90", connected.text()),
        (f"connected accuracy, *{best}* over *search*", "≥ 3", times),
        (f"connected, evidence alike between wordings, *{best}*", "≥ .90", alike.text()),
        ("wiki over corpus", "≤ .10", f"{size:.3f}"),
    ]
    if run.graph is not None:
        rows.append(("references resolved", "all", f"{run.graph.right} of {run.graph.wanted}"))
        rows.append(("references of the whole corpus read", "< 1 s", f"{run.graph.seconds:.2f} s"))
    return [
        "## Targets",
        "",
        "| what | to reach | measured |",
        "|---|---|---|",
        *(f"| {what} | {reach} | {said} |" for what, reach, said in rows),
        "",
    ]


def _table(run: Measured, name: str, how: str, figure: Callable[[Outcome], float]) -> list[str]:
    rows = [
        f"| {split} | {run.mean(split, 'search', figure).n} |"
        + "|".join(f" {run.mean(split, condition, figure).text()} " for condition in CONDITIONS)
        + "|"
        for split in SPLITS
    ]
    picture = ["![Accuracy by split and condition](ledger-accuracy.svg)", ""] if name == "Accuracy" else []
    if name == "Consistency, evidence":
        picture = ["![Consistency by split and condition](ledger-consistency.svg)", ""]
    return [f"## {name}", "", f"{how[0].upper()}{how[1:]}; mean over questions, 95 % interval.", "", *picture,
            "| split | n |" + "|".join(f" {one} " for one in CONDITIONS) + "|",
            "|---|---|" + "---|" * len(CONDITIONS), *rows, ""]  # fmt: skip


def _cost(run: Measured) -> list[str]:
    rows = [
        f"| {condition} | {run.all(condition, lambda one: one.tokens).value:,.0f} | "
        f"{1000 * run.all(condition, lambda one: one.seconds).value:,.0f} | 0 | $0 |"
        for condition in CONDITIONS
    ]
    return [
        "## Tokens, time, cost",
        "",
        f"Means over all questions; a pack has {BUDGET:,} tokens at most, in *budget* {SMALL_BUDGET}.",
        "",
        "![Tokens by split and condition](ledger-tokens.svg)",
        "",
        "![Time by split and condition](ledger-time.svg)",
        "",
        "| condition | tokens a question | ms a question | model calls | cost |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]


def _wording(ledger: Ledger) -> list[str]:
    shared = shared_words(ledger)
    stems = mean(one.stems for one in shared)
    runs = Counter(one.run for one in shared)
    return [
        "## Wording",
        "",
        "What a question shares with a sentence it has to rest on, scope and all: mean Jaccard of word stems "
        f"{stems.value:.3f}, at most {max(one.stems for one in shared):.2f}, over {len(shared):,} pairs. "
        "Longest run of words both have: "
        + ", ".join(f"{run} in {n:,}" for run, n in sorted(runs.items()))
        + ".",
        "",
    ]


def _failures(run: Measured) -> list[str]:
    lines = ["## What failed", ""]
    if run.graph is not None and run.graph.missed:
        lines += [f"### References: {len(run.graph.missed)} of {run.graph.wanted} not resolved", ""]
        lines += [*(f"- {one}" for one in run.graph.missed[: 2 * _SHOWN]), ""]
    for condition in CONDITIONS:
        for split in SPLITS:
            failed = [one for one in run.of(split, condition) if one.missed]
            if failed:
                lines += [f"### {condition}, {split}: {len(failed)} of {len(run.of(split, condition))}", ""]
                lines += [_failure(one) for one in failed[:_SHOWN]]
                lines.append("")
    return lines


def _failure(one: Outcome) -> str:
    wording, missing, wrong = one.missed[0]
    said = [f"not shown {_place(missing)}"] if missing else []
    said += [f"shown as current {_place(wrong)}"] if wrong else []
    return f"- `{one.question.id}`: {wording} → {'; '.join(said)}"


def _place(every: Iterable[Gold]) -> str:
    return ", ".join(f"{one.document} {one.section} ({one.quote})" for one in every)


def _cannot() -> list[str]:
    return ["## What this cannot show", "", Path(__file__).with_name("limits.md").read_text("utf-8")]


def charts(run: Measured) -> dict[str, Chart]:
    """The charts, by file name."""

    def groups(figure: Callable[[Outcome], float]) -> dict[str, list[Mean]]:
        return {split: [run.mean(split, one, figure) for one in CONDITIONS] for split in SPLITS}

    times = groups(lambda one: 1000 * one.seconds)
    names = list(CONDITIONS)
    slowest = max(one.high for every in times.values() for one in every)
    return {
        "ledger-accuracy.svg": Chart(
            "Accuracy by split", "mean, 95 %", groups(lambda one: one.accuracy), names, 1.0
        ),
        "ledger-consistency.svg": Chart(
            "Evidence alike between three wordings", "Jaccard", groups(lambda one: one.evidence), names, 1.0
        ),
        "ledger-tokens.svg": Chart(
            "Tokens a question", "tokens", groups(lambda one: one.tokens), names, BUDGET * 1.1
        ),
        "ledger-time.svg": Chart("Time a question", "ms", times, names, max(1.0, slowest * 1.1)),
    }
