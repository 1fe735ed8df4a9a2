"""The benchmark as one act: draw, take in, ask, report."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import muniment
from evals.ledger.corpus import take
from evals.ledger.draw import FULL, QUICK, SEED, draw_ledger
from evals.ledger.measure import outcomes, wiki
from evals.ledger.plan import Size
from evals.ledger.references import resolution
from evals.ledger.report import Measured, charts, report
from evals.plots import bars
from evals.shared import ROOT, machine
from muniment.models.nano import find_embedder
from muniment.settings import Settings

__all__ = ["quick", "run"]

REPORTS = ROOT / "reports"


@dataclass(frozen=True, slots=True)
class _Text:
    said: str

    def text(self) -> str:
        return self.said


def run(org: muniment.Org) -> _Text:
    """The whole benchmark; its report and charts are written to `evals/reports`."""
    measured = _measure(org, FULL, "python -m evals ledger")
    said = report(measured)
    (REPORTS / "ledger.md").write_text(said, encoding="utf-8")
    for name, chart in charts(measured).items():
        (REPORTS / name).write_text(bars(chart), encoding="utf-8")
    return _Text(said)


def quick(org: muniment.Org) -> _Text:
    """A small corpus of the same make: printed, not kept."""
    return _Text(report(_measure(org, QUICK, "python -m evals ledger --quick")))


def _measure(org: muniment.Org, size: Size, command: str) -> Measured:
    ledger = draw_ledger(SEED, size)
    is_off = find_embedder(Settings.read().embedder) is None
    with tempfile.TemporaryDirectory() as folder:
        taken = take(org, ledger, Path(folder))
    _say(f"{taken.documents} documents in {taken.seconds:.1f} s")
    return Measured(
        ledger,
        SEED,
        taken,
        wiki(org),
        resolution(org, ledger),
        tuple(outcomes(org, ledger, _say)),
        f"{machine()}, {'words alone' if is_off else 'words and meaning'}.",
        f"MUNIMENT_EMBEDDER=off {command}" if is_off else command,
    )


def _say(what: str) -> None:
    print(f"ledger: {what}", file=sys.stderr, flush=True)
