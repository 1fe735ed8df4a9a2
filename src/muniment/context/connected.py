"""What the best evidence leads to: a text's successor, what amends it, the section it points to.

Two steps along the graph from a few passages, so that the cost does not grow with the record. What is reached
ranks by what it was reached from and by the question's words it holds; the rest of the order stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.editions import since
from muniment.claims.read import ItemStanding, item_periods
from muniment.context.question import Question
from muniment.context.retrieve import Candidate, Found, Way
from muniment.domain.record import ItemRow, PassageRow
from muniment.index.words import lexemes
from muniment.pages.links import Link, links_from, links_to
from muniment.pages.nodes import ItemAt

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["with_connected"]

STARTS = 12  # passages whose links are followed, the best first
STEPS = 2
LINKS = 40  # followed at a step
PASSAGES = 2  # of an item that is led to as a whole
MOST = 16  # passages that are added or moved up
FADING = 0.6  # of the score of what led there, where the passage holds every word of the question
POINTED = 0.99  # of it, where a section is named: what it says is what the pointer stands for
_LONGEST = 2_000  # passages of the items led to that are looked at

# Followed from the evidence on, and how it is told. What a text replaced or what mentions it leads back.
_FORWARD: Mapping[str, tuple[str, str]] = {
    "refers_to": ("refers to", "refer see"),
    "cites": ("cites", "cite refer see"),
    "amends": ("amends", "amend change"),
    "attaches_to": ("is attached to", "attach endorse"),
}
_SUPERSEDED = ("is superseded by", "supersede replace obsolete successor")
_AMENDED = ("is amended by", "amend change")
_ATTACHED = ("has attached to it", "attach endorse")
_REFERRED = ("is referred to by", "amend change")


@dataclass(frozen=True, slots=True)
class _Lead:
    """From a candidate to an item or a passage of it; `edge`: how it is told, and words for such an edge."""

    start: Candidate
    item: ItemRow
    passage: UUID | None
    edge: tuple[str, str]
    is_pointed: bool = False

    @property
    def order(self) -> tuple[float, str, UUID, str]:
        """What leads from the best evidence first."""
        return (
            -self.start.score,
            self.edge[0],
            self.item.item,
            "" if self.passage is None else self.passage.hex,
        )

    @property
    def ends(self) -> tuple[UUID, UUID, UUID | None]:
        """From which text to what."""
        return self.start.item.item, self.item.item, self.passage

    def way(self, to: PassageRow) -> Way:
        """The way to the start, gone on by one step."""
        words, relations = self.edge
        mine = _title(self.start.item, self.start.passage)
        before = self.start.way or Way(f"“{mine}”", frozenset(), (), "")
        return Way(
            f"{before.told}{', which' if self.start.way else ''} {words} “{_title(self.item, to)}”",
            before.past | {self.start.item.item},
            (*before.titles, mine),
            f"{before.relations} {relations}".strip(),
        )


@dataclass(frozen=True, slots=True)
class _Said:
    """A passage and its words."""

    passage: PassageRow
    words: frozenset[str]


def _title(item: ItemRow, passage: PassageRow) -> str:
    """What a passage is called: its item's title and the last heading above it."""
    parts = dict.fromkeys((ItemAt(item).title, *passage.heading[-1:]))
    return " › ".join(" ".join(part.split()) for part in parts)


def with_connected(reader: Reader, question: Question, found: Found, best: Sequence[Candidate]) -> Found:
    """What was found, with what the best of it leads to at the place it deserves."""
    candidates = list(found.candidates)
    at_hand = {one.passage.passage: one for one in candidates}
    front: Sequence[Candidate] = [at_hand[one.passage.passage] for one in best[:STARTS]]
    for _ in range(STEPS):
        reached = _reached(reader, question, front, candidates)
        if not reached:
            break
        candidates = _merged(candidates, reached)
        front = reached
    return replace(found, candidates=tuple(candidates))


def _reached(
    reader: Reader, question: Question, front: Sequence[Candidate], known: Sequence[Candidate]
) -> list[Candidate]:
    leads = _leads(reader, front)[:LINKS]
    rows = _passages(reader, leads)
    standings = item_periods(reader, list({one.item.item: one.item for one in leads}.values()))
    at_hand = {one.passage.passage: one for one in known}
    found: dict[UUID, Candidate] = {}
    for lead in leads:
        for one in _of_lead(lead, rows, standings[lead.item.item], frozenset(question.lexemes)):
            before = found.get(one.passage.passage, at_hand.get(one.passage.passage))
            if before is None or (before.way is None and _adds(lead, before)) or before.score < one.score:
                found[one.passage.passage] = _beside(before, one)
    return sorted(found.values(), key=_order)[:MOST]


def _adds(lead: _Lead, before: Candidate) -> bool:
    """Whether how it is led to tells more than its own words: that it changes what else was found does."""
    return lead.edge in (_SUPERSEDED, _AMENDED) or lead.start.score >= before.score


def _beside(before: Candidate | None, one: Candidate) -> Candidate:
    """What was found by its words too keeps the better of its scores."""
    return one if before is None else replace(one, score=max(before.score, one.score), why=before.why)


def _leads(reader: Reader, front: Sequence[Candidate]) -> list[_Lead]:
    by_item: dict[UUID, list[Candidate]] = {}
    for one in front:
        by_item.setdefault(one.item.item, []).append(one)
    items = [some[0].item for some in by_item.values()]
    at_hand = [one.passage for one in front]
    links = [*links_from(reader, items, [one.passage for one in at_hand]), *links_to(reader, items, at_hand)]
    as_of = reader.moment.as_of
    every = [lead for one in front for lead in _changing(one, as_of)]
    every += [lead for link in links if not link.is_claimed for lead in _both_ways(link, by_item)]
    found = [one for one in every if one.start.way is None or one.item.item not in one.start.way.past]
    # Of several ways to one place from one text, the one from its best passage.
    first = {one.ends: one for one in sorted(found, key=lambda one: one.order, reverse=True)}
    return sorted(first.values(), key=lambda one: one.order)


def _changing(one: Candidate, as_of: datetime) -> Iterator[_Lead]:
    """What took the place of its item, and what amends it, once that has taken effect."""
    later = one.standing.superseded_by
    if later is not None and not one.standing.holds(as_of):
        yield _Lead(one, later, None, _SUPERSEDED)
    yield from (_Lead(one, item, None, _AMENDED) for item in _amending(one, as_of))


def _amending(one: Candidate, as_of: datetime) -> list[ItemRow]:
    return [item for item in one.standing.amended_by if since(item) <= as_of]


def _both_ways(link: Link, items: Mapping[UUID, Sequence[Candidate]]) -> Iterator[_Lead]:
    for one in items.get(link.start.item, ()):
        if link.kind in _FORWARD and _is_of(link.start_passage, one):
            yield _Lead(one, link.end, link.end_passage, _FORWARD[link.kind], link.end_passage is not None)
    for one in items.get(link.end.item, ()):
        if link.end_passage == one.passage.passage and link.proof is not None:
            yield from _back(link, one)
        elif link.kind == "attaches_to" and _is_of(link.end_passage, one):
            yield _Lead(one, link.start, None, _ATTACHED)


def _back(link: Link, one: Candidate) -> Iterator[_Lead]:
    """To the passage that names this one, which counts as much where its text amends the item."""
    if link.start.item in {item.item for item in one.standing.amended_by}:
        yield _Lead(one, link.start, link.proof, _AMENDED, is_pointed=True)
    elif link.kind in ("refers_to", "cites", "attaches_to"):
        yield _Lead(one, link.start, link.proof, _REFERRED)


def _is_of(passage: UUID | None, one: Candidate) -> bool:
    """Whether the link leads from the passage that was found, and not from elsewhere in its item."""
    return passage is None or passage == one.passage.passage


def _passages(reader: Reader, leads: Sequence[_Lead]) -> dict[UUID, list[_Said]]:
    """The passages that are led to, by their items; of a whole item as it is now, all that may count."""
    exact = sorted({one.passage for one in leads if one.passage is not None})
    whole = sorted({one.item.item for one in leads if one.passage is None})
    rows = reader.rows(PassageRow, "reader", "passages_by_id", passages=exact) if exact else []
    if whole and reader.moment.known_at is None:
        # What a text said at an earlier moment is found by its words alone.
        rows += reader.rows(PassageRow, "reader", "passages_of_items", items=whole)[:_LONGEST]
    found: dict[UUID, list[_Said]] = {}
    for row in rows:
        if row.body.strip():
            found.setdefault(row.item, []).append(_Said(row, frozenset(lexemes(row.body))))
    return found


def _of_lead(
    lead: _Lead, rows: Mapping[UUID, Sequence[_Said]], standing: ItemStanding, asked: frozenset[str]
) -> Iterator[Candidate]:
    """The passage that is led to, else the best of the item's."""
    mine = rows.get(lead.item.item, ())
    if lead.passage is not None:
        mine = [row for row in mine if row.passage.passage == lead.passage]
    held = [(_share(row, lead, asked), row.passage) for row in mine]
    held = sorted(held, key=lambda pair: (-pair[0], pair[1].ordinal, pair[1].passage))[:PASSAGES]
    for share, row in held:
        kept = POINTED if lead.is_pointed else FADING * (0.5 + 0.5 * share)
        score = round(lead.start.score * kept, 6)
        yield Candidate(row, lead.item, standing, score, {}, lead.way(row))


def _share(row: _Said, lead: _Lead, asked: frozenset[str]) -> float:
    """How much of the question the passage holds, its headings and the way to it included."""
    way = lead.way(row.passage)
    around = lexemes("\n".join((lead.item.title or "", *row.passage.heading, *way.titles, way.relations)))
    said = row.words.union(around)
    return len(asked & said) / len(asked) if asked else 0.0


def _merged(candidates: Sequence[Candidate], reached: Sequence[Candidate]) -> list[Candidate]:
    led = {one.passage.passage for one in reached}
    return sorted((*reached, *(one for one in candidates if one.passage.passage not in led)), key=_order)


def _order(one: Candidate) -> tuple[float, UUID]:
    return -one.score, one.passage.passage
