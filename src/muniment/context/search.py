"""Search results: one hit a unit, filtered over visible rows before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.claims.cite import cite_claim, cite_passage, passages_of, quote_of
from muniment.claims.claim import Claim
from muniment.claims.read import claims_of_items
from muniment.context.retrieve import Candidate, Found, Scope
from muniment.domain.errors import Usage
from muniment.domain.record import MentionRow, NameRow
from muniment.domain.times import parse_day_or_instant
from muniment.domain.values import Hit
from muniment.gate.reader import Reader

__all__ = ["UNITS", "Filters", "search"]

UNITS = ("item", "passage", "claim", "page")
MOST = 1_000
# A passage that no longer holds is shown, and never ahead of an equal one that does.
_PAST = 0.5


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search keeps: how many, of which unit and kind, and from which stretch of time."""

    limit: int
    unit: str
    kind: str | None
    after: datetime | None
    before: datetime | None

    @classmethod
    def read(
        cls,
        limit: int,
        unit: str,
        kind: str | None,
        after: datetime | str | None,
        before: datetime | str | None,
    ) -> Filters:
        """Checked filters; Usage says what is wrong."""
        if not 1 <= limit <= MOST:
            raise Usage(f"limit {limit} is out of range: give 1 to {MOST}")
        if unit not in UNITS:
            raise Usage(f"unit {unit!r} is unknown: use {', '.join(UNITS)}")
        return cls(limit, unit, kind, _instant("after", after), _instant("before", before))

    def scope(self, names: tuple[str, ...] | None) -> Scope:
        """What to rank among; `names` are those of an entity the search is bounded to."""
        return Scope(names, self.kind, self.after, self.before)


def _instant(name: str, said: datetime | str | None) -> datetime | None:
    if said is None or isinstance(said, datetime):
        return said
    try:
        return parse_day_or_instant(said)
    except ValueError as error:
        raise Usage(f"{name}: {error}") from None


def search(reader: Reader, found: Found, filters: Filters) -> list[Hit]:
    """The best units, best first; ties in the order of ids."""
    kept = sorted(
        (_weighed(one, reader.moment.as_of) for one in found.candidates),
        key=lambda one: (-one.score, one.passage.passage),
    )
    match filters.unit:
        case "item":
            hits = _items(reader, kept)
        case "passage":
            hits = _passages(reader, kept)
        case "claim":
            hits = _claims(reader, kept[: 4 * filters.limit])
        case _:
            hits = _pages(reader, kept)
    return [replace(hit, rank=rank) for rank, hit in enumerate(_first(hits, filters.limit), 1)]


def _first(hits: Iterable[Hit], limit: int) -> list[Hit]:
    return [hit for _, hit in zip(range(limit), hits, strict=False)]


def _weighed(one: Candidate, as_of: datetime) -> Candidate:
    return one if one.standing.holds(as_of) else replace(one, score=round(one.score * _PAST, 6))


def _items(reader: Reader, kept: Iterable[Candidate]) -> Iterator[Hit]:
    """Each item once, by its best passage."""
    seen: set[UUID] = set()
    for one in kept:
        if one.item.item not in seen:
            seen.add(one.item.item)
            yield _hit(reader, one)


def _passages(reader: Reader, kept: Iterable[Candidate]) -> Iterator[Hit]:
    for one in kept:
        yield replace(_hit(reader, one), unit="passage")


def _hit(reader: Reader, one: Candidate) -> Hit:
    body = one.passage.body
    cited = cite_passage(one.passage, (0, len(body)), one.item, one.standing, reader.moment.as_of)
    return Hit(
        0, "item", one.item.source, one.item.id, one.passage.passage.hex, body, one.score, one.why, cited
    )


def _claims(reader: Reader, kept: list[Candidate]) -> Iterator[Hit]:
    """Each claim once, as highly as its best passage stands."""
    best = {one.passage.passage: one for one in reversed(kept)}
    claims = claims_of_items(reader, list({one.item.item: one.item for one in kept}.values()))
    placed = [(_best(claim, best), claim) for claim in claims]
    ranked = sorted(
        ((one, claim) for one, claim in placed if one), key=lambda pair: (-pair[0].score, pair[1].id)
    )
    for one, claim in ranked:
        cited = cite_claim(claim, passages_of(reader, claim.supports), limit=1)[0]
        yield Hit(0, "claim", cited.source, cited.item, None, claim.statement, one.score, one.why, cited)


def _best(claim: Claim, best: dict[UUID, Candidate]) -> Candidate | None:
    places = [quote_of(support.row)[0] for support in claim.supports if support.row.level == "exact"]
    return max((best[place] for place in places if place in best), key=lambda one: one.score, default=None)


def _pages(reader: Reader, kept: list[Candidate]) -> Iterator[Hit]:
    """Each entity once, as highly as the best passage that mentions it."""
    mentions = _mentions(reader, kept)
    seen: set[UUID] = set()
    for one in kept:
        for row in mentions.get(one.item.item, ()):
            if row.entity not in seen:
                seen.add(row.entity)
                yield Hit(0, "page", None, None, None, row.title, one.score, one.why, None)


def _mentions(reader: Reader, kept: list[Candidate]) -> dict[UUID, list[NameRow]]:
    items = sorted({one.item.item for one in kept})
    rows = reader.rows(MentionRow, "reader", "mentions_of_items", items=items) if items else []
    names = reader.rows(NameRow, "reader", "names", names=sorted({row.name for row in rows})) if rows else []
    by_name: dict[str, NameRow] = {}
    for name in names:
        # A declared name comes before one an item merely used.
        if name.name not in by_name or (name.is_alias and not by_name[name.name].is_alias):
            by_name[name.name] = name
    found: dict[UUID, list[NameRow]] = {}
    for row in rows:
        if row.name in by_name:
            found.setdefault(row.item, []).append(by_name[row.name])
    return found
