"""What a model is asked that arranges an answer, and what may be believed of its reply. Pure.

It sees what the rules chose and points to what answers best. The state is not its to decide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.answer.cutting import cut
from muniment.answer.evidence import Evidence
from muniment.models.language import Prompt

__all__ = ["Refused", "asked_for_wording", "pieces_of", "read_wording", "shortened"]

PIECES: Final = 8  # of what suffices by the rules, the best
SENTENCES: Final = 3
LONGEST_PIECE: Final = 1_200  # characters of a sentence that is shown; a longer one is no sentence
LONGEST_REPLY: Final = 20_000  # characters; more was not asked for
MOST_TOKENS: Final = 500

_INSTRUCTIONS: Final = """\
You pick the answer to a question out of numbered pieces of evidence.
- Take the pieces that answer the question best, 3 at most, the most important first. Leave out pieces that do
  not answer it.
- Each sentence is copied from one piece, word for word, and names that piece's id. Add no word, change no
  word, translate nothing.
- You may leave out the beginning or the end of a piece up to a comma or other punctuation, never a condition,
  a limit or a negation.
Reply with JSON only, such as {"sentences": [{"text": "The limit is 180 EUR a night", "evidence": 2}]}"""
_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sentences"],
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "evidence"],
                "properties": {"text": {"type": "string"}, "evidence": {"type": "integer"}},
            },
        }
    },
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A reply that may not be used, and by which gate it was stopped."""

    why: str


def pieces_of(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What a model may choose from: the best of what suffices, no sentence twice."""
    once = {" ".join(one.text.split()).casefold(): one for one in reversed(evidence)}
    kept = [one for one in evidence if once[" ".join(one.text.split()).casefold()] is one]
    return tuple(one for one in kept if len(one.text) <= LONGEST_PIECE)[:PIECES]


def asked_for_wording(question: str, pieces: Sequence[Evidence]) -> Prompt:
    """The request: the question and the pieces, as data."""
    shown = [_shown(number, piece) for number, piece in enumerate(pieces, 1)]
    material = json.dumps({"question": question, "evidence": shown}, ensure_ascii=False, indent=1)
    return Prompt("answer", "1", _INSTRUCTIONS, material, _SCHEMA, MOST_TOKENS)


def _shown(number: int, piece: Evidence) -> dict[str, object]:
    item = piece.candidate.item
    shown: dict[str, object] = {"id": number, "text": " ".join(piece.text.split())}
    if item.level == "exact":
        named = (item.title, item.account, item.project, item.service)
        shown["about"] = [name for name in named if name]
        shown["said"] = item.at.date().isoformat()
    return shown


def read_wording(reply: str, pieces: Sequence[Evidence]) -> tuple[Evidence, ...] | Refused:
    """The stretches of the pieces that the reply points to, in its order."""
    if len(reply) > LONGEST_REPLY:
        return Refused("too_long")
    sentences = _sentences(reply)
    if sentences is None:
        return Refused("no_json")
    if not sentences or len(sentences) > SENTENCES:
        return Refused("too_long" if sentences else "empty")
    found: dict[int, Evidence] = {}
    for text, number in sentences:
        if not 1 <= number <= len(pieces):
            return Refused("uncited")
        piece = pieces[number - 1]
        match cut(piece.text, text):
            case str() as why:
                return Refused(why)
            case span:
                found.setdefault(number, shortened(piece, span))
    return tuple(found.values())


def shortened(piece: Evidence, span: tuple[int, int]) -> Evidence:
    """A stretch of a piece, by characters of its text, with the mark that closes it."""
    start, end = span
    closing = piece.text[end:].strip()
    return replace(
        piece, start=piece.start + start, end=piece.end if len(closing) == 1 else piece.start + end
    )


def _sentences(reply: str) -> list[tuple[str, int]] | None:
    """Text and piece of each sentence; None for what is not in the form that was asked for."""
    try:
        value = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    said = value.get("sentences") if isinstance(value, dict) else None
    if not isinstance(said, list):
        return None
    found = [_sentence(one) for one in said]
    return None if None in found else [one for one in found if one is not None]


def _sentence(one: object) -> tuple[str, int] | None:
    match one:
        case {"text": str(text), "evidence": int(number)} if not isinstance(number, bool):
            return text, number
    return None
