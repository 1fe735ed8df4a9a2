"""A page: the ordered claims about an entity, rendered for one reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.cite import cite_claim, passages_of
from muniment.claims.claim import Claim
from muniment.claims.read import item_periods
from muniment.domain.links import PageLink
from muniment.domain.record import ItemRow, PassageRow
from muniment.domain.values import Citation, Page, PageClaim, PageEntry, Section
from muniment.pages.about import MOST_ITEMS, claims_about, items_about
from muniment.pages.backlinks import links_of
from muniment.pages.changes import changes
from muniment.pages.entities import Entity, all_entities, get_entity
from muniment.pages.explain import explain
from muniment.pages.history import history
from muniment.pages.layout import Laid, lay_out
from muniment.pages.render import MOST_SOURCES, Sheet, render
from muniment.pages.timeline import timeline

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = [
    "changes",
    "cited_conflicts",
    "explain",
    "history",
    "page",
    "page_of",
    "pages",
    "sheet_for_task",
    "timeline",
]

_MOST_CITATIONS = 5


@dataclass(frozen=True, slots=True)
class _Due:
    assertion: UUID
    due: str


@dataclass(frozen=True, slots=True)
class _Listed:
    """What a page lists besides claims."""

    items: Sequence[ItemRow]
    replaced: frozenset[ItemRow]
    links: tuple[PageLink, ...]


_NOTHING = _Listed((), frozenset(), ())


def page(reader: Reader, name: str) -> Page:
    """The page of what this name means to the reader; missing and forbidden are refused alike."""
    entity = get_entity(reader, name)
    items = items_about(reader, entity)
    listed = _Listed(items, _replaced(reader, items), links_of(reader, entity, items))
    return page_of(_sheet(reader, entity, items, listed))


def sheet_for_task(reader: Reader, entity: Entity) -> Sheet:
    """What goes on it without what leads elsewhere: the claims, and the words they rest on."""
    return _sheet(reader, entity, items_about(reader, entity), _NOTHING)


def _sheet(reader: Reader, entity: Entity, items: Sequence[ItemRow], listed: _Listed) -> Sheet:
    claims = claims_about(reader, entity, items)
    due = due_dates(reader, claims)
    laid = lay_out(entity.kind, claims, due, reader.moment.as_of)
    sections = _sections(laid, _quoted(reader, (claim for one in laid for claim in one.shown)))
    return Sheet(
        entity=entity,
        sections=sections,
        claims={claim.id.hex: claim for claim in claims},
        due={claim.hex: day for claim, day in due.items()},
        items=listed.items,
        replaced=listed.replaced,
        is_whole=len(items) < MOST_ITEMS,
        links=listed.links,
        as_of=reader.moment.as_of,
    )


def page_of(sheet: Sheet) -> Page:
    """The page of what goes on it."""
    entity, claims = sheet.entity, sheet.claims.values()
    return Page(
        entity=entity.names[0],
        kind=entity.kind,
        title=entity.title,
        markdown=render(sheet),
        sections=tuple(sheet.sections),
        as_of=sheet.as_of,
        stale=sum(claim.status == "stale" for claim in claims),
        conflicts=len({frozenset({one.id, *one.conflicts_with}) for one in claims if one.conflicts_with}),
        links=tuple(sheet.links),
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


def due_dates(reader: Reader, claims: Iterable[Claim]) -> dict[UUID, datetime]:
    """The end of the day by which each claim's best words say it is due, by the claims' ids."""
    best = {claim.supports[0].row.assertion: claim.id for claim in claims if claim.kind == "commitment"}
    rows = reader.rows(_Due, "pages", "due_dates", assertions=sorted(best)) if best else []
    found: dict[UUID, datetime] = {}
    for row in rows:
        found.setdefault(best[row.assertion], _end_of(row.due))
    return found


def _end_of(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day[:10]), time(), UTC) + timedelta(days=1)


def _quoted(reader: Reader, claims: Iterable[Claim]) -> dict[UUID, PassageRow]:
    return passages_of(reader, (one for claim in claims for one in claim.supports))


def _sections(laid: Iterable[Laid], passages: Mapping[UUID, PassageRow]) -> tuple[Section, ...]:
    """Without the empty ones; a claim without a quote to cite is not shown."""
    found = [Section(one.title, tuple(_cited(one.shown, passages)), one.more) for one in laid]
    return tuple(section for section in found if section.claims)


def _cited(claims: Iterable[Claim], passages: Mapping[UUID, PassageRow]) -> Iterable[PageClaim]:
    for claim in claims:
        citations = cite_claim(claim, passages, limit=_MOST_CITATIONS)
        if citations:
            yield PageClaim(claim.id.hex, claim.statement, claim.status, citations)


def _replaced(reader: Reader, items: Sequence[ItemRow]) -> frozenset[ItemRow]:
    listed = items[:MOST_SOURCES]
    standings = item_periods(reader, listed)
    over = (item for item in listed if standings[item.item].superseded_by is not None)
    return frozenset(item for item in over if not standings[item.item].holds(reader.moment.as_of))
