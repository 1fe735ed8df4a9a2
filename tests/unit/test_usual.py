"""What questions have in common is taken off, in the language they are asked in."""

from __future__ import annotations

import numpy as np

from muniment.index.usual import own
from muniment.models.embedding import embed
from muniment.models.nano import NanoEmbedder

MODEL = NanoEmbedder.name


def test_unlike_questions_of_one_language_are_less_alike_without_it() -> None:
    for questions in (
        ("Who fixed the pump?", "How much is the hotel limit?"),
        ("谁修好了水泵？", "酒店限额是多少？"),
    ):
        one, other = embed(NanoEmbedder(), questions, query=True)
        bare = [own(MODEL, text, vector) for text, vector in zip(questions, (one, other), strict=True)]

        assert cosine(*bare) < cosine(one, other) - 0.05


def test_the_two_languages_have_means_of_their_own() -> None:
    vector = np.zeros(384, np.float32)

    assert not np.allclose(own(MODEL, "pump", vector), own(MODEL, "水泵", vector))


def test_a_model_nobody_measured_keeps_its_vectors() -> None:
    vector = np.ones(3, np.float32)

    assert own("another", "pump", vector) is vector


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
