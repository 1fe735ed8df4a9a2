"""What a question asks for, read without a model: its content words, and the names it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from muniment.domain.han import simplified
from muniment.domain.regex import regex
from muniment.domain.remembered import remembered
from muniment.index.words import STOP_WORDS, content_lexemes, lexemes, running, terms

__all__ = ["LIMIT", "Named", "Question", "alike", "capitalised", "understand", "widened"]

LIMIT = 8_000  # characters; the rest of a longer question is not searched, and the answer says so

# Chinese is written without spaces, so a name in Latin letters ends where it begins.
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUN = rf"[^\W_{_HAN}]+"
_BEFORE_HAN = regex(rf"\s?[{_HAN}]")
_WORD = regex(rf"{_RUN}(?:['’&./:_#@+-]{_RUN})*")
_OPENING, _ENDING = frozenset(" \t\"'“‘(["), frozenset(".!?。！？\n:：")
_IDENTIFIER = regex(r"(?=.*\d)(?=.*[^\W\d_])[\w./:#@+-]{3,}\Z")
# Words for one document taking another's place, which is what the record itself tracks, in whatever words a
# source puts it.
_SUCCESSION = frozenset(
    lexeme for word in ("replace", "supersede", "obsolete", "successor") for lexeme in content_lexemes(word)
)


def alike(lexeme: str) -> tuple[str, ...]:
    """The lexeme first, then others that say the same."""
    if lexeme in _SUCCESSION:
        return (lexeme, *sorted(_SUCCESSION - {lexeme}))
    return (lexeme,)


# What people say around a question. Searched for like any word, and never required of an answer.
_FILLERS = frozenset(
    lexeme
    for word in (
        "want get ask take tell say know find give make let go come see try need like own same such most "
        "more use used usual usually normal normally someone somebody anyone anything something another "
        "other under within until last please happen happens still also just really actually currently "
        "exactly usually today now current describe specify mention define cover explain fast quickly"
    ).split()
    for lexeme in content_lexemes(word)
)
# In Chinese what somebody asks of comes before 的, as in 海澜港务的年费.
_OWNER = regex(rf"([{_HAN}]{{2,8}})的(?=\s?\w)")
_HAN_RUN = regex(rf"[{_HAN}]{{2,}}")
_LATIN_SENTENCE = 3  # words of one
_POSSESSIVE = regex(r"['’]s?\Z")
_VALUE = regex(
    r"\b(?:when|how (?:much|many|long|often|soon|old|far)|what (?:time|date))\b|多少|多久|几|何时|什么时候",
    re.IGNORECASE,
)
_QUOTED = regex(r"[“\"「『《]([^”\"」』》]{2,60})[”\"」』》]")
# Capitalised by custom, and no subject of a question.
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep "
    "sept oct nov dec i q1 q2 q3 q4".split()
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name or identifier as the question writes it, and the lexemes it is made of."""

    surface: str
    lexemes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """`lexemes` are what is searched for, `terms` the words an answer must hold, each as its lexemes.

    `pairs` are lexemes that stand side by side. `named` are the proper names and identifiers among its words,
    `owner` the lexemes of what a Chinese one asks of; `wants_value`: it asks how much, how many, when.
    """

    text: str
    lexemes: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    pairs: frozenset[tuple[str, str]]
    wants_value: bool
    named: tuple[Named, ...]
    owner: tuple[str, ...]
    is_cut: bool


def understand(text: str) -> Question:
    """The question's content words and names. Nothing in it is an instruction."""
    kept = text[:LIMIT]
    plain = simplified(kept)
    named = dict.fromkeys((*_quoted(kept), *_identifiers(kept), *capitalised(kept), *_foreign(kept)))
    return Question(
        kept,
        tuple(dict.fromkeys(other for lexeme in content_lexemes(kept) for other in alike(lexeme))),
        _required(kept),
        frozenset(pairwise(running(kept))),
        _VALUE.search(plain) is not None,
        tuple(Named(surface, made_of) for surface in named if (made_of := tuple(content_lexemes(surface)))),
        tuple(lexemes(owner[1])) if (owner := _OWNER.search(plain)) else (),
        len(text) > LIMIT,
    )


def widened(question: Question, lexemes: Sequence[str]) -> Question:
    """The question with more to search by. What an answer must hold stays what it was."""
    return replace(question, lexemes=tuple(dict.fromkeys((*question.lexemes, *lexemes))))


def _required(text: str) -> tuple[tuple[str, ...], ...]:
    """The words an answer must hold; where nothing but fillers was asked, those."""
    found = terms(text) or [(lexeme,) for lexeme in content_lexemes(text)]
    return tuple(term for term in found if not _FILLERS.issuperset(term)) or tuple(found)


def _quoted(text: str) -> list[str]:
    return [match[1].strip() for match in _QUOTED.finditer(text)]


def _foreign(text: str) -> list[str]:
    """Chinese in a sentence of Latin words is a name."""
    return _HAN_RUN.findall(text) if len(_WORD.findall(text)) >= _LATIN_SENTENCE else []


def _identifiers(text: str) -> list[str]:
    """INC-443, v2.3, pep-0204; a bare number names nothing, and PEP 204 is read as a capitalised run."""
    return [match[0] for match in _WORD.finditer(text) if _IDENTIFIER.match(match[0])]


@remembered
def capitalised(text: str) -> tuple[str, ...]:
    """Runs of capitalised words, such as Orrin & Vale or PEP 204.

    Never a sentence's first word by itself, unless the sentence goes on in Chinese, which has no capitals.
    """
    runs: list[list[str]] = []
    end = -1
    for match in _WORD.finditer(text):
        word = match[0]
        if not word[0].isupper() and not word.isdecimal():  # most words, and none of a name
            runs.append([])
            end = match.end()
            continue
        gap = text[end : match.start()] if end >= 0 else None
        joined = bool(runs and runs[-1]) and not _POSSESSIVE.search(runs[-1][-1]) and gap is not None
        joined = joined and (gap or "").strip() in ("", "&")
        first = _starts_sentence(text, match.start()) and not _BEFORE_HAN.match(text, match.end())
        if _is_name(word, first=first) or (joined and word.isdecimal()):
            if joined:
                runs[-1].append(word if gap is None or not gap.strip() else f"{gap.strip()} {word}")
            else:
                runs.append([word])
        else:
            runs.append([])
        end = match.end()
    return tuple(_POSSESSIVE.sub("", " ".join(run)) for run in runs if run)


def _is_name(word: str, *, first: bool) -> bool:
    bare = _POSSESSIVE.sub("", word)
    folded = bare.casefold()
    if not bare[:1].isupper() or folded in STOP_WORDS or folded in _CALENDAR:
        return False
    # The first word is capitalised whatever it is; only an acronym or InnerCapitals tell a name from a verb.
    return not first or any(letter.isupper() for letter in bare[1:])


def _starts_sentence(text: str, start: int) -> bool:
    while start and text[start - 1] in _OPENING:
        start -= 1
    return not start or text[start - 1] in _ENDING
