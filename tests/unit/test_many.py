"""Which questions want many pieces of evidence, and how a pack for them is told."""

from __future__ import annotations

import pytest

from muniment.context.many import LIST, STORY, manner_of
from muniment.context.pack import PLAIN, Manner


@pytest.mark.parametrize(
    ("question", "manner"),
    [
        ("In what order did the outages happen?", STORY),
        ("Summarise how the renewal of Acme went.", STORY),
        ("List everything we promised to Acme.", LIST),
        ("When does the contract with Acme end?", PLAIN),
        ("Who owns the turbines?", PLAIN),
        ("", PLAIN),
    ],
)
def test_an_order_a_summary_and_a_list_want_many_pieces(question: str, manner: Manner) -> None:
    assert manner_of(question) == manner
