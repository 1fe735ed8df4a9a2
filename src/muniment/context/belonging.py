"""What belongs to the account, project or service that a task names, before what is another's of its kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from muniment.context.retrieve import Candidate, Found
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow
from muniment.pages.entities import Entity

__all__ = ["nearest_first"]

ELSEWHERE = 0.7  # of its score is left to what is another's: the same rule is often written for each of many


def nearest_first(found: Found, named: Sequence[object]) -> Found:
    """What was found, where what belongs to others of the kind that is named stands back."""
    meant = _meant(one for one in named if isinstance(one, Entity))
    if not meant:
        return found
    weighed = (_weighed(one, meant) for one in found.candidates)
    ordered = sorted(weighed, key=lambda one: (-one.score, one.passage.passage))
    return replace(found, candidates=tuple(ordered))


def _meant(named: Iterable[Entity]) -> dict[str, set[str]]:
    """Names of what is named, by its kind."""
    meant: dict[str, set[str]] = {}
    for one in named:
        if one.kind in ("account", "project", "service"):
            meant.setdefault(one.kind, set()).update(one.names)
    return meant


def _weighed(one: Candidate, meant: Mapping[str, set[str]]) -> Candidate:
    is_anothers = any(_is_anothers(_owner(one.item, kind), names) for kind, names in meant.items())
    return replace(one, score=round(one.score * ELSEWHERE, 6)) if is_anothers else one


def _owner(item: ItemRow, kind: str) -> str | None:
    return {"account": item.account, "project": item.project, "service": item.service}[kind]


def _is_anothers(owner: str | None, names: set[str]) -> bool:
    return owner is not None and normal_name(owner) not in names
