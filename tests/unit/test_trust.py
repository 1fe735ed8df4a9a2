"""The order of trust, and the marks by which words are known again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.trust import LEAST, ORDER, is_trusted, minimum, trust_rank
from muniment.items.echoes import marks, telling

WORDS = st.lists(st.sampled_from([f"w{number}" for number in range(400)]), min_size=8, max_size=30)


@given(st.lists(st.sampled_from(ORDER), min_size=1))
def test_the_minimum_is_one_of_them_and_above_none(trusts: list[str]) -> None:
    least = minimum(trusts)

    assert least in trusts
    assert all(trust_rank(least) <= trust_rank(one) for one in trusts)


def test_a_label_nobody_knows_is_below_all_and_of_none_there_is_the_least() -> None:
    assert minimum(["approved", "sacred"]) == "sacred"
    assert not is_trusted("sacred")
    assert minimum([]) == LEAST


def test_approving_alone_is_less_than_a_system_of_record_and_more_than_a_member() -> None:
    assert trust_rank("member") < trust_rank("approved_alone") < trust_rank("system_of_record")
    assert is_trusted("member")
    assert not is_trusted("internal_tool")


@given(WORDS, WORDS, WORDS)
def test_a_shared_run_of_eight_words_is_always_known(
    run: list[str], before: list[str], after: list[str]
) -> None:
    stored = " ".join(run).upper()
    pasted = " ".join((*before, *run[:3], "\n", *run[3:], *after))

    assert telling(pasted) & marks(stored)
    assert telling(stored) & marks(pasted)


@given(WORDS)
def test_other_words_share_no_mark(run: list[str]) -> None:
    assert not telling(" ".join(run)) & marks(" ".join(f"x{word}" for word in run))


def test_a_short_sentence_is_known_as_a_whole_and_a_greeting_tells_nothing_of_the_rest() -> None:
    stored = marks("Kind regards. Refunds need no approval at all.")

    assert telling("refunds need no approval at all") & stored
    assert telling("Kind regards") & stored
    assert not telling("Kind regards. We meet in Lisbon on Monday.") & stored


def test_a_run_of_chinese_is_known() -> None:
    rule = "供应商必须在付款前三个工作日内把发票原件寄到上海财务部审核"

    assert telling(f"请注意{rule}谢谢大家") & marks(rule)
    assert not telling("我们下周一在上海见面讨论新的合同和价格问题好吗") & marks(rule)
