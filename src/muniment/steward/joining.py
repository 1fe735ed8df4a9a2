"""Who and what is one: what a steward settles about entities.

A decision is bound to what was shown to whoever made it, and known to whoever may read all of that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from muniment.claims.called import alias_uuid
from muniment.domain.audience import EVERYONE, Audience
from muniment.domain.entities import EntityDecision, Parting, Terms
from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.events import ItemRef
from muniment.domain.identity import keyed_digest, keyed_uuid
from muniment.domain.names import is_usable, normal_name
from muniment.domain.times import format_instant
from muniment.gate.audiences import audience_ids, get_audience
from muniment.gate.reader import Reader
from muniment.index.fields import PERSON
from muniment.index.projection import item_uuid
from muniment.steward.desk import Desk
from muniment.steward.naming import TOKEN, Side, decided, places_of, settled_rows, side_of, told
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["AT_ONCE", "merge", "split", "undo"]

SQL = load("deciding")
_SHORTEST: Final = 6  # of a decision's id that somebody types


AT_ONCE: Final = Terms()


@dataclass(frozen=True, slots=True)
class _Case:
    """What would be settled, and the names and items that were shown for it."""

    action: str
    side: Side
    other: Side | None
    target: str | None
    parting: Parting
    items: Mapping[UUID, str]
    shown: frozenset[str]

    def saw(self, key: bytes) -> bytes:
        """What is shown now, as a digest."""
        sides = [one.entity for one in (self.side, self.other) if one is not None]
        shown = [part for one in sides for part in (one.id, one.kind, one.title, *sorted(one.names), "")]
        return keyed_digest(key, "saw entities", self.action, *shown, *sorted(self.shown), self.target or "")


@dataclass(frozen=True, slots=True)
class _Evidence:
    name: str
    audience: int


def merge(desk: Desk, name: str, other: str, terms: Terms) -> EntityDecision:
    """Let two be one, called as the first is."""
    with desk.reading() as reader:
        return _settle(desk, reader, _merging(reader, name, other), terms)


def split(desk: Desk, name: str, target: str, parting: Parting, terms: Terms) -> EntityDecision:
    """Let what is said by some names, or in some sources or items, of one mean another."""
    with desk.reading() as reader:
        return _settle(desk, reader, _splitting(reader, name, target, parting), terms)


def undo(desk: Desk, id_: str) -> EntityDecision:
    """Let a decision count for nothing from now on."""
    with desk.reading() as reader:
        wanted = id_.strip().lower()
        found = [one for one in decided(reader) if one.decision.hex.startswith(wanted)]
        if len(wanted) < _SHORTEST or len(found) != 1:
            raise Refused(f"no decision {id_!r} for this steward; see muniment entities history")
        with desk.writing() as conn:
            values = {
                "tenant": desk.tenant,
                "decision": found[0].decision,
                "by": desk.principal,
                "now": desk.now,
            }
            if conn.execute(SQL["undo"], values).rowcount != 1:
                raise Conflict(f"decision {id_!r} was undone already")
            desk.record(conn, "entities undo", found[0].decision.hex, {})
    with desk.reading() as reader:
        (after,) = told(reader, [one for one in decided(reader) if one.decision == found[0].decision])
        return after


def _merging(reader: Reader, name: str, other: str) -> _Case:
    one, two = side_of(reader, name), side_of(reader, other)
    if one.entity.id == two.entity.id or one.entity.names[0] == two.entity.names[0]:
        raise Usage(f"{name!r} and {other!r} are one already")
    if (one.entity.kind == PERSON) != (two.entity.kind == PERSON):
        raise Usage(f"{name!r} is a {one.entity.kind} and {other!r} a {two.entity.kind}: they cannot be one")
    shown = frozenset((*one.entity.names, *two.entity.names))
    return _Case("merge", one, two, None, Parting(), {}, shown)


def _splitting(reader: Reader, name: str, target: str, parting: Parting) -> _Case:
    side = side_of(reader, name)
    names = tuple(dict.fromkeys(normal_name(one) for one in parting.names))
    for one in names:
        if one not in side.entity.names:
            raise Usage(f"{one!r} is no name of {name!r}: it has {', '.join(map(repr, side.entity.names))}")
    if not (names or parting.sources or parting.items):
        raise Usage("a split says what goes to the other side: names, sources or items")
    if not is_usable(normal_name(target)) or normal_name(target) in side.entity.names:
        raise Usage(f"{target!r} is no other name: say what the split-off side is called")
    if set(names) >= set(side.entity.names):
        raise Usage(f"{name!r} would have no name left: leave it one")
    items = {_item(reader, one): one for one in parting.items}
    shown = frozenset((*side.entity.names, *(item.hex for item in items)))
    wanted = Parting(names, tuple(dict.fromkeys(parting.sources)), tuple(items.values()))
    return _Case("split", side, None, target.strip(), wanted, items, shown)


def _item(reader: Reader, name: str) -> UUID:
    source, _, id_ = name.partition(":")
    item = item_uuid(reader.key, ItemRef(source, id_))
    if item not in places_of(reader, [item]):
        raise Refused(f"no item {name!r} for this steward")
    return item


def _settle(desk: Desk, reader: Reader, case: _Case, terms: Terms) -> EntityDecision:
    saw = case.saw(desk.work.key)
    if terms.seen is not None and terms.seen != saw.hex()[:TOKEN]:
        raise Conflict(f"what {terms.seen!r} was shown for has changed; look at it again")
    if terms.dry_run:
        return _proposed(case, saw)
    with desk.writing() as conn:
        label = _label(conn, desk, reader, case)
        # Settled, undone and settled again in one instant are two decisions.
        parts = (format_instant(desk.now), str(len(settled_rows(reader))), saw)
        decision = keyed_uuid(desk.work.key, "entity decision", *parts)
        values = _values(desk, case, decision, saw) | {"audience": label, "reason": terms.reason or None}
        if conn.execute(SQL["settle"], values).rowcount != 1:
            raise Conflict("somebody else settled this at the same time; look at it again")
        desk.record(conn, f"entities {case.action}", decision.hex, {"saw": saw.hex()})
    with desk.reading() as after:
        (settled,) = told(after, [one for one in settled_rows(after) if one.decision == decision])
        return settled


def _values(desk: Desk, case: _Case, decision: UUID, saw: bytes) -> dict[str, object]:
    others = frozenset[UUID]() if case.other is None else case.other.ids - case.side.ids
    if case.target is not None:
        others |= {alias_uuid(desk.work.key, case.target)}
    return {
        "tenant": desk.tenant,
        "decision": decision,
        "action": case.action,
        "into": UUID(case.side.entity.id),
        "entities": sorted(case.side.ids),
        "others": sorted(others),
        "target": case.target,
        "target_name": case.target and normal_name(case.target),
        "names": list(case.parting.names),
        "sources": list(case.parting.sources),
        "items": sorted(case.items),
        "saw": saw,
        "by": desk.principal,
        "now": desk.now,
    }


def _proposed(case: _Case, saw: bytes) -> EntityDecision:
    return EntityDecision(
        id=None,
        action=case.action,
        entity=case.side.entity.title,
        other=case.target or ("" if case.other is None else case.other.entity.title),
        names=case.parting.names if case.action == "split" else tuple(sorted(case.shown)),  # type: ignore[arg-type]
        sources=tuple(case.parting.sources),
        items=tuple(case.parting.items),
        reason=None,
        by=None,
        at=None,
        undone_by=None,
        undone_at=None,
        seen=saw.hex()[:TOKEN],
    )


# ── for whom ──


def _label(conn: Connection, desk: Desk, reader: Reader, case: _Case) -> int:
    """The audience of everything that was shown: for each name, of something that shows it."""
    ids = case.side.ids | (case.other.ids if case.other is not None else frozenset())
    rows = reader.rows(
        _Evidence,
        "deciding",
        "evidence",
        names=sorted(case.shown),
        entities=sorted(ids),
        items=sorted(case.items),
    )
    by_name: dict[str, set[int]] = {}
    for row in rows:
        by_name.setdefault(row.name, set()).add(row.audience)
    known = {number: get_audience(conn, desk.tenant, number) for number in {row.audience for row in rows}}
    if not by_name:
        raise Refused("nothing that this steward may read shows what is to be settled")
    chosen = _widest(by_name.values(), known)
    whole = known[chosen[0]]
    for number in chosen[1:]:
        whole &= known[number]
    return audience_ids(conn, desk.tenant, {whole})[whole]


def _widest(options: Iterable[Collection[int]], known: Mapping[int, Audience]) -> list[int]:
    """One label for each name, as few and as wide as can be told."""
    chosen: dict[int, None] = {}
    for numbers in sorted(map(sorted, options), key=len):
        if not any(number in chosen for number in numbers):
            chosen[min(numbers, key=lambda number: _narrowness(known[number]))] = None
    return list(chosen)


def _narrowness(audience: Audience) -> tuple[int, int, list[list[str]]]:
    """The fewer conditions the wider; and everybody before anybody else."""
    closed = sum(EVERYONE not in clause for clause in audience.people)
    return closed, len(audience.clauses), audience.as_lists()
