"""The published formula: what can raise support and what can only lower it."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from muniment.answer.state import THRESHOLDS
from muniment.answer.support import Traits, support

shares = st.floats(0, 1)
traits = st.builds(
    Traits, shares, st.booleans(), st.booleans(), st.booleans(), shares, shares, st.floats(-1, 1)
)
PERFECT = Traits(covered=1, named=True, person=True, period=True, rival=0, unsaid=0, ahead=1)


@given(one=traits, share=shares)
def test_covering_more_never_counts_against_a_sentence(one: Traits, share: float) -> None:
    assert support(replace(one, covered=max(one.covered, share))) >= support(one)


@given(one=traits, share=shares)
def test_a_better_sentence_about_others_never_counts_for_it(one: Traits, share: float) -> None:
    assert support(replace(one, rival=max(one.rival, share))) <= support(one)
    assert support(replace(one, unsaid=max(one.unsaid, share))) <= support(one)


@given(one=traits, share=st.floats(-1, 1))
def test_ranking_further_ahead_of_others_never_counts_against_it(one: Traits, share: float) -> None:
    assert support(replace(one, ahead=max(one.ahead, share))) >= support(one)


@given(one=traits)
def test_nothing_is_better_supported_than_what_covers_all_and_is_about_it(one: Traits) -> None:
    assert 0 <= support(one) <= support(PERFECT)


def test_what_covers_all_and_is_about_it_is_enough_and_what_is_about_others_is_not() -> None:
    assert support(PERFECT) >= THRESHOLDS.support
    assert support(replace(PERFECT, person=False)) < THRESHOLDS.support
    assert support(replace(PERFECT, period=False)) < THRESHOLDS.support
