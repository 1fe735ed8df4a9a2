"""How much a memory that is safe has to do with what is observed. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.domain.names import normal_name
from muniment.lenses.incidents.memories import Memory
from muniment.lenses.incidents.safety import Now, Tally
from muniment.lenses.incidents.situation import Situation, words_of

__all__ = ["Weighed", "weigh"]

_SERVICE, _SIGNAL, _CODE, _ENTITY = 4.0, 3.0, 3.0, 2.0
_WORDS, _MEANING, _SHAPE, _CONFIDENCE, _FRESH = 2.0, 2.0, 0.5, 1.0, 0.5
_HALF_LIFE: Final = 180.0  # days
_LEAST: Final = 4.0  # of what is specific: one service, or two others; many services share an alert's name


@dataclass(frozen=True, slots=True)
class Weighed:
    """A memory with its weight and what it shares with the situation, in words."""

    memory: Memory
    weight: float
    why: str

    @property
    def order(self) -> tuple[float, float, str]:
        """Heaviest first, then newest, then by id: the same for everybody who sees the same."""
        return (-self.weight, -self.memory.at.timestamp(), self.memory.id)


def weigh(memory: Memory, now: Now, near: Mapping[str, float]) -> Weighed | None:
    """None where nothing specific is shared. `near` is how near each is in meaning, from 0 to 1."""
    shared = _shared(memory, now.situation)
    specific = sum(weight for weight, _ in shared)
    if specific < _LEAST and memory.kind == "episode":
        return None
    if memory.kind == "procedure" and not memory.signals & now.situation.signals:
        return None
    words = _overlap(words_of(memory.text), words_of(now.situation.text))
    weight = specific + _WORDS * words + _MEANING * near.get(memory.id, 0.0)
    weight += _SHAPE * _overlap(memory.tools, now.situation.tools)
    weight += _CONFIDENCE * now.tallies.get(memory.id, Tally()).confidence
    weight += _FRESH * 0.5 ** (_days(memory.at, now.as_of) / _HALF_LIFE)
    return Weighed(memory, round(weight, 6), _told(shared, memory, now))


def _shared(memory: Memory, situation: Situation) -> list[tuple[float, str]]:
    shared = []
    if memory.service and normal_name(memory.service) == normal_name(situation.service or ""):
        shared.append((_SERVICE, f"same service {memory.service}"))
    if signals := sorted(memory.signals & situation.signals):
        shared.append((_SIGNAL, f"same signal {', '.join(signals[:3])}"))
    if codes := sorted(memory.codes & situation.codes):
        shared.append((_CODE, f"same error code {', '.join(codes[:3])}"))
    if entities := sorted(memory.entities & situation.entities):
        shared.append((_ENTITY, f"same {', '.join(entities[:3])}"))
    return shared


def _told(shared: list[tuple[float, str]], memory: Memory, now: Now) -> str:
    tally = now.tallies.get(memory.id, Tally())
    said = [why for _, why in shared]
    if tally.adopted or tally.refuted:
        said.append(f"adopted {tally.adopted} times, refuted {tally.refuted} times")
    return "; ".join(said)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the smaller set both share."""
    least = min(len(one), len(other))
    return len(one & other) / least if least else 0.0


def _days(since: datetime, now: datetime) -> float:
    return max((now - since).total_seconds() / 86_400, 0.0)
