"""Which memories were merged into which, and what speaks against them: nothing of either is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from muniment.lenses.incidents.ledger import Row, text_of, texts_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Merges", "counter_examples", "merges", "root_of"]

MOST_COUNTERS: Final = 3
_LONGEST: Final = 200  # characters of one
Merges = Mapping[str, str]


def merges(reader: Reader) -> Merges:
    """By the name of each memory that was merged, what it was merged into, as far as this reader may know."""
    rows = reader.rows(Row, "incidents", "of_kind", entry="merged")
    return {
        one: into
        for row in rows
        if (into := text_of(row.said.get("into"))) is not None
        for one in texts_of(row.said.get("merged"))
        if one != into
    }


def root_of(merged: Merges, id_: str) -> str:
    """What a memory is told as; a ring of merges is gone round once."""
    gone: set[str] = set()
    while id_ in merged and id_ not in gone:
        gone.add(id_)
        id_ = merged[id_]
    return id_


def counter_examples(reader: Reader, merged: Merges) -> dict[str, list[str]]:
    """By memory, why it did not hold where it was tried: of itself and of what was merged into it."""
    found: dict[str, list[str]] = {}
    for row in reader.rows(Row, "incidents", "of_kind", entry="verdict"):
        target, why = text_of(row.said.get("target")) or "", text_of(row.said.get("text")) or ""
        if target.startswith("h_") and row.said.get("verdict") == "refuted":
            said = f"refuted in {row.said.get('incident')}: {' '.join(why.split())[:_LONGEST]}"
            found.setdefault(root_of(merged, target), []).append(said)
    return {id_: said[-MOST_COUNTERS:] for id_, said in found.items()}
