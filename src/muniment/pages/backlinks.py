"""Where a page leads: its editions, what it leans on, who speaks of it, and what is mentioned beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.claim import Tie
from muniment.claims.read import ties_around
from muniment.claims.references import Resolved, references_from, references_to
from muniment.claims.ties import cut_rings
from muniment.domain.links import PageLink
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow, MentionRow
from muniment.pages.entities import Entity, entities_called
from muniment.pages.mentioned import speaking_of
from muniment.pages.places import path_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST_LINKS", "PEOPLE", "REFERRED", "SEE_ALSO", "links_of", "name_of_item"]

MOST_LINKS = 15  # of one relation
REFERRED, PEOPLE, SEE_ALSO = "referred to by", "taking part", "see also"
_OF_THE_ITEM = frozenset({"title", "id"})  # what a document or an incident is itself called
_USED_BY = {"depends_on": "used by", "uses": "used by", "calls": "called by", "feeds": "fed by"}
# Talk has no editions, and no place that others refer to; of texts with a title, so many are looked at.
_REFERABLE = frozenset({"document", "episode", "issue", "note", "meeting", "pull_request"})
_LOOKED_AT = 50
_FORTH = {"cites": "cites", "refers_to": "refers to", "attaches_to": "attaches to"}
_BACK = {"cites": REFERRED, "refers_to": REFERRED, "attaches_to": "attached by"}
_CLAIMED = {
    "supersedes": ("says it supersedes", "said to be superseded by"),
    "amends": ("says it amends", "said to be amended by"),
}
_WITHIN = {"supersedes": "earlier edition", "amends": "amended here"}
_ACTS = {"supersedes": ("supersedes", "superseded by"), "amends": ("amends", "amended by")}


@dataclass(frozen=True, slots=True)
class _Edge:
    upstream: str
    relation: str
    downstream: str


@dataclass(frozen=True, slots=True)
class _Around:
    """What the items at hand mention, and what those names mean to this reader."""

    mentions: Mapping[UUID, Sequence[MentionRow]]
    meant: Mapping[str, Entity]

    def page_of(self, item: ItemRow) -> Entity | None:
        """The page that the item is, as a document is the page of its title."""
        own = (row.name for row in self.mentions.get(item.item, ()) if row.role in _OF_THE_ITEM)
        return next((self.meant[name] for name in own if name in self.meant), None)


def links_of(reader: Reader, entity: Entity, items: Sequence[ItemRow]) -> tuple[PageLink, ...]:
    """Every visible relation, of each a few at most; all of them in one order."""
    ties, _ = cut_rings(ties_around(reader, items))
    speaking = speaking_of(reader, entity, items)
    edges = _topology(reader, entity)
    texts = [item.item for item in items if item.kind in _REFERABLE and item.level == "exact"][:_LOOKED_AT]
    forth, back = references_from(reader, texts), references_to(reader, texts)
    others = {end.item: end for tie in ties for end in (tie.actor, tie.target)}
    others |= {end.item: end for one in (*forth, *back) for end in (one.stater, one.target)}
    named = {name for edge in edges for name in (edge.upstream, edge.downstream)}
    around = _around(reader, [*items, *speaking, *others.values()], named)
    links = [*_editions(ties, items, around), *_leaning(edges, entity, around)]
    links += [*_referring(forth, ties, items, around), *_referred(back, ties, items, around)]
    links += [_to_item(REFERRED, item, around) for item in speaking]
    linked = {entity.names[0], *(link.entity for link in links)}
    links += _see_also(items, around, linked)
    return tuple(_few(dict.fromkeys(links)))


def _few(links: Iterable[PageLink]) -> Iterator[PageLink]:
    seen: Counter[str] = Counter()
    for link in links:
        seen[link.relation] += 1
        if seen[link.relation] <= MOST_LINKS:
            yield link


def _around(reader: Reader, items: Iterable[ItemRow], named: Collection[str]) -> _Around:
    wanted = sorted({item.item for item in items})
    rows = reader.rows(MentionRow, "reader", "mentions_of_items", items=wanted) if wanted else []
    mentions: dict[UUID, list[MentionRow]] = {}
    for row in rows:
        mentions.setdefault(row.item, []).append(row)
    return _Around(mentions, entities_called(reader, {*map(normal_name, named), *(row.name for row in rows)}))


def _to_item(relation: str, item: ItemRow, around: _Around) -> PageLink:
    page, place = around.page_of(item), f"{item.source}:{item.id}"
    if page is None:
        return PageLink(relation, name_of_item(item), item.kind, None, place)
    return PageLink(relation, name_of_item(item), item.kind, page.names[0], place, path_of(page))


def name_of_item(item: ItemRow) -> str:
    """What to call it: its title, else whose word it is and where."""
    if item.title:
        return item.title
    who = item.author_name or item.author
    where = f"in {item.container}" if item.container else ""
    return " ".join(part for part in (item.kind, f"by {who}" if who else "", where) if part)


def _to_named(relation: str, name: str, around: _Around) -> PageLink:
    page = around.meant.get(normal_name(name))
    return PageLink(relation, name, "service", None, None) if page is None else _to_page(relation, page)


def _to_page(relation: str, page: Entity) -> PageLink:
    return PageLink(relation, page.title, page.kind, page.names[0], None, path_of(page))


def _editions(ties: Iterable[Tie], items: Sequence[ItemRow], around: _Around) -> Iterator[PageLink]:
    """What replaces or amends the entity's items, and what they replace or amend."""
    own = {item.item for item in items}
    for tie in sorted(ties, key=lambda tie: tie.order):
        does, is_done_by = _ACTS[tie.kind]
        if {tie.actor.item, tie.target.item} <= own:
            if tie.target.kind in _REFERABLE:
                yield replace(_to_item(_WITHIN[tie.kind], tie.target, around), entity=None, path=None)
        elif tie.actor.item in own:
            yield _to_item(does, tie.target, around)
        elif tie.target.item in own:
            yield _to_item(is_done_by, tie.actor, around)


def _referring(
    forth: Iterable[Resolved], ties: Iterable[Tie], items: Sequence[ItemRow], around: _Around
) -> Iterator[PageLink]:
    """What its texts refer to; where they lay a claim that is not obeyed, that they do."""
    own = {item.item for item in items}
    for words, one in _worded(forth, ties, _FORTH, 0):
        if one.target.item not in own:
            yield _to_item(words, one.target, around)


def _referred(
    back: Iterable[Resolved], ties: Iterable[Tie], items: Sequence[ItemRow], around: _Around
) -> Iterator[PageLink]:
    """Which texts refer to its own, and which would take their place without the right to."""
    own = {item.item for item in items}
    for words, one in _worded(back, ties, _BACK, 1):
        if one.stater.item not in own:
            yield _to_item(words, one.stater, around)


def _worded(
    found: Iterable[Resolved], ties: Iterable[Tie], words: Mapping[str, str], end: int
) -> Iterator[tuple[str, Resolved]]:
    """Each with what it is called at this end; an act that is obeyed is told as an edition, not here."""
    obeyed = {(tie.actor.item, tie.target.item, tie.kind) for tie in ties}
    for one in sorted(found, key=_order):
        if one.inverse:
            continue
        if one.kind in words:
            yield words[one.kind], one
        elif one.kind in _CLAIMED and (one.stater.item, one.target.item, one.kind) not in obeyed:
            yield _CLAIMED[one.kind][end], one


def _order(one: Resolved) -> tuple[float, str, str, str, str]:
    stater, target = one.stater, one.target
    return (-stater.at.timestamp(), one.kind, stater.source, stater.id, f"{target.source}:{target.id}")


def _topology(reader: Reader, entity: Entity) -> list[_Edge]:
    """None at an earlier `known_at`: an edge is dated by when it holds, not by when it was known."""
    if reader.moment.known_at is not None:
        return []
    return reader.rows(_Edge, "pages", "topology_around", names=list(entity.names))


def _leaning(edges: Iterable[_Edge], entity: Entity, around: _Around) -> Iterator[PageLink]:
    own = set(entity.names)
    for edge in edges:
        if normal_name(edge.upstream) in own:
            yield _to_named(edge.relation.replace("_", " "), edge.downstream, around)
        if normal_name(edge.downstream) in own:
            words = edge.relation.replace("_", " ")
            yield _to_named(_USED_BY.get(edge.relation, f"{words} (from)"), edge.upstream, around)


def _see_also(
    items: Iterable[ItemRow], around: _Around, linked: Collection[str | None]
) -> Iterator[PageLink]:
    """What the entity's items mention besides it, what most of them mention first."""
    counts: Counter[Entity] = Counter()
    for item in items:
        rows = around.mentions.get(item.item, ())
        counts.update({around.meant[row.name] for row in rows if row.name in around.meant})
    for other, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0].title, one[0].names[0])):
        if other.names[0] not in linked:
            yield _to_page(PEOPLE if other.kind == "person" else SEE_ALSO, other)
