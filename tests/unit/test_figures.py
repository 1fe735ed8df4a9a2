"""Numbers and dates in one form, however they are written."""

from __future__ import annotations

import random

import pytest

from muniment.index.figures import figures, has_figures
from muniment.index.words import lexemes

SAME = [
    ("350", ["350", "３５０", "三百五十", "三百五"]),
    ("35000", ["35000", "35,000", "35,000.00", "3.5万", "35k", "三万五千", "三万五"]),
    ("3500000", ["3500000", "3,500,000", "3.5 million", "3.5m", "350万", "三百五十万"]),
    ("120000000", ["120,000,000", "1.2亿", "一亿二千万"]),
    ("1200.5", ["1,200.50", "1200.50"]),
    ("5%", ["5%", "５％", "5 percent", "5 per cent", "百分之五", "百分之5"]),
    ("3.5%", ["3.5%", "百分之三点五"]),
    ("2024-03-05", [
        "2024-03-05", "2024年3月5日", "2024年03月05号", "二〇二四年三月五日", "March 5, 2024", "Mar 5 2024",
        "5 March 2024", "the 5th of March, 2024", "march 5th, 2024", "2024/3/5", "2024.3.5", "5.3.2024",
    ]),
    ("2024-03-25", ["25/3/2024", "3/25/2024", "2024年3月25日"]),
    ("--03-05", ["March 5", "5 March", "3月5日", "三月五号", "2024-03-05", "2024年3月5日"]),
    ("2024-03", ["March 2024", "2024年3月", "二〇二四年三月", "2024-03", "March 5, 2024", "2024-03-05"]),
    ("march", ["March", "3月", "三月份"]),
    ("septemb", ["September", "9月", "九月"]),
    ("2024", ["2024", "二〇二四年", "2024年"]),
    ("3", ["3 months", "三个月", "3个月"]),
    ("10", ["10 days", "十天"]),
    ("305", ["305", "三百零五"]),
    ("31", ["Article 31", "第三十一条"]),
]  # fmt: skip
_PAIRS = [(form, text) for form, texts in SAME for text in texts]


@pytest.mark.parametrize(("form", "text"), _PAIRS, ids=[text for _, text in _PAIRS])
def test_a_figure_has_its_normal_form_among_its_lexemes(form: str, text: str) -> None:
    assert form in lexemes(text)


@pytest.mark.parametrize(
    "text",
    [
        "一下", "万一", "千万", "十分", "一起", "三心二意", "几十个", "数十万", "上月", "一致",
        "10.0.0.1", "v1,200", "INC-443", "2024-13-05", "2024年2月30日内", "3/5/2024", "may i", "1:30", "a4",
        "+49 30 1234",
    ],
)  # fmt: skip
def test_what_is_no_figure_or_has_no_sure_form_gets_none(text: str) -> None:
    assert [form for form in figures(text) if form not in ("februari", "2024-02")] == []


def test_a_plain_number_is_its_own_form() -> None:
    assert figures("350 seats and 12 desks") == []


def test_plain_text_without_digits_has_no_figures() -> None:
    assert has_figures("room 4")
    assert has_figures("第四间")
    assert not has_figures("room four")


def test_no_mixture_of_figures_fails(seed: int) -> None:
    rng = random.Random(seed)
    pieces = [*[text for _, text in _PAIRS], *"0123456789,./-%年月日万亿点百分之 ", "may", "k", "第"]

    for _ in range(500):
        text = "".join(rng.choices(pieces, k=6)).lower()
        assert figures(text) == figures(text)
