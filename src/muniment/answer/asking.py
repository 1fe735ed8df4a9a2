"""Other words for a question, from a model that sees the question alone. Pure.

Whatever it says is only ever searched for: it adds to what is looked through, and to nothing that decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from muniment.index.words import content_lexemes
from muniment.models.language import Prompt

__all__ = ["asked_for_words", "read_words"]

TERMS: Final = 8
LONGEST_TERM: Final = 60  # characters
LEXEMES: Final = 24
LONGEST_REPLY: Final = 4_000
MOST_TOKENS: Final = 200

_INSTRUCTIONS: Final = """\
Somebody searches their organisation's record by words. Give up to 8 words or short phrases that a text
answering their question could use instead of the question's own: synonyms, the usual abbreviation or its long
form, the same in English and in Chinese, the person, thing and period meant. Do not answer the question.
Reply with JSON only, such as {"terms": ["annual leave", "holiday", "年假"]}"""
_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["terms"],
    "properties": {"terms": {"type": "array", "items": {"type": "string"}}},
}


def asked_for_words(question: str) -> Prompt:
    """The request: the question, as data."""
    material = json.dumps({"question": question}, ensure_ascii=False)
    return Prompt("query", "1", _INSTRUCTIONS, material, _SCHEMA, MOST_TOKENS)


def read_words(reply: str) -> tuple[str, ...] | None:
    """What may be searched for besides, each as it is stored; None for what is no reply."""
    if len(reply) > LONGEST_REPLY:
        return None
    try:
        value = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    said = value.get("terms") if isinstance(value, dict) else None
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        return None
    kept = [one for one in said if len(one) <= LONGEST_TERM][:TERMS]
    return tuple(dict.fromkeys(lexeme for one in kept for lexeme in content_lexemes(one)))[:LEXEMES]
