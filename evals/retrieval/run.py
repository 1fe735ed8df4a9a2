"""`python -m evals retrieval [SET …] [--words] [--keep FOLDER] [--part i/n] [--limit N]`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from evals.retrieval.ask import Part, ask, asking
from evals.retrieval.dataset import Dataset
from evals.retrieval.measure import Outcome, outcome_of
from evals.retrieval.record import Where
from evals.retrieval.sets import SETS
from evals.shared import NotHere

__all__ = ["main", "measured"]


def main(arguments: Sequence[str]) -> int:
    """Measure the sets named, all of them if none is, and print each."""
    said = _parser().parse_args(arguments)
    for name in said.sets or SETS:
        try:
            print(measured(SETS[name], Where(said.keep, said.words), _part(said.part, said.limit)).text())
        except NotHere as missing:
            print(f"{name}: skipped: {missing}")
    return 0


def measured(dataset: Dataset, where: Where, part: Part) -> Outcome:
    """Every question of the part asked, and what that came to."""
    with asking(dataset, where, part) as (org, questions):
        asked = [ask(org, dataset, cluster, question) for cluster, question in questions]
    how = f"python -m evals retrieval {dataset.name}" + (" --words" if where.words_only else "")
    return outcome_of(dataset, how, asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m evals retrieval", description="Retrieval, default settings.")
    parser.add_argument("sets", nargs="*", choices=[*SETS, []], metavar="SET", help=", ".join(SETS))
    parser.add_argument("--words", action="store_true", help="no embedder")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the record, or ask one kept before")
    parser.add_argument("--part", default="0/1", metavar="i/n", help="every n-th cluster, from the i-th (0…)")
    parser.add_argument("--limit", type=int, metavar="N", help="about so many questions, evenly chosen")
    return parser


def _part(said: str, limit: int | None) -> Part:
    first, _, step = said.partition("/")
    return Part(int(first), int(step or 1), limit)
