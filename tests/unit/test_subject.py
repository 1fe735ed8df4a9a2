"""Whom a sentence of talk is about."""

import pytest

from muniment.answer.subject import Talk, addressed_in, talked_of, years_in
from muniment.index.words import lexemes

TOM = frozenset(lexemes("Tom"))
ANN = frozenset(lexemes("Ann"))


@pytest.mark.parametrize(
    "text", ["Thanks, Tom!", "Hey Tom, how are you?", "Tom, please call.", "Get well soon, Tom."]
)
def test_calling_somebody_by_name_is_an_address(text: str) -> None:
    assert addressed_in(text) == TOM


@pytest.mark.parametrize("text", ["Tom broke his wrist.", "I met Tom yesterday.", "Ask Tom about it."])
def test_speaking_of_somebody_is_none(text: str) -> None:
    assert addressed_in(text) == frozenset()


def about(text: str, speaker: frozenset[str] = ANN, passage: str = "") -> frozenset[str]:
    talk = Talk(True, speaker, frozenset(), addressed_in(f"{passage} {text}".strip()))
    return talked_of(text, lexemes(text), talk) & (TOM | ANN)


def test_what_i_say_of_myself_is_about_me() -> None:
    assert about("My holiday starts in August, Tom!") == ANN


def test_what_i_say_to_you_is_about_you_where_you_are_named() -> None:
    assert about("Your talk went well.", passage="Hi Tom!") == TOM


def test_what_says_both_is_about_both() -> None:
    assert about("I will take your shifts.", passage="Get well soon, Tom!") == TOM | ANN


def test_what_names_somebody_is_about_them_too() -> None:
    assert about("Tom broke his wrist.") == TOM | ANN


def test_a_document_is_about_what_it_says_and_whose_it_is() -> None:
    text = "Thanks, Tom!"

    talk = Talk(False, ANN, frozenset(), frozenset())

    assert talked_of(text, lexemes(text), talk) >= TOM | ANN


def test_years_are_found_beside_chinese_and_not_inside_numbers() -> None:
    assert years_in("2023年的标准, not 120231 nor 3021, but 1999") == (2023, 1999)
