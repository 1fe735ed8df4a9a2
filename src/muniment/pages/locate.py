"""Where to begin: what words could mean among titles, headings, names and claims that this reader can see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from muniment.claims.read import claims_of_items
from muniment.domain.errors import Usage
from muniment.domain.graph import EDGES, Node
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow, MentionRow
from muniment.index.words import content_lexemes, lexemes
from muniment.pages.arcs import arcs_from, counts
from muniment.pages.bounds import Bound, bound_of, find_within
from muniment.pages.entities import Entity, entities_called
from muniment.pages.nodes import ClaimAt, EntityAt, ItemAt, PassageAt, Vertex, find_by_id, shown_items
from muniment.pages.telling import texts_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["MOST", "locate"]

MOST = 200
_EXCERPT = 280  # characters: enough to tell one from another
_MOST_NAMES = 500  # that hold the words; the shortest of them
_CLAIMED = 60  # items whose claims are looked at
_HALF = 0.5  # of the words, which the best of the matches must hold where none holds all

_CLASSES = ("exact", "item", "heading", "passage", "entity", "claim")
_KINDS = ("item", "passage", "page", "entity", "claim")


@dataclass(frozen=True, slots=True)
class _Terms:
    """What is looked for: the words as they were put, as a name, and what they are found by."""

    text: str
    name: str
    lexemes: frozenset[str]

    def match(self, node: Vertex, called: Sequence[str], parts: Iterable[str], kind: str) -> _Match:
        """How the node meets the words: by what it is called, and by all that stands for it."""
        said = {lexeme for part in (*called, *parts) for lexeme in lexemes(part)}
        exact = self.name in {normal_name(one) for one in called}
        beside = len(set(lexemes(called[0] if called else node.title)) - self.lexemes)
        return _Match(node, "exact" if exact else kind, len(self.lexemes & said), beside)


@dataclass(frozen=True, slots=True)
class _Match:
    """A node that holds some of the words: of which class, how many, and how many others its name has."""

    node: Vertex
    kind: str
    held: int
    beside: int

    @property
    def order(self) -> tuple[int, int, int, str, float, str]:
        """What is called exactly so first, items before what is in them; the tersest, the newest edition."""
        node = self.node
        place = _CLASSES.index(self.kind), _KINDS.index(node.kind)
        return (*place, self.beside, node.title.casefold(), -_since(node), node.id)


def _since(node: Vertex) -> float:
    match node:
        case ItemAt(item=item) | PassageAt(item=item):
            return (item.valid_from or item.at).timestamp()
        case _:
            return 0.0


def locate(reader: Reader, text: str, within: str | None, limit: int) -> list[Node]:
    """The nodes the words could mean, at most so many; the last is marked where there were more."""
    if not 1 <= limit <= MOST:
        raise Usage(f"limit {limit} is out of range: give 1 to {MOST}")
    terms = _Terms(text, normal_name(text), frozenset(content_lexemes(text)))
    bound = bound_of(reader, within)
    matches = _best(_matches(reader, terms, bound), len(terms.lexemes))
    nodes = _told(reader, [one.node for one in _spread(matches, limit)])
    return nodes if len(matches) <= limit else [*nodes[:-1], replace(nodes[-1], truncated=True)]


def _matches(reader: Reader, terms: _Terms, bound: Bound) -> Iterator[_Match]:
    """Everything that may hold the words."""
    named = find_by_id(reader, terms.text.strip())
    if named is not None and bound.holds(named):
        yield _Match(named, "exact", len(terms.lexemes), 0)
    within = find_within(reader, bound, sorted(terms.lexemes))
    names = _names(reader, terms)
    titled = [one for one in _titled(reader, names) if bound.holds(ItemAt(one))]
    items = {one.item: one for one in (*within.items, *titled)}
    yield from (_of_item(one, terms) for one in items.values() if one.level == "exact")
    yield from (_of_passage(one, terms) for one in within.passages)
    if bound.is_open:
        entities = entities_called(reader, names).values()
        yield from (match for one in entities for match in _of_entity(one, terms))
    for claim in claims_of_items(reader, list(items.values())[:_CLAIMED]):
        if bound.holds(ClaimAt(claim)):
            subjects = [one.row.entity for one in claim.supports if one.row.entity]
            yield terms.match(ClaimAt(claim), [claim.statement], subjects, "claim")


def _of_item(item: ItemRow, terms: _Terms) -> _Match:
    called = [one for one in (item.title, item.id, f"{item.source}:{item.id}") if one]
    return terms.match(ItemAt(item), called, (), "item")


def _of_passage(one: PassageAt, terms: _Terms) -> _Match:
    """By its headings, where the last of them has a part in it, else by its words."""
    *above, last = one.passage.heading or [""]
    beside = [part for part in (one.item.title, *above) if part]
    if last:
        found = terms.match(one, [last], beside, "heading")
        if found.held == len(terms.lexemes) and terms.lexemes & set(lexemes(last)):
            return found
    return terms.match(one, (), (*beside, last, one.passage.body), "passage")


def _of_entity(entity: Entity, terms: _Terms) -> Iterator[_Match]:
    """By each of its names: words of two of them are not one name."""
    called = [name for name in (entity.title, *entity.names) if name != entity.id]
    yield from (terms.match(EntityAt(entity), [name], (), "entity") for name in called)


def _names(reader: Reader, terms: _Terms) -> list[str]:
    """Visible names that may hold every word; a stem ends before the letter that endings change."""
    patterns = [f"%{_escaped(one[: max(2, len(one) - 1)])}%" for one in sorted(terms.lexemes)]
    values = {"patterns": patterns, "limit": _MOST_NAMES}
    rows = reader.rows(_Name, "pages", "names_like", **values) if patterns else []
    return sorted({row.name for row in rows} | {terms.name})


@dataclass(frozen=True, slots=True)
class _Name:
    name: str


def _escaped(text: str) -> str:
    """As it stands in a pattern."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _titled(reader: Reader, names: Sequence[str]) -> list[ItemRow]:
    values = {"names": list(names), "limit": _MOST_NAMES}
    rows = reader.rows(MentionRow, "pages", "items_titled", **values)
    return shown_items(reader, (row.item for row in rows))


def _best(matches: Iterable[_Match], asked: int) -> list[_Match]:
    """Each node once, those that hold the most of the words, if that is enough of them; best first."""
    found: dict[str, _Match] = {}
    for one in sorted(matches, key=lambda one: one.order):
        found.setdefault(one.node.id, one)
    every = [one for one in found.values() if one.kind == "exact" or one.held]
    most = max((one.held for one in every if one.kind != "exact"), default=0)
    enough = most if most >= _HALF * asked else asked
    return [one for one in every if one.kind == "exact" or one.held >= max(enough, 1)]


def _spread(matches: Sequence[_Match], most: int) -> list[_Match]:
    """So many of them, some of every class, so that a hundred passages do not hide an entity."""
    if len(matches) <= most:
        return list(matches)
    by_kind: dict[str, list[_Match]] = {}
    for one in matches:
        by_kind.setdefault(one.kind, []).append(one)
    exact = by_kind.pop("exact", [])
    in_turn = [one for row in zip_longest(*by_kind.values()) for one in row if one is not None]
    return sorted([*exact, *in_turn][:most], key=lambda one: one.order)


def _told(reader: Reader, nodes: Sequence[Vertex]) -> list[Node]:
    around = arcs_from(reader, nodes, EDGES)
    texts = texts_of(reader, nodes, _EXCERPT)
    return [
        Node(one.id, one.kind, one.title, text, counts(around.arcs[one.id]), (), (), truncated=False)
        for one, text in zip(nodes, texts, strict=True)
    ]
