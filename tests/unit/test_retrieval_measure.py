"""Figures say what they claim: who counts, how sure a mean is, and what a cache may not change."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from evals.retrieval.ask import Part
from evals.retrieval.cache import CachedEmbedder
from evals.retrieval.dataset import Cluster, Dataset, Question
from evals.retrieval.measure import Asked, figure, outcome_of
from evals.retrieval.saved import against, load, save, scores_of
from muniment.domain.evaluation import Measure, hit, recall
from muniment.models.embedding import Floats

GOLD = frozenset({"a", "b"})


def dataset(*measures: Measure, clusters: int = 0) -> Dataset:
    question = Question("?", "user:r", GOLD, "c")
    return Dataset(
        "set",
        "set",
        "about",
        lambda: [Cluster(str(number), (), (question, question)) for number in range(clusters)],
        measures,
    )


def asked(cluster: str, found: Sequence[str], gold: frozenset[str] = GOLD, category: str = "c") -> Asked:
    return Asked(cluster, Question("?", "user:r", gold, category), tuple(found), 1.0)


def test_recall_is_the_share_of_the_gold_and_hit_whether_there_is_any() -> None:
    assert recall(2).score(("a", "x", "b"), GOLD) == 0.5
    assert recall(3).score(("a", "x", "b"), GOLD) == 1.0
    assert (hit(1).score(("x", "a"), GOLD), hit(2).score(("x", "a"), GOLD)) == (0.0, 1.0)


def test_a_question_without_gold_is_left_out_or_counts_as_found() -> None:
    none: frozenset[str] = frozenset()

    assert (recall(5).score(("a",), none), hit(5).score(("a",), none)) == (None, None)
    assert recall(5, empty=1.0).score((), none) == 1.0


def test_a_mean_weighs_questions_and_its_interval_resamples_clusters() -> None:
    apart = figure([("one", 1.0)] * 30 + [("two", 0.0)] * 10)
    mixed = figure([(str(number % 10), float(number % 4 > 0)) for number in range(40)])

    assert (apart.value, apart.n, apart.clusters) == (0.75, 40, 2)
    assert (apart.low, apart.high) == (0.0, 1.0)
    assert mixed.value == 0.75
    assert mixed.high - mixed.low < 0.5


def test_one_cluster_says_nothing_of_how_sure_a_mean_is() -> None:
    assert figure([("one", 1.0), ("one", 0.0)]).interval == "–"


def test_an_interval_holds_the_true_mean_about_as_often_as_it_says(seed: int) -> None:
    draw = random.Random(seed)
    held = 0
    for _ in range(200):
        true = [draw.random() for _ in range(40)]
        found = figure((str(c), float(draw.random() < p)) for c, p in enumerate(true) for _ in range(10))
        held += found.low <= 0.5 <= found.high

    assert held >= 175


def test_an_outcome_splits_by_category_and_leaves_out_what_does_not_count() -> None:
    ones = [asked("1", ["a", "b"]), asked("2", ["a"], category="d"), asked("2", [], frozenset(), "e")]

    found = outcome_of(dataset(recall(10), hit(10)), "how", ones)

    assert found.overall["recall@10"].n == 2
    assert {name: part["recall@10"].value for name, part in found.by_category.items() if part} == {
        "c": 1.0,
        "d": 0.5,
    }
    assert "| all | recall@10 | 0.750 | 2 |" in found.text()


def test_a_part_takes_every_nth_cluster_and_chooses_questions_evenly() -> None:
    every = dataset(clusters=5)
    questions = [(str(number), Question(str(number), "user:r", GOLD, "c")) for number in range(10)]

    assert [one.name for one in Part(1, 2).clusters(every)] == ["1", "3"]
    assert [name for name, _ in Part(limit=4).chosen(questions)] == ["0", "3", "6", "9"]


def test_a_change_is_judged_by_the_questions_that_both_runs_asked(tmp_path: Path) -> None:
    every = dataset(recall(10))
    before = [asked(str(number), ["a"] if number % 2 else ["x"]) for number in range(8)]
    after = [asked(str(number), ["a", "b"] if number else ["x"]) for number in range(8)]
    save(tmp_path / "before.json", scores_of(every, before))

    (line,) = against(load(tmp_path / "before.json"), scores_of(every, after))

    assert line.startswith("set recall@10: +0.625 (")
    assert line.endswith("7 better, 0 worse of 8")


class Counting:
    """An embedder of two numbers that counts the texts it is asked for."""

    name = "counting"
    dimensions = 2
    is_centred = True

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        self.texts += texts
        return np.array([[len(text), float(query) + 1] for text in texts], np.float32).reshape(-1, 2)


def test_a_text_is_embedded_once_and_a_question_apart_from_a_passage(tmp_path: Path) -> None:
    real = Counting()
    first = CachedEmbedder(real, tmp_path).embed(["one", "three", "one"], query=False)
    again = CachedEmbedder(real, tmp_path).embed(["three", "one", "four"], query=False)
    asked = CachedEmbedder(real, tmp_path).embed(["one"], query=True)

    assert real.texts == ["one", "three", "four", "one"]
    assert first.tolist() == [[3, 1], [5, 1], [3, 1]]
    assert again.tolist() == [[5, 1], [3, 1], [4, 1]]
    assert asked.tolist() == [[3, 2]]
    assert CachedEmbedder(real, tmp_path).embed([], query=True).shape == (0, 2)


@pytest.mark.parametrize("text", ["\ud83d", "a\0b", "", "字" * 10_000])
def test_any_text_has_a_place_in_the_cache(tmp_path: Path, text: str) -> None:
    cached = CachedEmbedder(Counting(), tmp_path)

    assert cached.embed([text], query=False).tolist() == cached.embed([text], query=False).tolist()
