"""The references of the corpus as the record resolves them, against those the generator wrote.

Read from a reader's rows: a door shows them one node at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from uuid import UUID

import muniment
from evals.ledger.corpus import NOW, SOURCE
from evals.ledger.entries import UNDERWRITER, Document, Ledger
from muniment.claims.items import items_of
from muniment.claims.read import ties_around
from muniment.claims.references import Resolved, references_from
from muniment.domain.events import Body, ItemRef
from muniment.domain.record import PassageRow
from muniment.gate.reader import Reader
from muniment.graph.extract import references
from muniment.graph.referrer import Referrer
from muniment.index.projection import item_uuid
from muniment.items.passages import cut
from muniment.items.text import structure

__all__ = ["Resolution", "resolution"]

_NUMBER = re.compile(r"Rule \d+|\d+\.\d+")
_FIELDS = ("supersedes", "amends", "attaches_to")

Arc = tuple[str, str, str, str]  # document, section, target, its section; sections are empty for front matter


@dataclass(frozen=True, slots=True)
class Resolution:
    """How many of the written references lead where they should, and what reading them took."""

    wanted: int
    documents: int
    right: int
    fields: int
    fields_right: int
    others: int
    characters: int
    seconds: float
    missed: tuple[str, ...]


def resolution(org: muniment.Org, ledger: Ledger) -> Resolution:
    """Every reference that stands in the corpus, as the reader of most of it sees it resolved."""
    standing = [one for one in ledger.documents if not one.is_deleted]
    with org.reader(UNDERWRITER, as_of=NOW)._reading() as reader:
        items = {item_uuid(reader.key, ItemRef(SOURCE, one.id)): one.id for one in standing}
        resolved = references_from(reader, list(items))
        found = set(_arcs(reader, items, resolved))
        ties = {
            ("attaches_to", one.stater.id, one.target.id) for one in resolved if one.kind == "attaches_to"
        }
        ties |= {
            (tie.kind, tie.actor.id, tie.target.id)
            for tie in ties_around(reader, items_of(reader, list(items)))
        }
    wanted = {(one.document, one.section, one.target, one.target_section) for one in ledger.references}
    said = set(_said(standing))
    reached = {(document, section, target) for document, section, target, _ in found}
    missed = sorted(wanted - found)
    return Resolution(
        len(wanted),
        sum(one[:3] in reached for one in wanted),
        len(wanted & found),
        len(said),
        len(said & ties),
        len({one for one in found if one[1]} - wanted),
        sum(len(one.body) for one in standing),
        _seconds(standing),
        tuple(f"{one} → {[arc[2:] for arc in found if arc[:2] == one[:2]]}" for one in missed),
    )


def _said(documents: Iterable[Document]) -> Iterator[tuple[str, str, str]]:
    """What front matter says: that a document supersedes, amends or attaches to another."""
    return (
        (field, one.id, str(one.fields[field]))
        for one in documents
        for field in _FIELDS
        if field in one.fields
    )


def _arcs(reader: Reader, items: Mapping[UUID, str], found: Sequence[Resolved]) -> Iterator[Arc]:
    ends = {place for one in found for place in (one.passage, one.target_passage) if place is not None}
    rows = reader.rows(PassageRow, "reader", "passages_by_id", passages=sorted(ends))
    numbers = {row.passage: _number(row.heading) for row in rows}
    for one in found:
        here = "" if one.passage is None else numbers[one.passage]
        there = "" if one.target_passage is None else numbers[one.target_passage]
        yield items[one.stater.item], here, items.get(one.target.item, "?"), there


def _number(heading: Sequence[str]) -> str:
    match = _NUMBER.match(heading[-1]) if heading else None
    return match[0] if match else "-"


def _seconds(documents: Sequence[Document]) -> float:
    """How long it takes to read every reference from the words of the corpus, cut into passages already."""
    bodies = [
        (ItemRef(SOURCE, one.id), Body("document", one.body, title=one.title, media="text/markdown"))
        for one in documents
    ]
    cuts = [cut(structure("document", body.body, body.media)) for _, body in bodies]
    began = perf_counter()
    for (ref, body), passages in zip(bodies, cuts, strict=True):
        references(passages, Referrer.of(ref, body))
    return perf_counter() - began
