"""Old against new, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from muniment.domain.regex import regex

__all__ = ["Run", "changed_words"]

_WORD = regex(r"\s+|[A-Za-z0-9À-ɏ]+|.", re.DOTALL)
_MOST = 2_000  # words on each side that are compared: beyond, all that went and all that came


@dataclass(frozen=True, slots=True)
class Run:
    """Some words that stayed, went or came."""

    what: Literal["same", "gone", "new"]
    text: str


def changed_words(before: str, after: str) -> tuple[Run, ...]:
    """What leads from one text to the other. From nothing, nothing is marked as new."""
    if not before or before == after:
        return (Run("same", after),)
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MOST:
        return Run("gone", before), Run("new", after)
    return tuple(_runs(old, new))


def _runs(old: list[str], new: list[str]) -> Iterator[Run]:
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield Run("same", "".join(old[a:b]))
            continue
        if b > a:
            yield Run("gone", "".join(old[a:b]))
        if d > c:
            yield Run("new", "".join(new[c:d]))
