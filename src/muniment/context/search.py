"""Search results: one hit a unit, filtered over visible rows before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.claims.cite import cite_claim, cite_passage, passages_of, quote_of
from muniment.claims.claim import Claim
from muniment.claims.read import claims_of_items
from muniment.claims.shown import shown
from muniment.context.pages import hit_of, rank_pages
from muniment.context.question import Question
from muniment.context.retrieve import DEPTH, Candidate, Found, Meaning, Reach, Scope, retrieve
from muniment.domain.errors import Usage
from muniment.domain.times import read_instant
from muniment.domain.values import Hit
from muniment.events.parse import KINDS
from muniment.gate.reader import Reader
from muniment.pages.entities import WHOLE, Entity, entities_in

__all__ = ["UNITS", "Filters", "deepening", "search"]

UNITS = ("item", "passage", "claim", "page")
MOST = 1_000
MANY = 150  # passages that speak for pages and claims
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
        if kind is not None and kind not in KINDS:
            raise Usage(f"kind {kind!r} is unknown: use {', '.join(sorted(KINDS))}")
        return cls(limit, unit, kind, read_instant("after", after), read_instant("before", before))

    @property
    def reach(self) -> Reach:
        """How far to look: for more than the hits, as some share an item and some no longer hold."""
        many = 2 * self.limit + 10 if self.unit in ("item", "passage") else max(MANY, 4 * self.limit)
        return Reach(max(DEPTH, 3 * self.limit), many)

    def scope(self, entity: Entity | None) -> Scope:
        """What to rank among, where the search is bounded to an entity or not."""
        if entity is None:
            return Scope(None, WHOLE, self.kind, self.after, self.before)
        return Scope(entity.names, entity.parts, self.kind, self.after, self.before)


def deepening(
    reader: Reader, asked: Sequence[Question], meaning: Meaning | None, scope: Scope, filters: Filters
) -> list[Hit]:
    """As many hits as were asked for, looked for deeper until there are so many or nothing is left."""
    reach = filters.reach
    while True:
        found = retrieve(reader, asked[0], meaning, scope=scope, reach=reach, also=asked[1:])
        hits = search(reader, asked[0], found, filters)
        if len(hits) >= filters.limit or found.is_all:
            return hits
        reach = reach.further()


def search(reader: Reader, question: Question, found: Found, filters: Filters) -> list[Hit]:
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
            # What stands beside a match may answer; that a claim does says nothing for it.
            hits = _claims(reader, [one for one in kept if one.why][: 4 * filters.limit])
        case _:
            hits = _pages(reader, question, replace(found, candidates=tuple(kept)))
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
    whole = 0, len(one.passage.body)
    cited = cite_passage(one.passage, whole, one.item, one.standing, reader.moment.as_of)
    passage = one.passage.passage.hex if cited.level == "exact" else None
    return Hit(0, "item", cited.source, cited.item, passage, shown(one.passage), one.score, one.why, cited)


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
    places = [quote_of(support.row)[0] for support in claim.supports]
    return max((best[place] for place in places if place in best), key=lambda one: one.score, default=None)


def _pages(reader: Reader, question: Question, found: Found) -> Iterator[Hit]:
    """Each entity once, as what was found speaks for it."""
    meant = entities_in(reader, question.text)
    named = {one.names[0] for one in meant if isinstance(one, Entity)}
    for page in rank_pages(reader, question, found, named):
        yield hit_of(reader, page, question)
