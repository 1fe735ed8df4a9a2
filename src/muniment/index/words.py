"""Text to lexemes: one way for what is stored and what is asked.

English words are stemmed (Snowball), identifiers such as INC-443 are kept whole beside their parts, Chinese
runs become dictionary words and overlapping pairs, so that a term the dictionary lacks is still found.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import rjieba
import Stemmer

__all__ = ["STOP_WORDS", "content_lexemes", "han_pairs", "lexemes", "terms"]

LONGEST = 64  # characters; longer runs are hashes or noise, and keep their first 64

# Words that carry no content on their own. Negations and quantities stay: they change what is said.
STOP_WORDS = frozenset(
    "a an and are as at be been being but by did do does doing for from had has have having he her hers him "
    "his how i if in into is it its me my of on or our ours she so than that the their them then there "
    "these they this those to us was we were what when where which who whom whose why will with would you "
    "your yours can could should shall may might must about s t many much often long soon".split()
) | frozenset(
    "的 了 是 在 和 与 及 或 吗 呢 吧 啊 我 你 他 她 它 我们 你们 他们 这 那 有 就 也 都 "
    "被 把 对 为 于 从 到 什么 怎么 多少 谁 哪 几 什么时候 时候 如何 哪些 哪个 为什么 "
    "是否 多久 几天 几个 请问 一下 可以 能 要 会 每 个 去 多 不能".split()
)

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Chinese is written without spaces, also beside Latin letters and digits: these end where it begins.
_RUN = rf"[^\W_{_HAN}]+"
_TOKEN = re.compile(
    rf"(?P<han>[{_HAN}]+)"
    rf"|(?P<id>{_RUN}(?:[-_./:@+#]{_RUN})+)"
    rf"|(?P<word>{_RUN}(?:['’]{_RUN})?)"
)
_PARTS = re.compile(r"[-_./:@+#]")
# The same tokens where there are no other letters: most text, in half the time.
_PLAIN_TOKEN = re.compile(r"[a-z0-9]+(?:(?:[-_./:@+#][a-z0-9]+)+|'[a-z0-9]+)?")
_local = threading.local()


def lexemes(text: str) -> list[str]:
    """Every lexeme of the text, in order, stop words left out."""
    return _plain(text) if text.isascii() else list(_all(text))


def content_lexemes(text: str) -> list[str]:
    """The distinct lexemes of a question, in order of first use."""
    return list(dict.fromkeys(lexemes(text)))


def terms(text: str) -> list[tuple[str, ...]]:
    """The distinct words of a question, each as lexemes of which a text must have every one to hold the word.

    Pairs that straddle two Chinese words are lexemes but no words, and a single character tells too little to
    ask for.
    """
    found: list[tuple[str, ...]] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        token = match[0]
        if match.lastgroup == "han":
            found += [_pairs(word) for word in _words(token) if len(word) > 1]
        elif match.lastgroup == "id":
            found.append((token[:LONGEST],))
        elif token not in STOP_WORDS:
            found.append((_stem(token),))
    return list(dict.fromkeys(found))


def han_pairs(text: str) -> list[str]:
    """The overlapping pairs of the text's Chinese runs."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return [pair for match in _TOKEN.finditer(plain) if match.lastgroup == "han" for pair in _pairs(match[0])]


def _words(run: str) -> list[str]:
    """A Chinese run's words but stop words.

    Single characters side by side are one word that the dictionary lacks.
    """
    found: list[str] = []
    joins = False
    for word in rjieba.cut(run):
        if word in STOP_WORDS:
            joins = False
        elif joins and len(word) == 1:
            found[-1] += word
        else:
            found.append(word)
            joins = len(word) == 1
    return found


def _pairs(word: str) -> tuple[str, ...]:
    return tuple(word[start : start + 2] for start in range(len(word) - 1))


def _plain(text: str) -> list[str]:
    found: list[str] = []
    for token in _PLAIN_TOKEN.findall(text.lower()):
        if token in STOP_WORDS:
            continue
        if token.isalnum() or "'" in token:
            found.append(_stem(token))
        else:
            found += _identifier(token)
    return found


def _all(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        token = match[0]
        if match.lastgroup == "han":
            yield from _han(token)
        elif match.lastgroup == "id":
            yield from _identifier(token)
        elif token not in STOP_WORDS:
            yield _stem(token)


def _han(run: str) -> Iterator[str]:
    for word in rjieba.cut(run):
        # Two-character words come again below, as pairs.
        if len(word) != 2 and word not in STOP_WORDS:
            yield word
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _identifier(token: str) -> Iterator[str]:
    yield token[:LONGEST]
    for part in _PARTS.split(token):
        if part not in STOP_WORDS:
            yield _stem(part)


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'")[:LONGEST]))


def _stemmer() -> Stemmer.Stemmer:
    # A Snowball stemmer keeps state while it works, so each thread has its own.
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer
