"""What was measured, as Markdown with charts: by words alone beside words and meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.plots import Chart
from evals.retrieval.measure import RESAMPLES, Figure, Outcome

__all__ = ["Pair", "charts", "report"]

_SERIES = ("words", "and meaning")
_LIMITS = f"""## What this cannot show

- The sets are the shared parts, which we tune on: a figure here is not one on unseen data.
- Intervals are the middle 95 % over {RESAMPLES:,} draws of whole clusters. Five conversations or six
  chats say little of others, and a set of one cluster has no interval.
- LoCoMo, BEAM and MemDaily were written by models, question after answer; people ask in other words.
- LoCoMo's gold is partly wrong: `locomo` counts it as published, `locomo-corrected` applies the published
  corrections.
- Finding evidence is not answering. Answers and refusals are measured by `python -m evals abstention`.
- Milliseconds are of a machine that may have been busy; speed is measured in `benchmarks/`."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A set asked both ways."""

    words: Outcome
    meaning: Outcome

    @property
    def name(self) -> str:
        return self.words.dataset.name


def report(pairs: Sequence[Pair], where: str) -> str:
    """The whole report."""
    parts = [
        "# Retrieval",
        f"{where} Default settings, through `reader.search`: [how](../retrieval/README.md).",
        "![Every set](retrieval.svg)",
        _table(_overall(pairs)),
        *(part for pair in pairs for part in _set(pair)),
        _LIMITS,
    ]
    return "\n\n".join(parts) + "\n"


def _table(rows: Sequence[str]) -> str:
    head = [
        "| | measure | n | clusters | words | 95 % | and meaning | 95 % |",
        "|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows])


def _overall(pairs: Sequence[Pair]) -> list[str]:
    return [row for pair in pairs for row in _rows(pair.name, pair.words.overall, pair.meaning.overall)]


def _rows(name: str, words: Mapping[str, Figure], meaning: Mapping[str, Figure]) -> Iterator[str]:
    for measure, one in words.items():
        other = meaning[measure]
        yield (
            f"| {name} | {measure} | {one.n} | {one.clusters} | {one.value:.3f} | {one.interval} "
            f"| {other.value:.3f} | {other.interval} |"
        )


def _set(pair: Pair) -> Iterator[str]:
    yield f"## {pair.name}"
    times = f"{pair.words.ms:.1f} ms a question by words, {pair.meaning.ms:.1f} ms with meaning"
    packs = (
        f"; packs of {pair.words.tokens:,.0f} and {pair.meaning.tokens:,.0f} tokens"
        if pair.words.tokens is not None and pair.meaning.tokens is not None
        else ""
    )
    yield f"{pair.words.asked} questions: {pair.words.dataset.about}. {times}{packs}."
    if pair.words.by_category:
        yield f"![{pair.name} by category](retrieval-{pair.name}.svg)"
        yield _table(
            [
                row
                for category, words in pair.words.by_category.items()
                for row in _rows(category, words, pair.meaning.by_category[category])
            ]
        )
    yield f"`{pair.meaning.how}`, and with `--words`."


def charts(pairs: Sequence[Pair]) -> dict[str, Chart]:
    """By file name: every set's first measure, and each set's by category."""
    drawn = {"retrieval.svg": _chart("Evidence found", {_titled(one): _first(one) for one in pairs})}
    for pair in pairs:
        parts = {
            name: [words[measure], pair.meaning.by_category[name][measure]]
            for name, words in pair.words.by_category.items()
            for measure in list(words)[:1]
        }
        if parts:
            title = f"{pair.name}, {pair.words.dataset.measures[0].name}"
            drawn[f"retrieval-{pair.name}.svg"] = _chart(title, parts)
    return drawn


def _titled(pair: Pair) -> str:
    return f"{pair.name} {next(iter(pair.words.overall))}"


def _first(pair: Pair) -> list[Figure]:
    measure = next(iter(pair.words.overall))
    return [pair.words.overall[measure], pair.meaning.overall[measure]]


def _chart(title: str, groups: dict[str, list[Figure]]) -> Chart:
    return Chart(title, "share", groups, _SERIES, 1.0)
