"""What an item was made from, and what follows for who may read it and how far its words may act. Pure.

A summary of two restricted documents is for whoever may read both, and counts no more than the lesser of
them, however many steps lie between. What it was made from and is not there any more, or not yet, nobody
can read: nor, then, it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from muniment.domain.audience import Audience
from muniment.domain.trust import LEAST, minimum
from muniment.items.fold import NOBODY, Standing

__all__ = ["Inherited", "inherit", "made_from"]

Key = tuple[str, str]
_OUTSIDE = ("https://", "http://")  # an address that is no item here is somebody else's document


@dataclass(frozen=True, slots=True)
class Inherited:
    """An item's label with that of everything it was made from; `origins` are those, in order."""

    audience: Audience
    trust: str
    origins: tuple[Key, ...]


def made_from(standing: Standing) -> frozenset[Key]:
    """What any of its texts says it was made from: one that says so no longer was still made from it."""
    declared = {(ref.source, ref.id) for body in standing.bodies.values() for ref in body.derived_from}
    own = (standing.ref.source, standing.ref.id)
    moved = {(own[0], standing.moved_to)} if standing.state == "moved" and standing.moved_to else set()
    # Ids that begin with @ are the record's own and never items.
    return frozenset(key for key in declared | moved if not key[1].startswith("@")) - {own}


def inherit(
    name: Key, standings: Mapping[Key, Standing | None], trusts: Mapping[Key, str]
) -> Inherited | None:
    """The label of one item among those it leads back to, all of them given; None where it has no text."""
    own = standings.get(name)
    if own is None:
        return None
    origins = sorted(_reached(name, standings) - {name})
    audience = own.audience
    for origin in origins:
        audience = _narrowed(audience, origin, standings.get(origin))
    return Inherited(
        audience, minimum([trusts[name], *(trusts.get(one, LEAST) for one in origins)]), tuple(origins)
    )


def _reached(name: Key, standings: Mapping[Key, Standing | None]) -> set[Key]:
    """Everything it leads back to; a cycle ends itself."""
    found, waiting = {name}, [name]
    while waiting:
        standing = standings.get(waiting.pop())
        for origin in made_from(standing) - found if standing is not None else ():
            found.add(origin)
            waiting.append(origin)
    return found


def _narrowed(audience: Audience, origin: Key, standing: Standing | None) -> Audience:
    if standing is None:
        return audience if origin[1].startswith(_OUTSIDE) else NOBODY
    if standing.state == "moved":  # its new id is an origin as well, and speaks for both
        return audience
    return NOBODY if NOBODY in (audience, standing.audience) else audience & standing.audience
