"""Traits at a glance: what asks, what names a time, what names a number."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from muniment.index.places import ASKS, COUNTS, DATES, WHOLE, Place, traits_of

IN_A_CHANNEL = Place(1, datetime(2026, 1, 1, tzinfo=UTC), 0, is_whole=False)
IN_A_THREAD = replace(IN_A_CHANNEL, is_whole=True)


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
