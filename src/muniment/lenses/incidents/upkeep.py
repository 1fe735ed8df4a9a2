"""Memories to look at: of no use, often refuted, over, or said twice. Nothing is done to them here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Final

from muniment.domain.incidents import Duplicate, Unused
from muniment.domain.names import normal_name
from muniment.lenses.incidents.briefing import tallies
from muniment.lenses.incidents.memories import Memory, episodes
from muniment.lenses.incidents.safety import Tally
from muniment.lenses.incidents.situation import words_of

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["duplicates", "unused"]

_RESTED: Final = timedelta(days=180)  # without anybody having adopted it
_ALIKE: Final = 0.6  # of the words of the shorter cause
_DOUBTED: Final = 0.4


def unused(reader: Reader) -> list[Unused]:
    """What a maintainer should look at, the oldest first, each with the reason."""
    judged, as_of = tallies(reader), reader.moment.as_of
    found = []
    for one in episodes(reader):
        why = next(_reasons(one, judged.get(one.id, Tally()), as_of - one.at), None)
        if why is not None:
            cited = one.citations[0] if one.citations else None
            found.append(Unused(one.id, one.statement, why, (as_of - one.at).days, cited))
    return sorted(found, key=lambda one: (-one.age_days, one.id))


def _reasons(memory: Memory, tally: Tally, age: timedelta) -> Iterator[str]:
    if memory.standing.superseded_by is not None:
        yield "superseded"
    if tally.refuted and tally.confidence < _DOUBTED:
        yield f"low confidence: adopted {tally.adopted} times, refuted {tally.refuted} times"
    if not memory.is_settled:
        yield "nobody confirmed its cause"
    if not tally.adopted and age > _RESTED:
        yield "never adopted by anybody"


def duplicates(reader: Reader) -> list[Duplicate]:
    """Pairs of one service, environment and signal whose causes are told in much the same words."""
    groups: dict[tuple[str, str], list[Memory]] = {}
    for one in episodes(reader):
        where = (normal_name(one.service or ""), (one.environment or "").casefold())
        groups.setdefault(where, []).append(one)
    return [found for several in groups.values() for found in _alike(several)]


def _alike(several: Sequence[Memory]) -> Iterator[Duplicate]:
    words = {one.id: words_of(one.statement) for one in several}
    for one, other in combinations(sorted(several, key=lambda each: (each.at, each.id)), 2):
        both, least = words[one.id] & words[other.id], min(len(words[one.id]), len(words[other.id]))
        if least and len(both) / least >= _ALIKE and one.signals & other.signals:
            why = f"same service and signal {', '.join(sorted(one.signals & other.signals))}; alike causes"
            yield Duplicate(one.id, other.id, (one.statement, other.statement), why)
