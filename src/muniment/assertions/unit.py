"""What a model is shown of an item: one passage in its author's own words, and what the item says of itself.

A pure function of the item version, and free of places: a paragraph that moves is the same unit wherever it
stands, and an edit makes another unit of its own passage alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from muniment.assertions.anchor import own_stretches
from muniment.domain.assertions import Context
from muniment.domain.identity import keyed_digest
from muniment.domain.passages import Passage
from muniment.domain.regex import regex
from muniment.items.passages import normal_text

__all__ = ["Unit", "unit_of"]

_LEAST = 12  # letters and digits, of which a Chinese one counts for three
_WORDY = regex(r"[^\W_]")
_WIDE = regex("[\u2e80-\u9fff]")
_EMPTY = regex(r"\n{3,}")
_GAP = "\n[…]\n"


@dataclass(frozen=True, slots=True)
class Unit:
    """One passage as a model sees it. `text` holds no word that somebody else said."""

    heading: tuple[str, ...]
    speaker: str | None
    text: str
    context: Context

    def digest(self, key: bytes, *more: str) -> bytes:
        """What stands for it, and for whatever else was shown beside it."""
        about = (self.context.account, self.context.project, self.context.service)
        said = (self.context.kind, self.context.title, self.context.author, self.speaker, *about)
        plain = [part or "" for part in said]
        # Not by its line breaks: a text that is wrapped anew says what it said.
        parts = (*plain, str(len(self.heading)), *self.heading, normal_text(self.text))
        return keyed_digest(key, "unit", *parts, *more)

    def shown(self) -> dict[str, object]:
        """Its parts by name, those that there are."""
        context = self.context
        parts: dict[str, object] = {
            "kind": context.kind,
            "title": context.title,
            "account": context.account,
            "project": context.project,
            "service": context.service,
            "headings": list(self.heading),
            "said by": self.speaker or context.author,
            "text": self.text,
        }
        return {name: part for name, part in parts.items() if part}

    def material(self, **more: object) -> str:
        """As JSON, out of which no text can break to pass for instructions of ours."""
        return json.dumps({**self.shown(), **more}, ensure_ascii=False, indent=1)


def unit_of(passage: Passage, context: Context) -> Unit | None:
    """The passage as a unit; None where its author says too little of their own for a statement."""
    own = [passage.text[start:end] for start, end in own_stretches(passage.spans)]
    text = _GAP.join(filter(None, (_tidy(one) for one in own)))
    weight = len(_WORDY.findall(text)) + 2 * len(_WIDE.findall(text))
    return Unit(passage.heading, passage.speaker, text, context) if weight >= _LEAST else None


def _tidy(text: str) -> str:
    """Without the space around lines, and no more than one empty line in a row."""
    return _EMPTY.sub("\n\n", "\n".join(" ".join(line.split()) for line in text.splitlines())).strip()
