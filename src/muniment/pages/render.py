"""A page as Markdown. Every statement carries the numbers of its citations, which are listed at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.claims.claim import Claim
from muniment.domain.record import ItemRow
from muniment.domain.values import Citation, PageClaim, Section
from muniment.pages.markdown import bullet, heading, plain

__all__ = ["MOST_SOURCES", "Sheet", "render"]

MOST_SOURCES = 50
_STANDINGS = {
    "stale": "⚠ stale: its source no longer stands behind it",
    "candidate": "⚠ not in force: its source calls itself a draft",
    "recalled": "⚠ recalled by its source",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that goes on a page: `claims` by public id, `replaced` the items that no longer hold."""

    title: str
    kind: str
    sections: Sequence[Section]
    claims: Mapping[str, Claim]
    items: Sequence[ItemRow]
    replaced: frozenset[ItemRow]
    is_whole: bool


def render(sheet: Sheet) -> str:
    """The page from its title to its citations."""
    numbers = _numbers(sheet.sections)
    lines = [heading(1, plain(sheet.title)), "", plain(sheet.kind)]
    for section in sheet.sections:
        lines += ["", heading(2, section.title), ""]
        lines += [line for claim in section.claims for line in _claim(claim, sheet.claims, numbers)]
    lines += _sources(sheet)
    lines += _citations(sheet.sections, numbers)
    return "\n".join(lines) + "\n"


def _numbers(sections: Sequence[Section]) -> dict[str, int]:
    """Citations in the order in which they are first used."""
    used = [one.id for section in sections for claim in section.claims for one in claim.citations]
    return {citation: number for number, citation in enumerate(dict.fromkeys(used), start=1)}


def _claim(shown: PageClaim, claims: Mapping[str, Claim], numbers: Mapping[str, int]) -> Iterator[str]:
    claim = claims[shown.id]
    marks = "".join(f"[{numbers[one.id]}]" for one in shown.citations)
    yield bullet(" ".join(part for part in (plain(shown.statement), _period(shown), marks) if part))
    if claim.status in _STANDINGS:
        yield bullet(_STANDINGS[claim.status], under=True)
    if claim.status == "superseded" and claim.superseded_by is not None:
        yield bullet(f"superseded by {_other(claim.superseded_by.hex, claims)}", under=True)
    for other in claim.conflicts_with:
        yield bullet(f"⚠ conflicts with {_other(other.hex, claims)}", under=True)


def _other(claim: str, claims: Mapping[str, Claim]) -> str:
    return f"“{plain(claims[claim].statement)}”" if claim in claims else "another claim"


def _period(shown: PageClaim) -> str:
    """The period as its citation tells it, so that a coarse level stays coarse."""
    start, end = shown.citations[0].valid_from, shown.citations[0].valid_to
    if end is not None:
        return f"(until {_day(end)})" if start is None else f"({_day(start)} to {_day(end)})"
    return "" if start is None else f"(since {_day(start)})"


def _day(at: datetime) -> str:
    return at.date().isoformat()


def _sources(sheet: Sheet) -> list[str]:
    if not sheet.items:
        return []
    lines = ["", heading(2, "Sources"), ""]
    lines += [bullet(_source(item, sheet.replaced)) for item in sheet.items[:MOST_SOURCES]]
    left = len(sheet.items) - MOST_SOURCES
    if left > 0:
        lines.append(bullet(f"and {left} more" if sheet.is_whole else f"and {left} or more"))
    return lines


def _source(item: ItemRow, replaced: frozenset[ItemRow]) -> str:
    facts = [plain(f"{item.source}:{item.id}"), item.kind, _day(item.at)]
    facts += ["superseded"] if item in replaced else []
    return f"{plain(item.title or item.id)} ({', '.join(facts)})"


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
