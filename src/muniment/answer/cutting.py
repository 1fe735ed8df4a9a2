"""Whether a sentence is a stretch of a source's words, and which. Pure.

A paraphrase cannot be checked without another model. So a model may only point: to one stretch of one piece
of evidence, from one mark of punctuation to another, with nothing left out inside it, and nothing before or
after it that takes back, limits or doubts what it says. What is told in the end are the source's own words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from muniment.domain.regex import regex

__all__ = ["Refusal", "Span", "cut"]

# Why a sentence is no stretch of its piece. `number` and `name`: one that the piece does not hold; `words`:
# others it does not hold; `order`: it holds them all and not like that; `left_out`: what must not be.
Refusal = Literal["number", "name", "words", "order", "left_out"]
Span = tuple[int, int]

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# A number with its signs and separators, a word with its hyphens and apostrophes, a Chinese character, and
# signs that change what a number says.
_TOKEN: Final = regex(
    rf"\d+(?:[.,:/-]\d+)*|[{_HAN}]|[^\W\d_{_HAN}]+(?:['’_-][^\W_{_HAN}]+)*|[^\s\w.,;:!?()\[\]{{}}\"'“”‘’、。，；：！？（）「」《》|*#>-]|[-<>](?=\d)"
)
_BORDER: Final = regex(r"[.,;:!?()\[\]{}、。，；：！？（）|\n]|[-–—]\s|\s[-–—]")
_ARTICLES: Final = frozenset({"a", "an", "the"})
# What may not be cut off: it denies, doubts, limits or ends what is said beside it.
_LIMITING: Final = frozenset(
    "not no never nor none neither without cannot nothing nobody unless if except only until till before "
    "after from since whether may might could would should maybe perhaps probably possibly allegedly "
    "supposedly provided subject unlike instead formerly previously once was were had wrong false untrue "
    "incorrect cancelled canceled withdrawn revoked superseded replaced obsolete expired outdated draft "
    "proposed rejected declined denied least most up under over minimum maximum about approximately roughly "
    "however but although though while whereas said says claims claimed thinks believes hopes expects guess "
    "assume suppose rumour rumor he she they it".split()
)
_LIMITING_HAN: Final = regex(
    "[不没無无未非别勿否若如仅只除]|但|可能|也许|或许|大概|据说|除非|直到|之前|之后|以前|以后|取消|废止|错|假|曾|原|至少|至多|最多|最少"
)
_NEGATED: Final = regex(r"n['’]t\Z")


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int


def cut(piece: str, said: str) -> Span | Refusal:
    """Where in the piece the sentence stands, or why it is none of the piece's."""
    held, asked = _tokens(piece), _tokens(said)
    words = [token.word for token in asked]
    if not words:
        return "words"
    starts = [at for at in range(len(held)) if _begins(piece, held, at)]
    for first in starts:
        last = first + len(words)
        if [token.word for token in held[first:last]] == words and _ends(piece, held, last):
            span = _opening(piece, held, first), held[last - 1].end
            return "left_out" if _limits(piece, held[:first], held[last:]) else span
    return _why(held, asked, said)


def _tokens(text: str) -> list[_Token]:
    """Words and signs without articles, as they are compared and where they stand."""
    found = (_Token(_plain(match[0]), *match.span()) for match in _TOKEN.finditer(text))
    return [token for token in found if token.word not in _ARTICLES]


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'")


def _begins(piece: str, held: Sequence[_Token], at: int) -> bool:
    return at == 0 or _BORDER.search(piece, held[at - 1].end, held[at].start) is not None


def _opening(piece: str, held: Sequence[_Token], first: int) -> int:
    """Where the stretch begins in the text, with the articles before its first word."""
    start, end = held[first - 1].end if first else 0, held[first].start
    opening = max((match.end() for match in _BORDER.finditer(piece, start, end)), default=start)
    return opening + len(piece[opening:end]) - len(piece[opening:end].lstrip())


def _ends(piece: str, held: Sequence[_Token], last: int) -> bool:
    return last == len(held) or _BORDER.search(piece, held[last - 1].end, held[last].start) is not None


def _limits(piece: str, before: Sequence[_Token], after: Sequence[_Token]) -> bool:
    """Whether what is cut off bears on what is kept."""
    if any(token.word in _LIMITING or _NEGATED.search(token.word) for token in (*before, *after)):
        return True
    left = [piece[part[0].start : part[-1].end] for part in (before, after) if part]
    return any(_LIMITING_HAN.search(text) for text in left)


def _why(held: Sequence[_Token], asked: Sequence[_Token], said: str) -> Refusal:
    known = {token.word for token in held}
    new = [token for token in asked if token.word not in known]
    if any(token.word[0].isdigit() for token in new):
        return "number"
    if any(said[token.start].isupper() for token in new[1:] or new if token.start):
        return "name"
    return "words" if new else "order"
