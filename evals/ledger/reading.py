"""A reader without a model: the same rule over whatever it is handed, so that only what is handed differs.

It takes the statement that shares most words with the question, out of those that hold a figure of the kind
asked for or send it elsewhere; passes by documents of other states and lines; follows a reference if the
place it names was handed over too; and takes a change of that place for the figure there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evals.ledger.conditions import Handed, Shown
from evals.ledger.entries import Question
from evals.ledger.plan import LINES, STATES
from muniment.index.words import lexemes
from muniment.items.sentences import sentences

__all__ = ["answer"]

_MARKS = re.compile(r"^(?:> ?)+", re.MULTILINE)
_BLOCKS = re.compile(r"^(#.*)$", re.MULTILINE)
_PLACE = re.compile(r"Section (\d+\.\d+)|(Rule \d+)")
_CHANGES = re.compile(r"\b(?:struck out|replaced|replaces|deleted|now reads)\b")
_MOST_STEPS = 4
_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen"
    "|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?"
)
_FIGURES = {
    "money": re.compile(r"\$\d|\bUSD \d|\bdollars\b"),
    "percent": re.compile(r"\d%|\bpercent\b"),
    **{
        unit: re.compile(rf"(?:\d\)?|\b(?:{_WORDS})) (?:full )?{unit}\b", re.IGNORECASE)
        for unit in ("days", "months", "hours", "years", "claims")
    },
}


@dataclass(frozen=True, slots=True)
class _Statement:
    """One sentence, row or entry of a piece, and the words above it."""

    text: str
    head: str
    piece: Shown

    @property
    def place(self) -> str | None:
        """The number of the place it sends its reader to."""
        match = _PLACE.search(self.text)
        return (match[1] or match[2]) if match else None


def answer(question: Question, wording: str, handed: Handed) -> Handed:
    """What the reader states, as pieces of what it was handed."""
    statements = [one for piece in handed.shown for one in _statements(piece) if _in_scope(one, wording)]
    figure = _figure(question)
    asked = set(lexemes(wording)) - _scope(wording)
    ranked = sorted(
        (one for one in statements if figure.search(one.text) or one.place),
        key=lambda one: -len(asked & set(lexemes(f"{one.head} {one.text}"))),
    )
    stated = [_followed(one, statements, figure) for one in ranked[:1]]
    return replace(handed, shown=tuple(_said(one) for one in stated if one is not None))


def _said(one: _Statement) -> Shown:
    cited = " ".join(sorted(one.piece.documents))
    return replace(one.piece, text=one.text, spans=frozenset([(cited, one.text)]))


def _figure(question: Question) -> re.Pattern[str]:
    """What a figure of the kind asked for looks like: whoever asks knows what they ask for."""
    value = next(gold.value for gold in (*question.must_state, *question.must_not_state) if gold.value)
    return _FIGURES[value.unit or value.kind]


def _statements(piece: Shown) -> Iterator[_Statement]:
    """Sentences, rows and entries, each under the title of its piece and the heading above it."""
    title, _, body = piece.text.partition("\n")
    head = title
    for block in _BLOCKS.split(_MARKS.sub("", body)):
        if block.startswith("#"):
            head = f"{title} {block}"
        else:
            said = (" ".join(block[start:end].split()) for start, end in sentences(block))
            yield from (_Statement(text, head, piece) for text in said)


def _scope(wording: str) -> set[str]:
    names = [*STATES.values(), *(name for name, _ in LINES.values())]
    return {stem for name in names if name.casefold() in wording.casefold() for stem in lexemes(name)}


def _in_scope(one: _Statement, wording: str) -> bool:
    """Whether it is of no other state and no other line than the question's."""
    lines = [name for name, _ in LINES.values()]
    return all(
        any(_names(name, wording) for name in named)
        for every in (list(STATES.values()), lines)
        if (named := [name for name in every if _names(name, one.head)])
    )


def _names(name: str, text: str) -> bool:
    return name.casefold() in text.casefold()


def _followed(one: _Statement, others: Sequence[_Statement], figure: re.Pattern[str]) -> _Statement | None:
    """The statement, what changes it, or the figure at the place it sends to; None if that is not there."""
    at: _Statement | None = one
    for _ in range(_MOST_STEPS):
        if at is None or at.place is None or _CHANGES.search(at.text):
            return at and _changed(at, others)
        at = _at_place(at, others, figure)
    return None


def _at_place(sender: _Statement, others: Sequence[_Statement], figure: re.Pattern[str]) -> _Statement | None:
    """The first statement at the place it sends to that holds a figure or sends on."""
    number = sender.place or ""
    there = (one for one in others if _is_at(one, number) and _is_named(one, sender.text))
    return next((one for one in there if figure.search(one.text) or one.place), None)


def _changed(one: _Statement, others: Sequence[_Statement]) -> _Statement:
    """What says that the figure at the place of this statement is replaced, if anything does."""
    changes = (other for other in others if other.place and _CHANGES.search(other.text))
    return next(
        (other for other in changes if _is_at(one, other.place or "") and _is_named(one, other.text)), one
    )


def _is_at(one: _Statement, number: str) -> bool:
    return re.search(rf"(?<![\d.]){re.escape(number)}(?![\d]|\.\d)", one.head) is not None


def _is_named(one: _Statement, said: str) -> bool:
    """Whether the words name the statement's document, by number or by title."""
    title = one.head.strip("*").split(" › ")[0].split(" · ")[0].strip()
    return any(document in said for document in one.piece.documents) or (title != "" and title in said)
