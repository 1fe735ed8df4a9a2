"""Which edges between items are obeyed, and what is left of them when they run in a ring. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from uuid import UUID

from muniment.claims.claim import Tie, TieKind, rank
from muniment.domain.record import EdgeRow, ItemRow
from muniment.domain.trust import is_trusted, trust_rank

__all__ = ["cut_rings", "obeyed"]

End = Callable[[Tie], UUID]

_KINDS: dict[str, TieKind] = {"supersedes": "supersedes", "amends": "amends"}
_EDITORS = frozenset({"owner", "system_of_record"})


def obeyed(edges: Iterable[EdgeRow], items: Collection[ItemRow]) -> frozenset[Tie]:
    """Ties among these items whose stater has authority over what they change.

    An item outside the collection does not exist: an edge to or from it has no effect.
    """
    by_item = {item.item: item for item in items}
    by_ref = {(item.source, item.id): item for item in items}
    ties = set()
    for edge in edges:
        stater, other = by_item.get(edge.item), by_ref.get((edge.target_source, edge.target_id))
        tie = _tie(edge, stater, other)
        if tie is not None:
            ties.add(tie)
    return frozenset(ties)


def _tie(edge: EdgeRow, stater: ItemRow | None, other: ItemRow | None) -> Tie | None:
    kind = _KINDS.get(edge.kind)
    if kind is None or stater is None or other is None or stater.item == other.item:
        return None
    if "recalled" in (stater.state, other.state):
        return None
    if edge.inverse:  # an item may always step back behind another
        return Tie(kind, other, stater)
    return Tie(kind, stater, other) if _has_authority(stater, other) else None


def _has_authority(stater: ItemRow, target: ItemRow) -> bool:
    """The target's author or an editor in its source; from elsewhere only a word that counts for more."""
    if not is_trusted(stater.trust) and trust_rank(stater.trust) < trust_rank(target.trust):
        return False
    if stater.source != target.source:
        return rank(stater.authority) > rank(target.authority)
    # Who only adds to a source changes nothing that came on another word, whoever they say wrote it.
    if stater.word == "added" != target.word:
        return False
    # Where neither has an author, as in a folder, the source itself speaks for both.
    return stater.author == target.author or stater.authority in _EDITORS


def cut_rings(ties: Collection[Tie]) -> tuple[frozenset[Tie], tuple[frozenset[UUID], ...]]:
    """The ties that lie in no ring, and the items of each ring.

    Every tie of a ring is cut, so that no order of arrival decides which one survives.
    """
    ringed = _stripped(frozenset(ties))
    return frozenset(ties) - ringed, _components(sorted(ringed, key=lambda tie: tie.order))


def _stripped(ties: frozenset[Tie]) -> frozenset[Tie]:
    """Ties in a ring, or on a way from one ring to another."""
    after = _without_firsts(ties, _actor, _target)
    return _without_firsts(after, _target, _actor)


def _actor(tie: Tie) -> UUID:
    return tie.actor.item


def _target(tie: Tie) -> UUID:
    return tie.target.item


def _without_firsts(ties: frozenset[Tie], start: End, end: End) -> frozenset[Tie]:
    """What remains when items that no tie leads to are taken away, again and again."""
    leading = Counter(end(tie) for tie in ties)
    leaving: dict[UUID, list[Tie]] = {}
    for tie in ties:
        leaving.setdefault(start(tie), []).append(tie)
    firsts = [item for item in leaving if not leading[item]]
    while firsts:
        for tie in leaving.pop(firsts.pop(), ()):
            leading[end(tie)] -= 1
            if not leading[end(tie)]:
                firsts.append(end(tie))
    return frozenset(tie for left in leaving.values() for tie in left)


def _components(ties: Sequence[Tie]) -> tuple[frozenset[UUID], ...]:
    groups: list[frozenset[UUID]] = []
    for tie in ties:
        ends = frozenset({tie.actor.item, tie.target.item})
        joined = [group for group in groups if group & ends]
        groups = [group for group in groups if not group & ends]
        groups.append(ends.union(*joined))
    return tuple(sorted(groups, key=lambda group: min(item.hex for item in group)))
