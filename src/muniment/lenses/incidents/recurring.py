"""Causes that came back: episodes of one shape, for whoever may propose a procedure from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final
from uuid import UUID

from muniment.domain.incidents import Recurring
from muniment.domain.names import normal_name
from muniment.events.rights import RESERVED
from muniment.lenses.incidents.ledger import Row, text_of, texts_of
from muniment.lenses.incidents.memories import Memory, episodes
from muniment.lenses.incidents.merges import Merges, merges, root_of
from muniment.lenses.incidents.situation import words_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["LEAST", "recurring"]

LEAST: Final = 3  # instances: twice may be chance
_ALIKE: Final = 0.6  # of the words of the shorter cause


def recurring(reader: Reader) -> list[Recurring]:
    """Each cause confirmed three times or more that no procedure was proposed for, most often first."""
    told, merged = _proposed(reader), merges(reader)
    settled = [one for one in episodes(reader) if one.is_settled and one.standing.superseded_by is None]
    rows = {row.item: row for row in reader.rows(Row, "incidents", "episodes")}
    groups: list[list[Memory]] = []
    for one in sorted(settled, key=lambda each: (each.at, each.id)):
        alike = next((several for several in groups if _is_alike(several[0], one)), None)
        if alike is None:
            groups.append([one])
        else:
            alike.append(one)
    often = [several for several in groups if len(several) >= LEAST]
    new = [several for several in often if not any(told & _names(one, merged) for one in several)]
    found = [_shape(several, rows) for several in new]
    return sorted(found, key=lambda one: (-len(one.instances), one.service, one.statement))


def _proposed(reader: Reader) -> set[str]:
    """The episodes from which a procedure was proposed already, whatever became of it."""
    rows = reader.rows(Row, "incidents", "of_kind", entry="proposed")
    by_name = {one for row in rows for one in texts_of(row.said.get("instances"))}
    return by_name | {f"{RESERVED}:{one}" for row in rows if (one := text_of(row.said.get("episode")))}


def _names(one: Memory, merged: Merges) -> set[str]:
    return {one.id, root_of(merged, one.id), one.scope}


def _is_alike(one: Memory, other: Memory) -> bool:
    if not one.service or normal_name(one.service) != normal_name(other.service or ""):
        return False
    if (one.environment or "").casefold() != (other.environment or "").casefold():
        return False
    if not one.signals & other.signals:
        return False
    words, others = words_of(one.statement), words_of(other.statement)
    least = min(len(words), len(others))
    return bool(least) and len(words & others) / least >= _ALIKE


def _shape(several: Sequence[Memory], rows: Mapping[UUID, Row]) -> Recurring:
    newest = several[-1]
    signals = frozenset.intersection(*(one.signals for one in several)) or newest.signals
    return Recurring(
        service=newest.service or "",
        environment=newest.environment,
        signals=tuple(sorted(signals)),
        statement=newest.statement,
        instances=tuple(one.id for one in reversed(several)),
        sources=tuple(one.scope for one in reversed(several)),
        steps=_steps([rows[one.item] for one in reversed(several) if one.item in rows]),
    )


def _steps(rows: Sequence[Row]) -> tuple[str, ...]:
    """What was done in most of the instances, in the words of the newest in which it was."""
    said: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for row in rows:
        done = {
            normal_name(action.partition(" → ")[0]): action.partition(" → ")[0]
            for action in texts_of(row.said.get("actions"))
        }
        counted.update(done.keys())
        said = {**done, **said}
    return tuple(said[name] for name in said if counted[name] * 2 > len(rows) and text_of(said[name]))
