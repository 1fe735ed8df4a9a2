"""What a cue is: words that make a sentence one kind of statement, and the words that unmake it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.domain.assertions import Kind
from muniment.domain.regex import regex

__all__ = ["Cue", "cue"]


@dataclass(frozen=True, slots=True)
class Cue:
    """`triggers` decide cheaply whether `pattern` is worth trying; `unless` holds the hard negatives."""

    kind: Kind
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None


def cue(kind: Kind, triggers: str, pattern: str, unless: str | None = None) -> Cue:
    """Patterns are matched against the lower-case sentence."""
    return Cue(kind, tuple(triggers.split()), regex(pattern), regex(unless) if unless else None)
