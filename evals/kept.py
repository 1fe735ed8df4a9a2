"""A report and its plot, kept in a folder."""

from __future__ import annotations

from pathlib import Path

from evals.plots import Chart, bars, share
from evals.shared import Report

__all__ = ["chart_of", "keep"]


def keep(folder: Path, name: str, text: str, chart: Chart) -> None:
    """Write NAME.md and NAME.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / f"{name}.svg").write_text(bars(chart), encoding="utf-8")


def chart_of(report: Report) -> Chart:
    """The figures of a report, one bar each."""
    groups = {figure: [share(right, n)] for figure, (right, n) in report.figures.items()}
    return Chart(report.name, "share", groups, ("right",), 1.0)
