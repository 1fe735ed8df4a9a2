"""A question in the organisation's other words for the same things, as far as this reader may know of them.

Each wording is searched as if it had been asked, and a text counts as much as in the wording that suits it
best: having more words for a thing makes nothing about it count for more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from muniment.domain.names import normal_name
from muniment.gate.reader import Reader
from muniment.pages.entities import longest, spans

__all__ = ["MOST", "wordings"]

MOST: Final = 6  # of one question, beside its own


@dataclass(frozen=True, slots=True)
class _Wording:
    name: str
    entry: UUID
    means: str
    names: Sequence[str]

    @property
    def others(self) -> list[str]:
        """The other ways to say it, the meaning first."""
        return [one for one in (self.means, *self.names) if normal_name(one) != self.name]


def wordings(reader: Reader, text: str) -> list[str]:
    """The question in other words, the likeliest first; none where nothing in it has others."""
    if not reader.sight.aliases:
        return []
    asked = sorted({name for _, _, name in spans(normal_name(text))})
    rows = reader.rows(_Wording, "alias", "wordings", names=asked) if asked else []
    others: dict[str, dict[str, None]] = {}
    for row in sorted(rows, key=lambda row: (row.name, normal_name(row.means), list(row.names))):
        others.setdefault(row.name, {}).update(dict.fromkeys(row.others))
    said = [name for _, _, name in longest(span for span in spans(normal_name(text)) if span[2] in others)]
    found = (_reworded(text, said, {name: list(others[name]) for name in said}, turn) for turn in range(MOST))
    return [one for one in dict.fromkeys(found) if one != text] if said else []


def _reworded(text: str, said: Sequence[str], others: dict[str, list[str]], turn: int) -> str:
    """The text with each thing in its words of this turn; what has no more keeps its last."""
    for name in dict.fromkeys(said):
        text = _replaced(text, name, others[name][min(turn, len(others[name]) - 1)])
    return text


def _replaced(text: str, name: str, other: str) -> str:
    pattern = re.compile(r"[\s_]+".join(map(re.escape, name.split(" "))), re.IGNORECASE)
    # A name that is written in another width or case than its own is found in the normal form.
    found = pattern.sub(lambda _: f" {other} ", text)
    return " ".join(
        (found if found != text else pattern.sub(lambda _: f" {other} ", normal_name(text))).split()
    )
