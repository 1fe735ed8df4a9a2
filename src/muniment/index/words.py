"""Text to lexemes: one way for what is stored and what is asked.

English words are stemmed (Snowball), identifiers such as INC-443 are kept whole beside their parts, Chinese
runs become dictionary words and overlapping pairs, so that a term the dictionary lacks is still found. Other
scripts without spaces become pairs alone. Width, case and the script of Chinese are folded, and numbers and
dates get one form beside their words.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

import Stemmer

from muniment.domain.han import simplified
from muniment.domain.regex import regex
from muniment.domain.remembered import forgettable, remembered
from muniment.index.figures import figures, has_figures, numbers

__all__ = ["STOP_WORDS", "content_lexemes", "han_pairs", "lexemes", "running", "terms"]

LONGEST = 64  # characters; longer runs are hashes or noise, and keep their first 64
_KEPT = 200_000  # tokens whose lexemes are remembered
_WORD = 12  # characters; a longer run of letters without spaces is several words

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

_HAN = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
# Kana, Hangul, Thai, Lao, Myanmar and Khmer: no spaces between words, or words that endings grow on to. Their
# vowel signs belong to them.
_JOINED = (
    r"\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u31f0-\u31ff\uac00-\ud7a3\u1100-\u11ff\u0e01-\u0e3a\u0e40-\u0e4e"
    r"\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
)
# Signs that stand inside words of Indic and other scripts and are no letters by themselves.
_SIGNS = (
    r"\u0300-\u036f\u0483-\u0487\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd"
    r"\u0a01-\u0a4d"
    r"\u0a81-\u0acd\u0b01-\u0b4d\u0b82-\u0bcd\u0c00-\u0c4d\u0c81-\u0ccd\u0d00-\u0d4d"
)
# Vowel points and stretching that readers of Hebrew and Arabic leave out as often as not.
_POINTS = regex(r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_EMOJI = (
    r"[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\u2600-\u27bf\U0001f300-\U0001f3fa\U0001f400-\U0001f64f\U0001f680-\U0001faff]"
)
# Chinese is written without spaces, also beside Latin letters and digits: these end where it begins.
_RUN = rf"[^\W_{_HAN}{_JOINED}]+"


def _tokens(run: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<han>[{_HAN}]+)"
        rf"|(?P<id>{run}(?:[-_./:@+#]{run})+)"
        rf"|(?P<word>{run}(?:['’]{run})?)"
        rf"|(?P<joined>[{_JOINED}]+)"
        rf"|(?P<emoji>{_EMOJI})"
    )


_TOKEN = _tokens(_RUN)
_SIGNED = regex(f"[{_SIGNS}]")
_SIGNED_TOKEN = _tokens(rf"(?:{_RUN}(?:[{_SIGNS}]+{_RUN})*[{_SIGNS}]*)")
_PARTS = regex(r"[-_./:@+#]")
# The same tokens where there are no other letters: most text, in half the time.
_PLAIN_TOKEN = regex(r"[a-z0-9]++(?:(?:[-_./:@+#][a-z0-9]++)++|'[a-z0-9]++)?+")
_local = threading.local()


def lexemes(text: str) -> list[str]:
    """Every lexeme of the text in order, but stop words; after them its figures in their normal form."""
    return list(_lexemes(text))


@remembered
def _lexemes(text: str) -> tuple[str, ...]:
    plain = _folded(text)
    found = _running(plain)
    return tuple(found + figures(plain) if has_figures(plain) else found)


def running(text: str) -> list[str]:
    """The lexemes that stand in the text itself, so that a quotation has a run of its source's."""
    return _running(_folded(text))


def _running(plain: str) -> list[str]:
    if plain.isascii():
        return list(chain.from_iterable(map(_KNOWN.__getitem__, _PLAIN_TOKEN.findall(plain))))
    found: list[str] = []
    for match in _split(plain):
        found += _READINGS[match.lastgroup or "word"](match[0])
    return found


def _split(plain: str) -> Iterator[re.Match[str]]:
    return (_SIGNED_TOKEN if _SIGNED.search(plain) else _TOKEN).finditer(plain)


def _folded(text: str) -> str:
    """One width, one case, one script of Chinese, and no points."""
    if text.isascii():
        return text.lower()
    plain = simplified(unicodedata.normalize("NFKC", text).casefold())
    return _POINTS.sub("", plain) if _POINTS.search(plain) else plain


def content_lexemes(text: str) -> list[str]:
    """The distinct lexemes of a question, in order of first use."""
    return list(dict.fromkeys(lexemes(text)))


def terms(text: str) -> list[tuple[str, ...]]:
    """The distinct words of a question, each as lexemes of which a text must have every one to hold the word.

    Pairs that straddle two Chinese words are lexemes but no words, and a single character tells too little to
    ask for. A number is asked for in its normal form.
    """
    plain = _folded(text)
    found: list[tuple[str, ...]] = []
    at = 0
    for figure in numbers(plain):
        if figure.start >= at:
            found += [*_terms(plain[at : figure.start]), figure.forms]
            at = figure.end
    return list(dict.fromkeys([*found, *_terms(plain[at:])]))


def _terms(plain: str) -> Iterator[tuple[str, ...]]:
    for match in _split(plain):
        token = match[0]
        if match.lastgroup == "han":
            yield from (_pairs(word) for word in _words(token) if len(word) > 1)
        elif match.lastgroup == "joined":
            yield from [_pairs(token)] if len(token) > 1 else []
        elif match.lastgroup == "id":
            yield (token[:LONGEST],)
        elif match.lastgroup == "word" and token not in STOP_WORDS:
            yield (_stem(token),)


def han_pairs(text: str) -> list[str]:
    """The overlapping pairs of the text's Chinese runs."""
    plain = _folded(text)
    return [pair for match in _split(plain) if match.lastgroup == "han" for pair in _pairs(match[0])]


def _words(run: str) -> list[str]:
    """A Chinese run's words but stop words.

    Single characters side by side are one word that the dictionary lacks.
    """
    found: list[str] = []
    joins = False
    for word in _cut(run):
        if word in STOP_WORDS:
            joins = False
        elif joins and len(word) == 1:
            found[-1] += word
        else:
            found.append(word)
            joins = len(word) == 1
    return found


def _cut(run: str) -> list[str]:
    import rjieba  # noqa: PLC0415  # its dictionary takes a fifth of a second, and many questions are not Chinese

    return rjieba.cut(run)


def _pairs(word: str) -> tuple[str, ...]:
    return tuple([word[start : start + 2] for start in range(len(word) - 1)])


def _han(run: str) -> list[str]:
    # Two-character words come again below, as pairs.
    found = [word for word in _cut(run) if len(word) != 2 and word not in STOP_WORDS]
    return [*found, *_pairs(run)]


def _joined(run: str) -> list[str]:
    """The run itself as far as it may be a word, and its pairs."""
    return [*([run] if len(run) != 2 and len(run) <= _WORD else ()), *_pairs(run)]


def _emoji(sign: str) -> list[str]:
    return [sign]


def _latin(token: str) -> tuple[str, ...]:
    """A word's stem, or an identifier whole and in its parts; nothing of a stop word."""
    if token in STOP_WORDS:
        return ()
    parts = _PARTS.split(token)
    if len(parts) == 1:
        return (_stem(token),)
    return (token[:LONGEST], *chain.from_iterable(map(_KNOWN.__getitem__, parts)))


class _Known(dict[str, tuple[str, ...]]):
    """Lexemes of the tokens met so far; what is long comes once and is not kept."""

    def cache_clear(self) -> None:
        """Forget every token."""
        self.clear()

    def __missing__(self, token: str) -> tuple[str, ...]:
        found = _latin(token)
        if len(token) <= LONGEST:
            if len(self) >= _KEPT:
                self.clear()
            self[token] = found
        return found


_KNOWN = forgettable(_Known())


_READINGS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "han": _han,
    "joined": _joined,
    "emoji": _emoji,
    "word": _KNOWN.__getitem__,
    "id": _KNOWN.__getitem__,
}


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'")[:LONGEST]))


def _stemmer() -> Stemmer.Stemmer:
    # A Snowball stemmer keeps state while it works, so each thread has its own.
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer
