"""Reports are kept with a plot of what they say."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from evals.kept import chart_of, keep
from evals.plots import bars, share
from evals.shared import Report

FIGURES = st.dictionaries(
    st.text('aé中&<> ,"', min_size=1, max_size=12),
    st.integers(0, 50).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    min_size=1,
    max_size=5,
)


@given(figures=FIGURES)
def test_each_figure_is_a_bar_as_high_as_it_is(figures: dict[str, tuple[float, int]]) -> None:
    plot = bars(chart_of(Report("a set", "how", figures, ())))

    every = ET.fromstring(plot).iter()  # noqa: S314  # our own
    drawn = [float(one.get("height", 0)) for one in every if one.get("fill") == "#8c8c8c"]
    assert drawn[1:] == [round(220 * right / n if n else 0, 1) for right, n in figures.values()]
    for _, n in figures.values():
        assert f"n = {n}<" in plot


def test_a_share_has_its_interval_around_it() -> None:
    one = share(9, 10)

    assert one.low < one.value < one.high <= 1


def test_a_report_is_kept_with_its_plot(tmp_path: Path) -> None:
    report = Report("commitments", "how", {"precision": (9, 10), "recall, firm": (6, 10)}, ())

    keep(tmp_path / "new", "commitments", report.text(), chart_of(report))

    assert re.search(
        r"precision \| 0.900 \| 10", (tmp_path / "new" / "commitments.md").read_text(encoding="utf-8")
    )
    assert "recall, firm" in (tmp_path / "new" / "commitments.svg").read_text(encoding="utf-8")
