"""What one visible item says of another: edges and resolved references, both ways, with their proof."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.references import Resolved, references_from, references_to, resolved
from muniment.claims.ties import obeyed
from muniment.domain.graph import INVERSES
from muniment.domain.record import EdgeRow, ItemRow, PassageRow
from muniment.domain.references import HandleRow, ReferenceRow
from muniment.graph.sections import section_keys
from muniment.pages.nodes import shown_items

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_LINKS", "Link", "links_around", "links_from", "links_to"]

MOST_LINKS = 20_000  # read around the nodes of one step; whoever has more is told that there is more

_MOST_LEADS = 200  # that evidence is followed by: there is no need to have them all

_TIES = frozenset(("supersedes", "amends"))
_STATED = ("supersedes", "amends", "derived_from", "attaches_to", "refers_to", "cites")
# What a whole item does to another, wherever it says so; the rest leads from the passage that says it.
_WHOLE = frozenset(("supersedes", "amends", "attaches_to", "derived_from"))


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of `kind` between two items, or passages of them, and the passage that proves it.

    `is_claimed`: a tie whose stater has no authority over the target. It is shown, and obeyed by nothing.
    """

    kind: str
    start: ItemRow
    end: ItemRow
    start_passage: UUID | None = None
    end_passage: UUID | None = None
    proof: UUID | None = None
    is_claimed: bool = False


@dataclass(frozen=True, slots=True)
class _Said:
    """One edge row: which item states it about which."""

    stater: UUID
    target: UUID
    kind: str
    inverse: bool
    passage: UUID | None


def links_around(reader: Reader, items: Sequence[ItemRow], edges: Collection[str]) -> tuple[list[Link], bool]:
    """The links of these kinds or inverses around the items, and whether that is all of them."""
    kinds = [kind for kind in _STATED if kind in edges or INVERSES[kind] in edges]
    if not items or not kinds:
        return [], True
    stated = _stated(reader, items, kinds, MOST_LINKS + 1)
    referred = [one for one in _referred(reader, items) if one.kind in kinds]
    found = _links((*referred[:MOST_LINKS], *stated[:MOST_LINKS]))
    # What a text proves is told with its proof, though a field beside it says the same.
    proved = sorted(_in_force(found, reader), key=lambda one: one.proof is None)
    return proved, len(stated) <= MOST_LINKS and len(referred) <= MOST_LINKS


def links_from(reader: Reader, items: Sequence[ItemRow], passages: Collection[UUID]) -> list[Link]:
    """What these passages and their items' fields lead on to, and what belongs to the items; a few."""
    if not reader.sight.references and not reader.sight.ties:
        return []
    rows = _referring(reader, items, passages) if reader.sight.references else []
    found = (one for _, one in resolved(reader, rows) if one is not None)
    exact = [one for one in found if one.stater.level == one.target.level == "exact"]
    stated = _stated(reader, items, ["amends"], _MOST_LEADS) if reader.sight.ties else []
    return list(_links((*exact, *stated)))


def _referring(reader: Reader, items: Sequence[ItemRow], passages: Collection[UUID]) -> list[ReferenceRow]:
    values = {"items": [item.item for item in items], "passages": sorted(passages), "limit": _MOST_LEADS}
    return reader.rows(ReferenceRow, "pages", "references_of_passages", **values) + _attached(reader, items)


def links_to(reader: Reader, items: Sequence[ItemRow], passages: Sequence[PassageRow]) -> list[Link]:
    """What names the sections of these items in which the passages stand; a few."""
    if not reader.sight.references:
        return []
    sections = frozenset[str]().union(
        *(section_keys(title) for one in passages for title in one.heading[-1:])
    )
    if not sections:
        return []
    called = reader.rows(HandleRow, "references", "handles_of_items", items=[item.item for item in items])
    values = {"sections": sorted(sections), "limit": _MOST_LEADS}
    names = sorted({one.name for one in called})
    rows = reader.rows(ReferenceRow, "pages", "references_to_sections", names=names, **values)
    rows += _of_amending(reader, items, sections)
    found = (one for _, one in resolved(reader, rows) if one is not None)
    wanted = {one.passage for one in passages}
    exact = (one for one in found if one.stater.level == one.target.level == "exact")
    return list(_links(one for one in exact if one.target_passage in wanted))


def _of_amending(reader: Reader, items: Sequence[ItemRow], sections: Collection[str]) -> list[ReferenceRow]:
    """What the texts that amend these say of sections without a text."""
    amending = {one.stater.item for one in _stated(reader, items, ["amends"], _MOST_LEADS)}
    values = {"items": sorted(amending), "sections": sorted(sections), "limit": _MOST_LEADS}
    return reader.rows(ReferenceRow, "pages", "sections_of_items", **values) if amending else []


def _attached(reader: Reader, items: Sequence[ItemRow]) -> list[ReferenceRow]:
    called = reader.rows(HandleRow, "references", "handles_of_items", items=[item.item for item in items])
    values = {"names": sorted({one.name for one in called}), "limit": _MOST_LEADS}
    return reader.rows(ReferenceRow, "pages", "attachments_by_name", **values) if called else []


def _stated(reader: Reader, items: Sequence[ItemRow], kinds: Sequence[str], limit: int) -> list[Resolved]:
    """What fields say, as references without a section."""
    wanted = [item.item for item in items]
    values = {"items": wanted, "kinds": list(kinds), "limit": limit}
    rows = reader.rows(_Said, "pages", "links_of_items", **values)
    known = {item.item: item for item in items}
    missing = {end for row in rows for end in (row.stater, row.target)} - known.keys()
    known |= {item.item: item for item in shown_items(reader, missing)}
    return [
        Resolved(row.kind, row.inverse, known[row.stater], known[row.target], row.passage, None)
        for row in rows
        if row.stater in known and row.target in known and row.stater != row.target
    ]


def _referred(reader: Reader, items: Sequence[ItemRow]) -> list[Resolved]:
    """What texts say, from these items and about them."""
    wanted = {item.item for item in items}
    found = dict.fromkeys((*references_from(reader, wanted), *references_to(reader, wanted)))
    return [one for one in found if one.stater.level == one.target.level == "exact"]


def _links(said: Iterable[Resolved]) -> Iterator[Link]:
    for one in said:
        where = None if one.kind in _WHOLE else one.passage
        ends = (one.stater, where), (one.target, one.target_passage)
        (start, start_passage), (end, end_passage) = ends[::-1] if one.inverse else ends
        if one.kind in _WHOLE:
            start_passage = None
        yield Link(one.kind, start, end, start_passage, end_passage, one.passage, _is_claimed(one))


def _is_claimed(said: Resolved) -> bool:
    if said.kind not in _TIES:
        return False
    edge = EdgeRow(said.stater.item, said.kind, said.target.source, said.target.id, said.inverse)
    return not obeyed([edge], (said.stater, said.target))


def _in_force(links: Iterable[Link], reader: Reader) -> list[Link]:
    """Without ties that take effect only after the instant asked about."""
    as_of = reader.moment.as_of
    return [one for one in links if one.kind not in _TIES or _since(one.start) <= as_of]


def _since(actor: ItemRow) -> datetime:
    return actor.valid_from or actor.created_at
