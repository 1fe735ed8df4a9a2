"""What a question asks for, read without a model: its content words, and the names it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.index.words import STOP_WORDS, content_lexemes

__all__ = ["LIMIT", "Named", "Question", "understand"]

LIMIT = 8_000  # characters; the rest of a longer question is not searched, and the answer says so

_WORD = re.compile(r"[^\W_]+(?:['’&./:_#@+-][^\W_]+)*")
_IDENTIFIER = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w./:#@+-]{3,}\Z")
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
    """`lexemes` are distinct and in order; `named` are the proper names and identifiers among its words."""

    text: str
    lexemes: tuple[str, ...]
    named: tuple[Named, ...]
    is_cut: bool


def understand(text: str) -> Question:
    """The question's content words and names. Nothing in it is an instruction."""
    kept = text[:LIMIT]
    named = dict.fromkeys((*_quoted(kept), *_identifiers(kept), *_capitalised(kept)))
    return Question(
        kept,
        tuple(content_lexemes(kept)),
        tuple(Named(surface, lexemes) for surface in named if (lexemes := tuple(content_lexemes(surface)))),
        len(text) > LIMIT,
    )


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
        joined = bool(runs and runs[-1]) and gap is not None and gap.strip() in ("", "&")
        if _is_name(word, first=_starts_sentence(text, match.start())) or (joined and word.isdecimal()):
            if joined:
                runs[-1].append(word if gap is None or not gap.strip() else f"{gap.strip()} {word}")
            else:
                runs.append([word])
        else:
            runs.append([])
        end = match.end()
    return [" ".join(run) for run in runs if run]


def _is_name(word: str, *, first: bool) -> bool:
    bare = re.sub(r"['’]s\Z", "", word)
    folded = bare.casefold()
    if not bare[:1].isupper() or folded in STOP_WORDS or folded in _CALENDAR:
        return False
    # The first word is capitalised whatever it is; only an acronym or InnerCapitals tell a name from a verb.
    return not first or any(letter.isupper() for letter in bare[1:])


def _starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'“‘([")
    return not before or before[-1] in ".!?。！？\n:："
