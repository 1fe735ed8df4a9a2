"""How near episodes are to what is observed, in words and, where a model told it, in meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from muniment.answer.worded import worded
from muniment.context.question import LIMIT
from muniment.context.retrieve import Meaning, retrieve
from muniment.context.search import Filters, search
from muniment.domain.events import ItemRef
from muniment.index.projection import item_uuid

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["nearness"]

_LOOKED_AT: Final = 20


def nearness(reader: Reader, text: str, meaning: Meaning | None) -> dict[str, float]:
    """By the name of each hint: 1 for the nearest, a half for the next, and so on."""
    filters = Filters.read(_LOOKED_AT, "item", "episode", None, None)
    first, *also = (one.question for one in worded(reader, text[:LIMIT], ()))
    found = retrieve(reader, first, meaning, scope=filters.scope(None), reach=filters.reach, also=also)
    places = [(one.source or "", one.item or "", one.rank) for one in search(reader, first, found, filters)]
    return {f"h_{item_uuid(reader.key, ItemRef(source, id_)).hex}": 1 / rank for source, id_, rank in places}
