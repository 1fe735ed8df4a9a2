"""A page: the ordered claims about an entity, rendered for one reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_claim, passages_of
from muniment.claims.claim import Claim, holds
from muniment.claims.read import item_periods
from muniment.domain.assertions import Kind
from muniment.domain.record import ItemRow, PassageRow
from muniment.domain.values import Citation, Page, PageClaim, PageEntry, Section
from muniment.pages.about import MOST_ITEMS, claims_about, items_about
from muniment.pages.entities import Entity, all_entities, get_entity
from muniment.pages.explain import explain
from muniment.pages.history import history
from muniment.pages.render import MOST_SOURCES, Sheet, render
from muniment.pages.timeline import timeline

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["cited_conflicts", "explain", "history", "page", "pages", "timeline"]

_MOST_CITATIONS = 5
_TITLES = {
    Kind.POLICY: "Policies",
    Kind.DECISION: "Decisions",
    Kind.FACT: "Facts",
    Kind.COMMITMENT: "Commitments",
    Kind.OBJECTION: "Objections",
    Kind.SENSITIVITY: "Sensitivities",
    Kind.ARRANGEMENT: "Arrangements",
    Kind.PREFERENCE: "Preferences",
    Kind.PROCEDURE: "Procedures",
    Kind.ROOT_CAUSE: "Root causes",
    Kind.ATTEMPT: "Attempts",
    Kind.PITFALL: "Pitfalls",
    Kind.QUESTION: "Questions",
    Kind.OBSERVATION: "Observations",
}
_RECALLED, _UPCOMING, _HISTORY = "Recalled", "Upcoming", "History"
_ORDER = (*_TITLES.values(), _UPCOMING, _RECALLED, _HISTORY)


def page(reader: Reader, name: str) -> Page:
    """The page of what this name means to the reader; missing and forbidden are refused alike."""
    entity = get_entity(reader, name)
    items = items_about(reader, entity)
    claims = claims_about(reader, entity, items)
    as_of = reader.moment.as_of
    sections = _sections(claims, _quoted(reader, claims), as_of)
    return Page(
        entity=entity.names[0],
        kind=entity.kind,
        title=entity.title,
        markdown=render(_sheet(reader, entity, items, claims, sections)),
        sections=sections,
        as_of=as_of,
        stale=sum(claim.status == "stale" for claim in claims),
        conflicts=len({frozenset({one.id, *one.conflicts_with}) for one in claims if one.conflicts_with}),
    )


def pages(reader: Reader) -> tuple[PageEntry, ...]:
    """Every entity this reader can open a page of, by title."""
    return tuple(PageEntry(one.names[0], one.kind, one.title) for one in all_entities(reader))


def cited_conflicts(reader: Reader, groups: Iterable[Sequence[Claim]]) -> list[tuple[Citation, ...]]:
    """Each contradiction as the best citation of each of its sides."""
    groups = list(groups)
    passages = _quoted(reader, [claim for group in groups for claim in group])
    return [
        tuple(citation for claim in group for citation in cite_claim(claim, passages, limit=1))
        for group in groups
    ]


def _quoted(reader: Reader, claims: Iterable[Claim]) -> dict[UUID, PassageRow]:
    return passages_of(reader, (one for claim in claims for one in claim.supports))


def _sections(
    claims: Sequence[Claim], passages: Mapping[UUID, PassageRow], as_of: datetime
) -> tuple[Section, ...]:
    """Sections in their fixed order, without the empty ones; a claim without a quote to cite is not shown."""
    found: dict[str, list[PageClaim]] = {title: [] for title in _ORDER}
    for claim in sorted(claims, key=_place):
        citations = cite_claim(claim, passages, limit=_MOST_CITATIONS)
        if citations:
            shown = PageClaim(claim.id.hex, claim.statement, claim.status, citations)
            found[_section(claim, as_of)].append(shown)
    return tuple(Section(title, tuple(shown)) for title, shown in found.items() if shown)


def _section(claim: Claim, as_of: datetime) -> str:
    if claim.status == "recalled":
        return _RECALLED
    if holds(claim, as_of):
        return _TITLES[Kind(claim.kind)]
    ended = claim.valid_to is not None and claim.valid_to <= as_of
    return _HISTORY if ended else _UPCOMING


def _place(claim: Claim) -> tuple[bool, float, tuple[str, ...], str, str]:
    """Slots before loose words, what took effect last first; what has no beginning comes after what has."""
    newest = float("inf") if claim.valid_from is None else -claim.valid_from.timestamp()
    slot = claim.slot
    about = () if slot is None else (slot.entity, slot.attribute, slot.qualifier or "")
    return (slot is None, newest, about, claim.statement, claim.id.hex)


def _sheet(
    reader: Reader,
    entity: Entity,
    items: Sequence[ItemRow],
    claims: Sequence[Claim],
    sections: Sequence[Section],
) -> Sheet:
    standings = item_periods(reader, items[:MOST_SOURCES])
    replaced = frozenset(
        item
        for item in items[:MOST_SOURCES]
        if standings[item.item].superseded_by is not None
        and not standings[item.item].holds(reader.moment.as_of)
    )
    return Sheet(
        title=entity.title,
        kind=entity.kind,
        sections=sections,
        claims={claim.id.hex: claim for claim in claims},
        items=items,
        replaced=replaced,
        is_whole=len(items) < MOST_ITEMS,
    )
