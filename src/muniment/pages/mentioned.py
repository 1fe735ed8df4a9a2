"""Visible items that speak of an entity: by an edge to one of its items, or by name in their own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.read import items_of
from muniment.domain.names import normal_name
from muniment.domain.passages import Origin
from muniment.domain.record import ItemRow, PassageRow, VersionRow
from muniment.domain.regex import regex
from muniment.index.words import lexemes
from muniment.pages.entities import Entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["LOOKED_THROUGH", "speaking_of"]

LOOKED_THROUGH = 60  # passages a name is looked for in: those in which its words weigh most
_NAMES = 6  # names of one entity that are looked for
_SHORTEST = 2
_EDGES = 200
_HEX_ID = regex(r"[0-9a-f]{32}")
_HAN = regex("[\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class _Leading:
    item: UUID


def speaking_of(reader: Reader, entity: Entity, about: Sequence[ItemRow]) -> list[ItemRow]:
    """The newest first, without those that are about it. Levels have no place to point to."""
    found = _leading_to(reader, about) | _naming(reader, entity)
    others = items_of(reader, sorted(found - {item.item for item in about}))
    shown = [item for item in others if item.level == "exact"]
    return sorted(shown, key=lambda item: (-item.at.timestamp(), item.source, item.id))


def _leading_to(reader: Reader, about: Sequence[ItemRow]) -> set[UUID]:
    exact = [item for item in about if item.level == "exact"]
    if not exact:
        return set()
    named = {"sources": [item.source for item in exact], "ids": [item.id for item in exact]}
    return {row.item for row in reader.rows(_Leading, "pages", "items_leading_to", **named, limit=_EDGES)}


def _naming(reader: Reader, entity: Entity) -> set[UUID]:
    names = [name for name in dict.fromkeys((normal_name(entity.title), *entity.names)) if _tells(name)]
    docs = sorted({doc for name in names[:_NAMES] for doc in _docs(reader, name)})
    rows = reader.rows(PassageRow, "reader", "passages_by_doc", docs=docs) if docs else []
    wanted = _pattern(names[:_NAMES])
    titled = {item.item for item in items_of(reader, {row.item for row in rows}) if _titled(item, wanted)}
    naming = [row for row in rows if wanted.search(normal_name(_own(row)))]
    return titled | {row.item for row in _held(reader, naming)}


def _titled(item: ItemRow, wanted: re.Pattern[str]) -> bool:
    return item.title is not None and wanted.search(normal_name(item.title)) is not None


def _tells(name: str) -> bool:
    return len(name) >= _SHORTEST and not _HEX_ID.fullmatch(name)


def _docs(reader: Reader, name: str) -> list[int]:
    words = lexemes(name)
    eras = (0,) if reader.moment.known_at is None else (0, 1)
    found: list[int] = []
    for era in eras if words else ():
        found += reader.scores(era, words, limit=LOOKED_THROUGH).docs.tolist()[:LOOKED_THROUGH]
    return found


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names as whole words; writing without gaps has no words to be whole."""
    return re.compile("|".join(_whole(name) for name in names) or r"(?!)")


def _whole(name: str) -> str:
    before = "" if _HAN.match(name[0]) else r"(?<![^\W_])(?<![^\W_][-./#])"
    after = "" if _HAN.match(name[-1]) else r"(?![^\W_])(?![-./][^\W_])"
    return f"{before}{re.escape(name)}{after}"


def _own(passage: PassageRow) -> str:
    """The words that are the author's own: who quotes a name does not speak of it."""
    if not passage.spans:
        return passage.body
    spans = ((int(str(start)), int(str(end)), origin) for start, end, origin in passage.spans)
    return "\n".join(passage.body[start:end] for start, end, origin in spans if origin == Origin.OWN)


def _held(reader: Reader, passages: Sequence[PassageRow]) -> list[PassageRow]:
    """Those that the version of the moment has: a name that was edited in later was not there then."""
    limit = reader.moment.known_at
    if limit is None or not passages:
        return list(passages)
    items = sorted({row.item for row in passages})
    versions = reader.rows(VersionRow, "reader", "versions_of_items", items=items)
    held = {passage for row in versions if _is_held(row, limit) for passage in row.passages}
    return [row for row in passages if row.passage in held]


def _is_held(row: VersionRow, limit: datetime) -> bool:
    if row.known_from is None or limit < row.known_from:
        return False
    return row.known_to is None or limit < row.known_to
