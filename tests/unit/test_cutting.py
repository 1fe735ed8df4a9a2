"""What a model may tell of a piece of evidence: a stretch of it, and nothing that says another thing."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.answer.cutting import Refusal, cut

PIECE = "Hello Bo, as agreed on the phone, the renewal of Acme is due on 1 May 2027 at EUR 4,200.50; regards."


def told(piece: str, said: str) -> str:
    match cut(piece, said):
        case str() as why:
            return why
        case start, end:
            return piece[start:end]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (PIECE, PIECE.removesuffix(".")),
        (
            "the renewal of Acme is due on 1 May 2027 at EUR 4,200.50",
            "the renewal of Acme is due on 1 May 2027 at EUR 4,200.50",
        ),
        (
            "Renewal of ACME is due on 1 May 2027 at EUR 4,200.50.",
            "the renewal of Acme is due on 1 May 2027 at EUR 4,200.50",
        ),
    ],
)
def test_a_stretch_between_marks_is_told_in_the_sources_own_words(said: str, expected: str) -> None:
    assert told(PIECE, said) == expected


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("The renewal of Acme is due on 2 May 2027 at EUR 4,200.50", "number"),
        ("The renewal of Acme is due on 1 May 2027 at EUR 4,200", "number"),
        ("The renewal of Globex is due on 1 May 2027 at EUR 4,200.50", "name"),
        ("The renewal of Acme was cancelled on 1 May 2027", "words"),
        ("the renewal of Acme is not due on 1 May 2027 at EUR 4,200.50", "words"),
        ("Acme is due on 1 May 2027", "order"),
        ("the renewal is due on 1 May 2027 at EUR 4,200.50", "order"),
        ("on the phone, as agreed, the renewal of Acme", "order"),
        ("", "words"),
        ("...", "words"),
        ("年费", "words"),
    ],
)
def test_anything_else_is_refused_and_it_is_said_which_way(said: str, why: str) -> None:
    assert told(PIECE, said) == why


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        ("The fee is EUR 5, unless the contract is cancelled.", "The fee is EUR 5"),
        ("If the board agrees, Acme pays EUR 5.", "Acme pays EUR 5"),
        ("Acme pays EUR 5, which is wrong.", "Acme pays EUR 5"),
        ("Bo thinks, Acme pays EUR 5.", "Acme pays EUR 5"),
        ("Until May, Acme pays EUR 5.", "Acme pays EUR 5"),
        ("Acme pays EUR 5, it isn't sure.", "Acme pays EUR 5"),
        ("除非取消，年费为 5 欧元。", "年费为 5 欧元"),
        ("年费为 5 欧元，但尚未批准。", "年费为 5 欧元"),
    ],
)
def test_what_limits_or_denies_it_is_not_cut_off(piece: str, said: str) -> None:
    assert told(piece, said) == "left_out"


def test_signs_beside_a_number_belong_to_it() -> None:
    assert told("The discount is 18%.", "The discount is 18") == "order"
    assert told("The discount is 18.", "The discount is 18%") == "words"
    assert told("The change is -5.", "The change is 5") == "order"
    assert (
        told("海澜港务的年费是4,200欧元，谢谢。", "海澜港务的年费是4,200欧元。")
        == "海澜港务的年费是4,200欧元"
    )


words = st.lists(
    st.sampled_from(["acme", "Globex", "pays", "5", "6", "not", ",", "by", "the", "年", "费", ";"]),
    max_size=12,
)


@given(words, words)
def test_whatever_is_told_is_in_the_piece_word_for_word(piece: list[str], said: list[str]) -> None:
    text, wanted = " ".join(piece), " ".join(said)

    found = cut(text, wanted)
    if isinstance(found, str):
        return
    start, end = found
    bare = [word for word in text[start:end].casefold().split() if word not in (",", ";", "the")]
    assert bare == [word for word in wanted.casefold().split() if word not in (",", ";", "the")]
    assert "not" not in (text[:start] + text[end:]).split()


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_give_a_stretch_of_the_first_or_a_reason(piece: str, said: str) -> None:
    found = cut(piece, said)

    assert found in get_args(Refusal) or (isinstance(found, tuple) and 0 <= found[0] < found[1] <= len(piece))
