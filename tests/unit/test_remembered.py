"""What was made of a text is remembered until it is forgotten, and long texts never are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muniment.context.condense import facts
from muniment.context.question import capitalised
from muniment.domain.remembered import LONGEST, forget_texts, remembered
from muniment.index.words import lexemes
from muniment.items.sentences import sentences


def test_a_text_is_asked_of_once_until_it_is_forgotten() -> None:
    asked: list[str] = []

    @remembered
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length("abc"), length("abc"), length("d")] == [3, 3, 1]
    forget_texts()
    assert length("abc") == 3
    assert asked == ["abc", "d", "abc"]


def test_a_long_text_is_not_kept() -> None:
    asked: list[int] = []

    @remembered
    def length(text: str) -> int:
        asked.append(len(text))
        return len(text)

    for _ in range(2):
        length("x" * (LONGEST + 1))

    assert len(asked) == 2


@given(st.text(max_size=80))
def test_what_is_remembered_is_what_is_made_anew_and_changing_a_reply_changes_no_other(text: str) -> None:
    first = (lexemes(text), sentences(text), capitalised(text), facts(text))
    lexemes(text).append("changed")
    sentences(text).append((0, 0))
    forget_texts()

    assert (lexemes(text), sentences(text), capitalised(text), facts(text)) == first
