"""Text to lexemes where two scripts meet."""

import random
import string

import pytest

from muniment.context.question import understand
from muniment.index.words import lexemes, terms


def test_chinese_beside_digits_and_latin_letters_is_read_like_chinese_anywhere() -> None:
    beside = lexemes("备件于7月11日从苏州仓库发出，PR-318合并")

    assert {"7", "11", "苏州", "仓库", "pr-318", "合并"} <= set(beside)


def test_the_words_of_a_chinese_question_do_not_hang_on_a_year() -> None:
    assert terms("2023年出差北京的酒店标准是多少") == [("2023",), ("出差",), ("北京",), ("酒店",), ("标准",)]


def test_an_identifier_ends_where_chinese_begins() -> None:
    assert [one.surface for one in understand("INC-2041的根本原因是什么？").named] == ["INC-2041"]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("年假多少天？", [("年假",)]),
        ("年假有几天？", [("年假",)]),
        ("病假多少天？", [("病假",)]),
        ("年检的费用是多少？", [("年检",), ("费用",)]),
    ],
)
def test_characters_side_by_side_are_a_word_that_the_dictionary_lacks(
    question: str, asked: list[tuple[str, ...]]
) -> None:
    assert terms(question) == asked


def test_other_letters_beside_plain_ones_leave_their_words_as_they_are(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(2_000):
        parts = draw.choices([*"aBz09 \n", *string.punctuation, "The", " don't ", " INC-7 ", "running"], k=30)
        text = "".join(parts)
        assert lexemes(f"{text} é") == [*lexemes(text), "é"]
