"""Words said again: marks by which a run of words is known wherever it recurs. Pure.

Every run of eight words that two texts share gives them a mark in common, however it is cut, wrapped, cased
or spaced (winnowing: Schleimer, Wilkerson and Aiken, SIGMOD 2003). Shorter sentences are known as wholes. A
paraphrase or a translation shares no run and is not found: what has neither lineage nor shared words is its
author's own.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from muniment.domain.regex import regex
from muniment.items.sentences import sentences

__all__ = ["marks", "telling"]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = regex(rf"[{_HAN}]|[^\W_{_HAN}]+")
_IS_HAN = regex(rf"[{_HAN}]")
# Words in a gram, and grams of which one is kept: a shared run of their sum less one is always found. One
# Chinese
# character tells less than one word, and names of companies alone are ten characters long.
_WORDS, _CHARACTERS = (5, 4), (10, 6)
_LEAST = 2  # words of a sentence that is known as a whole
_LEAST_INSIDE = 5  # … where it stands among others: a greeting says nothing of where the rest is from


def marks(text: str, quotes: Iterable[str] = ()) -> frozenset[int]:
    """Every mark by which the text, its sentences or these parts of it will be known again."""
    wholes = (_tokens(part) for part in (text, *_sentences(text), *quotes))
    return frozenset((*_runs(_tokens(text)), *(_mark(one) for one in wholes if len(one) >= _LEAST)))


def telling(quote: str) -> frozenset[int]:
    """The marks that tell where a quote is from: its runs, its longer sentences, and itself."""
    whole = _tokens(quote)
    inside = (_tokens(part) for part in _sentences(quote))
    parts = [one for one in inside if _weight(one) >= _LEAST_INSIDE]
    return frozenset((*_runs(whole), *(_mark(one) for one in (whole, *parts) if len(one) >= _LEAST)))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentences(text))


def _weight(tokens: Sequence[str]) -> float:
    """Length in words; two Chinese characters are about one."""
    return sum(0.5 if _IS_HAN.match(token) else 1 for token in tokens)


def _runs(tokens: Sequence[str]) -> Iterator[int]:
    yield from _winnowed([token for token in tokens if not _IS_HAN.match(token)], *_WORDS)
    yield from _winnowed([token for token in tokens if _IS_HAN.match(token)], *_CHARACTERS)


def _winnowed(tokens: Sequence[str], gram: int, window: int) -> Iterator[int]:
    """The least mark of every window of grams; none where there is not one whole window."""
    found = [_mark(tokens[at : at + gram]) for at in range(len(tokens) - gram + 1)]
    for at in range(len(found) - window + 1):
        yield min(found[at : at + window])


def _mark(tokens: Sequence[str]) -> int:
    digest = hashlib.blake2b(" ".join(tokens).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
