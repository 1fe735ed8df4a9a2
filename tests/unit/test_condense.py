"""What of a text survives where there is no room for all of it."""

from __future__ import annotations

from itertools import pairwise

from muniment.context.condense import LEAST, Bearing, condensed, facts

FILLER = (
    "The room was warm and everybody seemed glad to be there. Somebody had brought a cake, which was nice. "
    "There was a good deal of talk about the weather and the trains. Nobody was in a hurry to go home again. "
)
PRICE = "Acme pays EUR 4,200 a month unless the audit fails."
ASKED = "The gasket supplier came up again."


def bearing(**rarity: float) -> Bearing:
    return Bearing(rarity)


def test_amounts_names_and_conditions_survive_before_small_talk() -> None:
    shorter = condensed(FILLER + PRICE + " " + FILLER, bearing())

    assert shorter
    assert all(PRICE in text for text in shorter)


def test_what_was_asked_survives_before_everything_else() -> None:
    shorter = condensed(FILLER + PRICE + " " + ASKED + " " + FILLER, bearing(gasket=9.0))

    assert all(ASKED in text for text in shorter)


def test_each_length_saves_enough_and_keeps_the_order_of_the_text() -> None:
    body = FILLER + PRICE + " " + FILLER + ASKED
    lengths = [len(body), *(len(text) for text in condensed(body, bearing(gasket=9.0)))]
    last = condensed(body, bearing(gasket=9.0))[-1]

    assert all(after <= LEAST * before for before, after in pairwise(lengths))
    assert last.index(PRICE) < last.index(ASKED)


def test_a_text_of_one_sentence_and_an_empty_one_have_nothing_to_leave_out() -> None:
    assert condensed(PRICE, bearing()) == ()
    assert condensed("", bearing()) == ()


def test_chinese_amounts_and_conditions_survive_too() -> None:
    told = "除非审计失败，年费为人民币8万元。"
    body = "今天天气很好，大家都很高兴。会议室里有人带了蛋糕。" * 12 + told

    assert all(told in text for text in condensed(body, bearing()))


def test_a_question_states_less_than_what_answers_it() -> None:
    assert facts("Is the limit EUR 500?") < facts("The limit is EUR 500.")
