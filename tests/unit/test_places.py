"""Traits at a glance: what asks, what names a time, what names a number."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.index.places import ASKS, COUNTS, DATES, WHOLE, Place, traits_of

IN_A_CHANNEL = Place(1, datetime(2026, 1, 1, tzinfo=UTC), 0, is_whole=False)
IN_A_THREAD = replace(IN_A_CHANNEL, is_whole=True)
WORDS = (
    "we go in by of last next this past few couple a one two ten twice half may march May Monday "
    "days week quarters nights spring yesterday Tonight ago since 3 12 2024 10:30 dogs"
).split()
GAPS = [" ", "  ", "_", "-", ". ", ", "]


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("Shall we go?", ASKS),
        ('He asked "why?"', ASKS),
        ("我们去吗？", ASKS),
        ("Why? Because it rained.", 0),
        ("We leave on Monday", DATES),
        ("It was last week", DATES),
        ("我们昨天去了", DATES),
        ("They have two dogs", COUNTS),
        ("她买了三个苹果", COUNTS),
        ("It took two weeks", DATES | COUNTS),
        ("Was it in 2023?", ASKS | DATES | COUNTS),
        ("She may march on", 0),
        ("一下子", 0),
        ("The pump runs hot. " * 20 + "Why?", 0),
        ("", 0),
        ("?" * 50_000 + "x", 0),
    ],
)
def test_a_text_shows_what_it_is_like(text: str, traits: int) -> None:
    assert traits_of(text, IN_A_CHANNEL) == traits
    assert traits_of(text, IN_A_THREAD) == traits | WHOLE


@given(
    st.lists(
        st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", "  ", "_", "-", ". ", ", "])), max_size=12
    )
)
def test_plain_english_says_the_same_with_a_letter_that_is_not_plain(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in parts)

    plain, marked = traits_of(text, IN_A_CHANNEL), traits_of(f"{text} é", IN_A_CHANNEL)

    assert plain & (DATES | COUNTS) == marked & (DATES | COUNTS)
