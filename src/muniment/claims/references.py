"""What references lead to, for one reader: over the items and names they can see, and nothing else.

A title that several editions of a text share means the one in force. What else names several things equally
well leads nowhere, as does a reference whose target nobody handed in, or not to this reader: it waits, and
leads there once that can be seen. A section that a text does not have is looked up in the one it belongs to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from muniment.claims.editions import edition_in_force, since
from muniment.claims.items import items_of
from muniment.claims.naming import read_names
from muniment.claims.parts import Parts, read_parts
from muniment.claims.ties import obeyed
from muniment.domain.record import EdgeRow, ItemRow
from muniment.domain.references import ACTS, HandleRow, ReferenceRow
from muniment.domain.trust import is_trusted
from muniment.graph.names import same_edition
from muniment.graph.titles import is_generic

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["Resolved", "references_from", "references_to", "resolved", "stated_ties", "waiting"]

_ROLES = {"title": 0, "number": 1, "id": 2, "address": 2, "alias": 3}
_KINDS = {"document": 0, "note": 1, "issue": 1, "pull_request": 1}


@dataclass(frozen=True, slots=True)
class _Reached:
    item: UUID


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reference and the one visible item it leads to; `inverse` where the target is the actor.

    The stater's `passage` holds its words; None is its metadata. `target_passage`: the section it names,
    where the target has one by that name. `cue`: the word that made its kind.
    """

    kind: str
    inverse: bool
    stater: ItemRow
    target: ItemRow
    passage: UUID | None
    target_passage: UUID | None
    cue: str | None = None


def references_from(reader: Reader, items: Collection[UUID]) -> list[Resolved]:
    """What these items refer to, as far as this reader can tell."""
    return [one for _, one in _of_items(reader, items) if one is not None]


def waiting(reader: Reader, items: Collection[UUID]) -> list[ReferenceRow]:
    """What these items refer to without one target that this reader sees: none, or several."""
    return [row for row, one in _of_items(reader, items) if one is None]


def references_to(reader: Reader, items: Collection[UUID]) -> list[Resolved]:
    """What refers to these items or their sections, as far as this reader can tell."""
    wanted = set(items)
    if not wanted:
        return []
    called = reader.rows(HandleRow, "references", "handles_of_items", items=sorted(wanted))
    names = {one.name for one in called}
    names |= _also_called(reader, {one.name for one in called if one.role == "title"})
    rows = {row.reference: row for row in _of_names(reader, names)}
    rows |= {row.reference: row for row in _rows_of(reader, wanted) if row.name is None}
    found = [one for _, one in resolved(reader, list(rows.values())) if one is not None]
    belonging = {one.stater.item for one in found if _belongs(one, wanted)} | _amending(reader, wanted)
    found += _through_bases(reader, belonging - wanted)
    return [one for one in found if one.target.item in wanted]


def _belongs(one: Resolved, wanted: Collection[UUID]) -> bool:
    return one.kind in ("attaches_to", "amends") and not one.inverse and one.target.item in wanted


def _amending(reader: Reader, wanted: Collection[UUID]) -> set[UUID]:
    """What was handed in as an amendment of these, or of what they are tied to."""
    reached = reader.rows(_Reached, "claims", "tied_items", items=sorted(wanted))
    others = sorted({one.item for one in reached} - set(wanted))
    ties = reader.rows(EdgeRow, "claims", "ties_of_items", items=others) if others else []
    return {one.item for one in ties if one.kind == "amends" and not one.inverse}


def _through_bases(reader: Reader, staters: Collection[UUID]) -> list[Resolved]:
    """What these say of sections without a text, which may be those of the text they belong to."""
    rows = [row for row in _rows_of(reader, staters) if _is_unnamed(row)] if staters else []
    return [one for _, one in resolved(reader, rows) if one is not None]


def stated_ties(reader: Reader, items: Sequence[ItemRow]) -> list[EdgeRow]:
    """What the texts of these items say they supersede and amend; whether it is obeyed, `ties` says."""
    rows = reader.rows(ReferenceRow, "references", "acts_of_items", items=[item.item for item in items])
    if not rows:
        return []
    found = (one for _, one in resolved(reader, rows) if one is not None)
    return [
        EdgeRow(one.stater.item, one.kind, one.target.source, one.target.id, one.inverse) for one in found
    ]


def _of_items(reader: Reader, items: Collection[UUID]) -> list[tuple[ReferenceRow, Resolved | None]]:
    return resolved(reader, _rows_of(reader, items)) if items else []


def _rows_of(reader: Reader, items: Collection[UUID]) -> list[ReferenceRow]:
    return reader.rows(ReferenceRow, "references", "references_of_items", items=sorted(items))


def _of_names(reader: Reader, names: Collection[str]) -> list[ReferenceRow]:
    return reader.rows(ReferenceRow, "references", "references_to_names", names=sorted(names))


def resolved(reader: Reader, rows: Sequence[ReferenceRow]) -> list[tuple[ReferenceRow, Resolved | None]]:
    """Each reference, and what it leads to; what leads to the very words that make it is left out."""
    if not rows:
        return []
    called = _called(reader, rows)
    ids = {row.item for row in rows} | {one.item for found in called.values() for one in found}
    items = {item.item: item for item in items_of(reader, sorted(ids))}
    seen = [row for row in rows if row.item in items]
    targets = _targets(reader, seen, called, items)
    bases = _bases(reader, seen)
    sectioned = {targets[row.reference].item for row in seen if row.section and row.reference in targets}
    parts = read_parts(reader, sectioned | {base.item for base in bases.values()})
    pairs = ((row, _settled(row, items, _places(row, targets, bases), parts)) for row in seen)
    return [(row, one) for row, one in pairs if not _leads_to_itself(row, one)]


def _targets(
    reader: Reader,
    rows: Sequence[ReferenceRow],
    called: Mapping[str, Sequence[HandleRow]],
    items: Mapping[UUID, ItemRow],
) -> dict[UUID, ItemRow]:
    """The one item that each reference means, by the reference."""
    meant = [(row, found) for row in rows if (found := _meant(row, called, items))]
    unclear = [one for row, found in meant if _may_choose(row, found) for one in found]
    undated = {one.item: one for one in unclear if one.valid_from is None}
    edges = (
        reader.rows(EdgeRow, "claims", "ties_of_items", items=[one.item for one in unclear])
        if undated
        else []
    )
    ties = obeyed(edges, {one.item: one for one in unclear}.values())
    chosen = (
        (row, found[0] if len(found) == 1 else edition_in_force(found, _day(row, items, reader), ties))
        for row, found in meant
        if len(found) == 1 or _may_choose(row, found)
    )
    return {row.reference: one for row, one in chosen if one is not None}


def _may_choose(row: ReferenceRow, found: Sequence[ItemRow]) -> bool:
    """Whether a name that several have may mean one edition: not where it is the edition that acts."""
    return (
        len(found) > 1
        and row.edition is None
        and not row.inverse
        and row.name is not None
        and row.name[0] != "#"
    )


def _day(row: ReferenceRow, items: Mapping[UUID, ItemRow], reader: Reader) -> datetime:
    """What a text replaces or amends is what was in force when it took effect."""
    return since(items[row.item]) if row.kind in ACTS else reader.moment.as_of


def _bases(reader: Reader, rows: Sequence[ReferenceRow]) -> dict[UUID, ItemRow]:
    """The one text that each item belongs to or amends, where it names sections of no text."""
    items = sorted({row.item for row in rows if row.section and _is_unnamed(row)})
    stated = reader.rows(ReferenceRow, "references", "bases_of_items", items=items) if items else []
    said = [(one.stater.item, one.target) for _, one in resolved(reader, stated) if one is not None]
    found: dict[UUID, dict[UUID, ItemRow]] = {}
    for item, base in (*said, *_declared(reader, items)):
        found.setdefault(item, {})[base.item] = base
    return {item: next(iter(bases.values())) for item, bases in found.items() if len(bases) == 1}


def _declared(reader: Reader, items: Sequence[UUID]) -> list[tuple[UUID, ItemRow]]:
    """What these were handed in as amendments of."""
    ties = reader.rows(EdgeRow, "claims", "ties_of_items", items=items) if items else []
    edges = [one for one in ties if one.kind == "amends" and not one.inverse]
    if not edges:
        return []
    reached = reader.rows(_Reached, "claims", "tied_items", items=items)
    known = {(one.source, one.id): one for one in items_of(reader, sorted({one.item for one in reached}))}
    ends = ((one.item, known.get((one.target_source, one.target_id))) for one in edges)
    return [(item, base) for item, base in ends if base is not None and base.item != item]


def _places(
    row: ReferenceRow, targets: Mapping[UUID, ItemRow], bases: Mapping[UUID, ItemRow]
) -> list[ItemRow]:
    """Where to look for what it names, in this order: nobody amends a section of their own amendment."""
    own, base = targets.get(row.reference), bases.get(row.item) if _is_unnamed(row) else None
    places = [one for one in (own, base) if one is not None]
    return places[::-1] if row.kind in ACTS else places


def _called(reader: Reader, rows: Sequence[ReferenceRow]) -> dict[str, list[HandleRow]]:
    """Visible items by the names that these references use."""
    names = {row.name for row in rows if row.name is not None}
    found: dict[str, list[HandleRow]] = {}
    for one in _handles(reader, names):
        found.setdefault(one.name, []).append(one)
    # Who ends or amends a text says which: an alias is not enough.
    strange = {row.name for row in rows if row.name and row.kind not in ACTS} - found.keys()
    for name, one in _by_alias(reader, {name for name in strange if name[0] not in "/#"}):
        found.setdefault(name, []).append(one)
    return found


def _handles(reader: Reader, names: Collection[str]) -> list[HandleRow]:
    return reader.rows(HandleRow, "references", "handles_of_names", names=sorted(names)) if names else []


def _by_alias(reader: Reader, names: Collection[str]) -> list[tuple[str, HandleRow]]:
    """Items titled with another name of what is declared under these."""
    if not names:
        return []
    known = read_names(reader, names)
    meant = {name: set(known.meaning([known.key(name)])) - {name} for name in names if known.meant(name)}
    titled = [one for one in _handles(reader, set[str]().union(*meant.values())) if one.role == "title"]
    return [
        (name, HandleRow(one.item, "alias", name, one.edition))
        for name in sorted(meant)
        for one in titled
        if one.name in meant[name]
    ]


def _also_called(reader: Reader, titles: Collection[str]) -> set[str]:
    """Other names of what is declared under these titles, where nothing is titled so itself."""
    if not titles:
        return set()
    known = read_names(reader, titles)
    keys = {known.key(name) for name in titles}
    others = {name for name in known.meaning(keys) if known.meant(name)} - set(titles)
    return others - {one.name for one in _handles(reader, others)}


def _meant(
    row: ReferenceRow, called: Mapping[str, Sequence[HandleRow]], items: Mapping[UUID, ItemRow]
) -> list[ItemRow]:
    """The items that it names equally well."""
    stater = items[row.item]
    if row.name is None:
        return [stater]
    found = [(one, items[one.item]) for one in called.get(row.name, ()) if one.item in items]
    found = [pair for pair in found if pair[1].item != row.item and _is_near(row.name, stater, pair[1])]
    for of_role in _in_turn(found):
        if best := _of_edition(row.edition, of_role):
            return _foremost(stater, best)
    return []


def _in_turn(found: Sequence[_Pair]) -> list[list[_Pair]]:
    """By what they are called so, ours first: who takes a text's name must not free it of its successor."""
    turns: dict[tuple[bool, int], list[_Pair]] = {}
    for pair in found:
        turns.setdefault((not is_trusted(pair[1].trust), _ROLES[pair[0].role]), []).append(pair)
    return [turns[turn] for turn in sorted(turns)]


def _is_near(name: str, stater: ItemRow, item: ItemRow) -> bool:
    """Whether the name can be of the item: a path and a bare number are of their own source alone."""
    is_local = name[0] == "#" or (name[0] == "/" and name[:2] != "//")
    return item.level == "exact" and (not is_local or item.source == stater.source)


_Pair = tuple[HandleRow, ItemRow]


def _of_edition(edition: str | None, found: Sequence[_Pair]) -> list[_Pair]:
    """Those of the edition named: by its own word, else by when it begins to hold."""
    if edition is None:
        plain = [pair for pair in found if not pair[0].edition]
        return plain if len(plain) == 1 else list(found)
    exact = [pair for pair in found if pair[0].edition == edition]
    near = [pair for pair in found if pair[0].edition and same_edition(pair[0].edition, edition)]
    since = [pair for pair in found if not pair[0].edition and _begins(pair[1], edition)]
    return exact or near or since


def _begins(item: ItemRow, edition: str) -> bool:
    return item.valid_from is not None and item.valid_from.date().isoformat().startswith(edition)


def _foremost(stater: ItemRow, found: Sequence[_Pair]) -> list[ItemRow]:
    """The items that these are, documents before what is less of one."""
    least = min(_KINDS.get(item.kind, 2) for _, item in found)
    items = {item.item: item for _, item in found if _KINDS.get(item.kind, 2) == least}
    if len(items) > 1 and _numbered(found):
        return [item for item in items.values() if _is_beside(stater, item)]
    return list(items.values())


def _numbered(found: Sequence[_Pair]) -> bool:
    return all(one.name[0] == "#" for one, _ in found)


def _is_beside(stater: ItemRow, item: ItemRow) -> bool:
    """Whether two items are of one tracker: `#12` is the one in the same repository."""
    if stater.container is not None:
        return item.container == stater.container
    return item.id.rpartition("#")[0] == stater.id.rpartition("#")[0]


def _is_unnamed(row: ReferenceRow) -> bool:
    """Whether it says of no text in particular what it names: `Section 4`, `Section 4 of the policy`."""
    return row.name is None or is_generic(row.name)


def _settled(
    row: ReferenceRow, items: Mapping[UUID, ItemRow], places: Sequence[ItemRow], parts: Parts
) -> Resolved | None:
    found = [(one, parts.find(one.item, row.section) if row.section else None) for one in places]
    if row.name is None or (row.section and is_generic(row.name)):
        found = [pair for pair in found if pair[1] is not None]
    if not found:
        return None
    target, passage = found[0]
    return Resolved(row.kind, row.inverse, items[row.item], target, row.passage, passage, row.cue)


def _leads_to_itself(row: ReferenceRow, one: Resolved | None) -> bool:
    return (
        one is not None
        and one.target.item == row.item
        and row.passage is not None
        and one.target_passage == row.passage
    )
