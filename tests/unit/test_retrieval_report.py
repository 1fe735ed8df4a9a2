"""The report of retrieval sets words beside meaning, with every interval, and draws what it says."""

from __future__ import annotations

from evals.plots import bars
from evals.retrieval.dataset import Dataset, Question
from evals.retrieval.measure import Asked, Outcome, outcome_of
from evals.retrieval.report import Pair, charts, report
from muniment.domain.evaluation import Packed, recall

SET = Dataset("set", "set", "some questions", lambda: (), (recall(5),))


def outcome(how: str, found: float, *, packs: bool = False) -> Outcome:
    ones = [
        Asked(
            str(number % 4),
            Question("?", "user:r", frozenset({"a"}), ("plain", "hard & long")[number % 2]),
            ("a",) if number < 20 * found else ("b",),
            2.0,
            Packed(("a",), 700) if packs else None,
        )
        for number in range(20)
    ]
    return outcome_of(SET, how, ones)


def test_a_set_stands_in_the_report_both_ways_and_by_category() -> None:
    said = report([Pair(outcome("run --words", 0.5), outcome("run", 0.8))], "2026, here.")

    assert "| set | recall@5 | 20 | 4 | 0.500 |" in said
    assert "| 0.800 |" in said
    assert "| hard & long | recall@5 | 10 | 2 |" in said
    assert "`run`, and with `--words`" in said
    assert "tokens" not in said


def test_packs_are_told_where_they_were_made() -> None:
    said = report([Pair(outcome("w", 0.5, packs=True), outcome("m", 0.5, packs=True))], "2026, here.")

    assert "| set | recall in pack | 20 | 4 | 1.000 |" in said
    assert "packs of 700 and 700 tokens" in said


def test_every_picture_that_the_report_shows_is_drawn() -> None:
    pairs = [Pair(outcome("w", 0.5), outcome("m", 0.8))]
    said, drawn = report(pairs, "2026, here."), charts(pairs)

    assert all(f"]({name})" in said for name in drawn)
    assert said.count(".svg)") == len(drawn) == 2
    assert "hard &amp; long" in bars(drawn["retrieval-set.svg"])
