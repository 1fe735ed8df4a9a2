"""An answer with a model's help: what it may do, and that nothing depends on it.

The rules decide the state and what suffices. Where that is *answered*, the model may choose and shorten;
where not, it may give other words to search by, once. It is asked outside any transaction, so the rules then
answer anew in a fresh one, and what is sent is theirs: a sentence the model chose is told only if it still
suffices for this reader at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.answer.asking import asked_for_words, read_words
from muniment.answer.evidence import Evidence
from muniment.answer.wording import Refused, asked_for_wording, pieces_of, read_wording
from muniment.domain.values import Answer
from muniment.models.language import LanguageModel, LanguageModelFailed

__all__ = ["UNAIDED", "Aid", "Draft", "Seat", "aided"]

# Why is for stewards: it may be that others asked too much today.
UNAIDED: Final = "the model that helps with answers did not help with this one; the rules answered alone"

CHOICE: Final = 2  # pieces; of one alone there is nothing to choose


@dataclass(frozen=True, slots=True)
class Seat:
    """A model that somebody waits for, and where a refused reply is counted: by purpose, model and why."""

    model: LanguageModel
    refuse: Callable[[str, str, str], None]


@dataclass(frozen=True, slots=True)
class Aid:
    """What a model gave for one question: lexemes to search by, and sentences to tell."""

    words: tuple[str, ...] = ()
    chosen: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What the rules answer with that aid, what suffices by them, and whether they tell what was chosen."""

    answer: Answer
    evidence: Sequence[Evidence]
    tells_chosen: bool = False


def aided(seat: Seat | None, question: str, draft: Callable[[Aid], Draft]) -> Answer:
    """The rules' answer, with what help the model in the seat gives in time."""
    first = draft(Aid())
    if seat is None:
        return first.answer
    if first.answer.state == "answered":
        return _worded(seat, question, first, draft, Aid())
    words = _words(seat, question)
    if words is None:
        return _unaided(draft(Aid()))
    second = draft(Aid(words))
    if second.answer.state != "answered":
        return second.answer
    return _worded(seat, question, second, draft, Aid(words))


def _worded(seat: Seat, question: str, first: Draft, draft: Callable[[Aid], Draft], aid: Aid) -> Answer:
    pieces = pieces_of(first.evidence)
    if len(pieces) < CHOICE:
        return first.answer
    chosen = _chosen(seat, question, pieces)
    last = draft(replace(aid, chosen=chosen))
    return last.answer if last.tells_chosen else _unaided(last)


def _chosen(seat: Seat, question: str, pieces: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What the model would tell; nothing where it does not answer or may not be believed."""
    try:
        reply = seat.model.complete(asked_for_wording(question, pieces)).text
    except LanguageModelFailed:
        return ()
    match read_wording(reply, pieces):
        case Refused(why=why):
            seat.refuse("answer", seat.model.name, why)
            return ()
        case chosen:
            return chosen


def _words(seat: Seat, question: str) -> tuple[str, ...] | None:
    try:
        reply = seat.model.complete(asked_for_words(question)).text
    except LanguageModelFailed:
        return None
    words = read_words(reply)
    if words is None:
        seat.refuse("query", seat.model.name, "no_json")
    return words


def _unaided(draft: Draft) -> Answer:
    return replace(draft.answer, warnings=(*draft.answer.warnings, UNAIDED))
