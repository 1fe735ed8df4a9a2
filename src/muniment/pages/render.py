"""A page as Markdown. Every statement carries the numbers of its citations, which are listed at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from muniment.claims.claim import Claim
from muniment.domain.links import PageLink
from muniment.domain.record import ItemRow
from muniment.domain.values import Citation, PageClaim, Section
from muniment.pages.backlinks import MOST_LINKS, PEOPLE, REFERRED, SEE_ALSO, name_of_item
from muniment.pages.entities import Entity
from muniment.pages.highlights import highlights
from muniment.pages.markdown import bullet, heading, link, plain

__all__ = ["MOST_SOURCES", "Sheet", "render"]

MOST_SOURCES = 30
_MOST_NAMES = 10
_STALE = "⚠ stale: its source no longer says so"
_STANDINGS = {
    "candidate": "⚠ not in force: a draft, or not approved yet",
    "recalled": "⚠ recalled by its source",
}
_AT_THE_END = ("cites", "refers to", REFERRED, PEOPLE, SEE_ALSO)


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that goes on a page: `claims` and `due` by public id, `replaced` the items that no longer hold."""

    entity: Entity
    sections: Sequence[Section]
    claims: Mapping[str, Claim]
    due: Mapping[str, datetime]
    items: Sequence[ItemRow]
    replaced: frozenset[ItemRow]
    is_whole: bool
    links: Sequence[PageLink]
    as_of: datetime


def render(sheet: Sheet) -> str:
    """The page from its title to its citations."""
    numbers = _numbers(sheet.sections)
    lines = [heading(1, plain(sheet.entity.title)), "", _head(sheet.entity)]
    lines += _links(sheet, [one.relation for one in sheet.links if one.relation not in _AT_THE_END])
    for section in sheet.sections:
        lines += ["", heading(2, section.title), ""]
        lines += [line for claim in section.claims for line in _claim(claim, sheet, numbers)]
        lines += _more(section.more)
    lines += _timeline(sheet, numbers)
    lines += _links(sheet, _AT_THE_END)
    lines += _sources(sheet)
    lines += _citations(sheet.sections, numbers)
    return "\n".join(lines) + "\n"


def _head(entity: Entity) -> str:
    """What it is, and what else this reader knows it by."""
    known = {entity.title.casefold(), entity.id}
    names = [plain(name) for name in entity.names if name not in known][:_MOST_NAMES]
    return " · ".join([plain(entity.kind), *([f"also called {', '.join(names)}"] if names else [])])


def _numbers(sections: Sequence[Section]) -> dict[str, int]:
    """Citations in the order in which they are first used."""
    used = [one.id for section in sections for claim in section.claims for one in claim.citations]
    return {citation: number for number, citation in enumerate(dict.fromkeys(used), start=1)}


def _claim(shown: PageClaim, sheet: Sheet, numbers: Mapping[str, int]) -> Iterator[str]:
    claim = sheet.claims[shown.id]
    parts = (plain(shown.statement), _period(shown), _due(shown, sheet), _marks(shown, numbers))
    yield bullet(" ".join(part for part in parts if part))
    if claim.status == "stale":
        yield bullet(_stale(claim), under=True)
    if claim.status in _STANDINGS:
        yield bullet(_STANDINGS[claim.status], under=True)
    if claim.status == "superseded" and claim.superseded_by is not None:
        yield bullet(f"superseded by {_other(claim.superseded_by.hex, sheet.claims)}", under=True)
    for other in claim.conflicts_with:
        yield bullet(f"⚠ conflicts with {_other(other.hex, sheet.claims)}", under=True)


def _marks(shown: PageClaim, numbers: Mapping[str, int]) -> str:
    return "".join(f"[{numbers[one.id]}]" for one in shown.citations)


def _stale(claim: Claim) -> str:
    """Why: its words changed at the source, or the source itself is over."""
    best = claim.supports[0]
    if best.row.status == "stale":
        return "⚠ stale: the words it rests on changed at the source, and nobody has confirmed it since"
    status = best.item.status
    return f"⚠ stale: its source is {plain(status)}" if status else _STALE


def _other(claim: str, claims: Mapping[str, Claim]) -> str:
    return f"“{plain(claims[claim].statement)}”" if claim in claims else "another claim"


def _period(shown: PageClaim) -> str:
    """The period as its citation tells it, so that a coarse level stays coarse."""
    start, end = shown.citations[0].valid_from, shown.citations[0].valid_to
    if end is not None:
        return f"(until {_day(end)})" if start is None else f"({_day(start)} to {_day(end)})"
    return "" if start is None else f"(since {_day(start)})"


def _due(shown: PageClaim, sheet: Sheet) -> str:
    """The last day of it. That it passed says nothing of whether it was done."""
    end = sheet.due.get(shown.id)
    if end is None:
        return ""
    return f"(due {_day(end - timedelta(days=1))}{', past' if end <= sheet.as_of else ''})"


def _day(at: datetime) -> str:
    return at.date().isoformat()


def _more(left: int) -> list[str]:
    return [bullet(f"… {left:,} more; search by unit claim finds each")] if left else []


def _timeline(sheet: Sheet, numbers: Mapping[str, int]) -> list[str]:
    shown = {claim.id: claim for section in sheet.sections for claim in section.claims}
    lines = [
        bullet(f"{_day(one.at)} {one.what}: {plain(one.claim.statement)} {_marks(shown[id_], numbers)}")
        for one in highlights(sheet.entity.kind, [sheet.claims[id_] for id_ in shown], sheet.as_of)
        if (id_ := one.claim.id.hex) in shown
    ]
    return ["", heading(2, "Timeline"), "", *lines] if lines else []


def _links(sheet: Sheet, relations: Sequence[str]) -> list[str]:
    """A section for each relation, in the order given."""
    lines: list[str] = []
    for relation in dict.fromkeys(relations):
        found = [one for one in sheet.links if one.relation == relation]
        if found:
            lines += ["", heading(2, relation.capitalize()), "", *(bullet(_link(one)) for one in found)]
            lines += [bullet("… and perhaps more")] if len(found) == MOST_LINKS else []
    return lines


def _link(one: PageLink) -> str:
    title = plain(one.title)
    shown = title if one.path is None else link(title, f"../{one.path}")
    return f"{shown} ({', '.join(plain(part) for part in (one.item, one.kind) if part)})"


def _sources(sheet: Sheet) -> list[str]:
    items = [item for item in sheet.items if item.level == "exact"]  # a level has no source to show
    if not items:
        return []
    lines = ["", heading(2, "Sources"), ""]
    lines += [bullet(_source(item, sheet.replaced)) for item in items[:MOST_SOURCES]]
    left = len(items) - MOST_SOURCES
    if left > 0:
        lines.append(bullet(f"and {left} more" if sheet.is_whole else f"and {left} or more"))
    return lines


def _source(item: ItemRow, replaced: frozenset[ItemRow]) -> str:
    facts = [plain(f"{item.source}:{item.id}"), item.kind, _day(item.at)]
    facts += ["superseded"] if item in replaced else []
    return f"{plain(name_of_item(item))} ({', '.join(facts)})"


def _citations(sections: Sequence[Section], numbers: Mapping[str, int]) -> list[str]:
    cited = {one.id: one for section in sections for claim in section.claims for one in claim.citations}
    if not cited:
        return []
    lines = ["", heading(2, "Citations"), ""]
    return lines + [bullet(f"[{number}] {_citation(cited[id_])}") for id_, number in numbers.items()]


def _citation(citation: Citation) -> str:
    where = citation.source if citation.item is None else f"{citation.source}:{citation.item}"
    when = None if citation.said_at is None else _day(citation.said_at)
    return ", ".join(plain(part) for part in (where, when, citation.said_by) if part)
