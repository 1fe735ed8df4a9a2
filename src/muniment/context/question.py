"""What a question asks for, read without a model: its content words, and the names it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.index.words import STOP_WORDS, content_lexemes, terms

__all__ = ["LIMIT", "Named", "Question", "understand"]

LIMIT = 8_000  # characters; the rest of a longer question is not searched, and the answer says so

_WORD = re.compile(r"[^\W_]+(?:['’&./:_#@+-][^\W_]+)*")
_IDENTIFIER = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w./:#@+-]{3,}\Z")
# What people say around a question. Searched for like any word, and never required of an answer.
_FILLERS = frozenset(
    lexeme
    for word in "want get ask take tell say know find give make let go come see try need like own same such most more use used "
    "usual usually normal normally someone somebody anyone anything something another other under within until last "
    "please happen happens still also just really actually currently exactly usually allowed able".split()
    for lexeme in content_lexemes(word)
)
_POSSESSIVE = re.compile(r"['’]s?\Z")
_VALUE = re.compile(r"\b(?:when|how (?:much|many|long|often|soon|old|far)|what (?:time|date))\b|多少|多久|几|何时|什么时候", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"「『《]([^”\"」』》]{2,60})[”\"」』》]")
# Capitalised by custom, and no subject of a question.
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec i q1 q2 q3 q4".split()
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name or identifier as the question writes it, and the lexemes it is made of."""

    surface: str
    lexemes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """`lexemes` are what is searched for, `terms` the words an answer must hold, each as its lexemes.

    `named` are the proper names and identifiers among its words; `wants_value`: it asks how much, how many, when.
    """

    text: str
    lexemes: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    wants_value: bool
    named: tuple[Named, ...]
    is_cut: bool


def understand(text: str) -> Question:
    """The question's content words and names. Nothing in it is an instruction."""
    kept = text[:LIMIT]
    named = dict.fromkeys((*_quoted(kept), *_identifiers(kept), *_capitalised(kept)))
    return Question(
        kept,
        tuple(content_lexemes(kept)),
        _required(kept),
        _VALUE.search(kept) is not None,
        tuple(Named(surface, lexemes) for surface in named if (lexemes := tuple(content_lexemes(surface)))),
        len(text) > LIMIT,
    )


def _required(text: str) -> tuple[tuple[str, ...], ...]:
    """The words an answer must hold; where nothing but fillers was asked, those."""
    found = terms(text) or [(lexeme,) for lexeme in content_lexemes(text)]
    return tuple(term for term in found if not _FILLERS.issuperset(term)) or tuple(found)


def _quoted(text: str) -> list[str]:
    return [match[1].strip() for match in _QUOTED.finditer(text)]


def _identifiers(text: str) -> list[str]:
    """INC-443, v2.3, pep-0204; a bare number names nothing, and PEP 204 is read as a capitalised run."""
    return [match[0] for match in _WORD.finditer(text) if _IDENTIFIER.match(match[0])]


def _capitalised(text: str) -> list[str]:
    """Runs of capitalised words, such as Orrin & Vale or PEP 204; not the first word of a sentence by itself."""
    runs: list[list[str]] = []
    end = -1
    for match in _WORD.finditer(text):
        word, gap = match[0], text[end : match.start()] if end >= 0 else None
        joined = bool(runs and runs[-1]) and not _POSSESSIVE.search(runs[-1][-1]) and gap is not None
        joined = joined and (gap or "").strip() in ("", "&")
        if _is_name(word, first=_starts_sentence(text, match.start())) or (joined and word.isdecimal()):
            if joined:
                runs[-1].append(word if gap is None or not gap.strip() else f"{gap.strip()} {word}")
            else:
                runs.append([word])
        else:
            runs.append([])
        end = match.end()
    return [_POSSESSIVE.sub("", " ".join(run)) for run in runs if run]


def _is_name(word: str, *, first: bool) -> bool:
    bare = _POSSESSIVE.sub("", word)
    folded = bare.casefold()
    if not bare[:1].isupper() or folded in STOP_WORDS or folded in _CALENDAR:
        return False
    # The first word is capitalised whatever it is; only an acronym or InnerCapitals tell a name from a verb.
    return not first or any(letter.isupper() for letter in bare[1:])


def _starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'“‘([")
    return not before or before[-1] in ".!?。！？\n:："
