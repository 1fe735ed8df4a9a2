"""Which visible items a text repeats: what a reader hands back is no new evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from muniment.claims.read import items_of
from muniment.domain.record import ItemRow, PassageRow
from muniment.index.words import content_lexemes
from muniment.items.echoes import marks, telling

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["echoed"]

# The text is looked for piece by piece, each overlapping the next by half, so that any run of words stands
# whole in one.
_PIECE, _STEP = 200, 100
_DEPTH = 200  # passages looked at for a piece: one that shares a run of its words is among the best for them


def echoed(reader: Reader, text: str) -> list[ItemRow]:
    """The visible items some run of whose words the text repeats, in whatever version they held it."""
    wanted = telling(text)
    docs = {doc for piece in _pieces(text) for doc in _near(reader, piece)}
    passages = reader.rows(PassageRow, "reader", "passages_by_doc", docs=sorted(docs)) if docs else []
    items = {one.item for one in passages if wanted & marks(one.body)}
    return sorted(items_of(reader, sorted(items)), key=lambda one: one.item)


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, max(len(text) - _STEP, 1), _STEP))


def _near(reader: Reader, piece: str) -> Iterator[int]:
    words = content_lexemes(piece)
    for era in (0, 1) if words else ():
        yield from reader.scores(era, words, limit=_DEPTH).docs.tolist()
