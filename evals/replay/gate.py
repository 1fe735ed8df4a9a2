"""The replay gate: `python -m evals replay [--each 40] [--seed 7] [--rule …] [--report DIR]`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import muniment
from evals.kept import keep
from evals.replay import report
from evals.replay.cases import NOW, cases
from evals.replay.run import play, prepare
from evals.replay.solver import unverified, verified
from evals.shared import machine, settings

__all__ = ["main"]

RULES = {"verified": verified, "unverified": unverified}


def main(arguments: Sequence[str]) -> int:
    """Print the report; 1 where memory harms, or helps too little."""
    parser = argparse.ArgumentParser(prog="python -m evals replay")
    parser.add_argument("--each", type=int, default=40, help="cases of each of the seven strata")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rule", choices=RULES, default="verified", help="what goes first among equals")
    parser.add_argument("--report", type=Path, help="a folder for the report and its plot")
    said = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)  # an unprivileged server must be able to enter it
        where = replace(settings(folder), embedder="off")
        with muniment.open(folder / "org", settings=where, clock=lambda: NOW) as org:
            drawn = list(cases(said.each, said.seed))
            prepare(org, drawn)
            outcomes = list(play(org, drawn, rule=RULES[said.rule]))
    told = report.text(outcomes)
    print(told)
    if said.report is not None:
        picture = "![The first cause is right, memory off and on](replay.svg)"
        keep(said.report, "replay", f"{machine()}\n\n{told}\n\n{picture}\n", report.chart(outcomes))
    return 0 if report.passes(outcomes) else 1
