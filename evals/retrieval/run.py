"""`python -m evals retrieval [SET …] [--words] [--plain] [--keep FOLDER] [--part i/n] [--limit N] …`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.plots import bars
from evals.retrieval.ask import Part, ask, asking
from evals.retrieval.dataset import PLAIN, Dataset
from evals.retrieval.measure import Asked, Outcome, outcome_of
from evals.retrieval.record import Where
from evals.retrieval.report import Pair, charts, report
from evals.retrieval.saved import against, load, save, scores_of
from evals.retrieval.sets import SETS
from evals.shared import ROOT, NotHere, machine

__all__ = ["main", "questioned"]

REPORTS = ROOT / "reports"


def main(arguments: Sequence[str]) -> int:
    """Measure the sets named, all of them if none is; print each, or write the report."""
    said = _parser().parse_args(arguments)
    sets = [_set(name, said.plain) for name in said.sets or SETS]
    part = _part(said.part, said.limit)
    if said.report:
        _write(list(_pairs(sets, said.keep, part, said.budget)), part)
        return 0
    scores: dict[str, dict[str, float]] = {}
    for one in sets:
        try:
            asked = questioned(one, Where(said.keep, said.words), part, said.budget)
        except NotHere as missing:
            print(f"{one.name}: skipped: {missing}")
        else:
            print(outcome_of(one, _how(one.name, said.words, said.budget), asked).text(), flush=True)
            scores |= scores_of(one, asked)
    if said.against:
        print("\n".join(against(load(said.against), scores)))
    if said.save:
        save(said.save, scores)
    return 0


def questioned(dataset: Dataset, where: Where, part: Part, budget: int | None) -> list[Asked]:
    """Every question of the part, asked."""
    with asking(dataset, where, part) as (org, questions):
        return [ask(org, dataset, *one, budget=budget) for one in questions]


def _how(name: str, words: object, budget: int | None) -> str:
    packs = "" if budget is None else f" --budget {budget}"
    said = f"{name.removesuffix(PLAIN)} --plain" if name.endswith(PLAIN) else name
    return f"python -m evals retrieval {said}{' --words' if words else ''}{packs}"


def _set(name: str, plain: object) -> Dataset:
    return SETS[name].plain() if plain else SETS[name]


def _pairs(sets: Sequence[Dataset], keep: Path | None, part: Part, budget: int | None) -> Iterator[Pair]:
    """Each set by words alone, and with meaning."""
    for one in sets:
        try:
            both = [_outcome(one, Where(keep, words), part, budget) for words in (True, False)]
        except NotHere as missing:
            print(f"{one.name}: skipped: {missing}", file=sys.stderr)
        else:
            print("\n".join(way.text() for way in both), file=sys.stderr, flush=True)
            yield Pair(*both)


def _outcome(dataset: Dataset, where: Where, part: Part, budget: int | None) -> Outcome:
    asked = questioned(dataset, where, part, budget)
    return outcome_of(dataset, _how(dataset.name, where.words_only, budget), asked)


def _write(pairs: Sequence[Pair], part: Part) -> None:
    said = f"{machine()}. `python -m evals retrieval --report`{part.told}."
    (REPORTS / "retrieval.md").write_text(report(pairs, said), encoding="utf-8")
    for name, chart in charts(pairs).items():
        (REPORTS / name).write_text(bars(chart), encoding="utf-8")
    print(REPORTS / "retrieval.md")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m evals retrieval", description="Retrieval, default settings.")
    parser.add_argument("sets", nargs="*", choices=[*SETS, []], metavar="SET", help=", ".join(SETS))
    parser.add_argument("--words", action="store_true", help="no embedder")
    parser.add_argument("--plain", action="store_true", help="events without kind, thread and container")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the record, or ask one kept before")
    parser.add_argument("--part", default="0/1", metavar="i/n", help="every n-th cluster, from the i-th (0…)")
    parser.add_argument("--limit", type=int, metavar="N", help="about so many questions, evenly chosen")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="a pack for each question too")
    parser.add_argument("--report", action="store_true", help="both ways, into evals/reports/retrieval.md")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep each question's scores")
    parser.add_argument("--against", type=Path, metavar="FILE", help="and the difference from scores kept")
    return parser


def _part(said: str, limit: int | None) -> Part:
    first, _, step = said.partition("/")
    return Part(int(first), int(step or 1), limit)
