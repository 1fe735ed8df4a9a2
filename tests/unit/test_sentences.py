import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.items.sentences import sentences

ANY_TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\n\n .!?。！？；#|-*>`\"”' 1aA一")))


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@given(ANY_TEXT)
def test_spans_are_in_order_trimmed_and_never_overlap(text: str) -> None:
    reach = 0

    for start, end in sentences(text):
        assert reach <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        reach = end


@given(ANY_TEXT)
def test_no_letter_or_number_is_lost_but_in_a_marker_or_a_fence(text: str) -> None:
    plain = "".join(
        char for char in text if char not in "`~#>*-+[]()1234567890.、)）（" and not char.isdigit()
    )

    kept = "".join(plain[start:end] for start, end in sentences(plain))

    assert sum(map(str.isalpha, kept)) >= sum(map(str.isalpha, plain)) - plain.count("\n") - 1


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Smith met Mrs. Lee at St. Mary.",
        "It rose to 3.5 percent, e.g. in v1.2.3 of the tool.",
        "J. R. Smith left for the U.S. embassy.",
        "See https://x.example/a.b?c=d for No. 5 and Fig. 3.",
        "Acme Inc. Renewal Agreement.",
        'He asked "Why?" and left.',
        "Wait... what?",
    ],
)
def test_a_period_inside_a_sentence_does_not_end_it(whole: str) -> None:
    assert said(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("He left the U.S. The rest stayed.", ["He left the U.S.", "The rest stayed."]),
        ("No. We cannot.", ["No.", "We cannot."]),
        ("sounds good. will send tomorrow", ["sounds good.", "will send tomorrow"]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("**Do this.** Then that.", ["**Do this.**", "Then that."]),
        ("Plan B. We go.", ["Plan B.", "We go."]),
        ("我们同意续约。价格下调10%！真的吗？是的", ["我们同意续约。", "价格下调10%！", "真的吗？", "是的"]),
        ("“好的。”他走了；我留下", ["“好的。”", "他走了；", "我留下"]),
        ("好的!明天见", ["好的!", "明天见"]),
    ],
)
def test_a_sentence_ends_where_a_reader_would_stop(text: str, parts: list[str]) -> None:
    assert said(text) == parts


def test_headings_items_and_rows_are_sentences_without_their_markers() -> None:
    text = "# Title\nOne. Two.\n- item\n  - nested\n1. first\n> quoted\n- [x] done"
    text += "\n| a. B | c |\n|---|---|\n1、甲"

    assert said(text) == [
        "Title",
        "One.",
        "Two.",
        "item",
        "nested",
        "first",
        "quoted",
        "done",
        "| a. B | c |",
        "甲",
    ]


def test_a_short_line_ends_its_sentence() -> None:
    assert said("Renewal is 3 March\nCall Bo") == ["Renewal is 3 March", "Call Bo"]


def test_a_wrapped_line_goes_on() -> None:
    text = "The renewal of the contract was agreed by both sides on\nMonday, and signed."
    text += "\n\n- a list item that\n  goes on"

    assert said(text) == [text[:75], text[79:]]


def test_code_is_taken_line_by_line_and_its_fence_is_no_sentence() -> None:
    assert said("```py\na. b\nc\n```\nAfter.") == ["a. b", "c", "After."]


@pytest.mark.parametrize("unit", ["." * 9, "a. ", ".)", "> ", "- ", "\n", "a.\n", "...x", "！", "“", " \t"])
def test_time_grows_with_length_alone(unit: str) -> None:
    text = unit * (300_000 // len(unit))

    before = time.process_time()
    sentences(text)

    assert time.process_time() - before < 5
