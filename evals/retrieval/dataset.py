"""What a retrieval set is: clusters of events, questions with gold, and how they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Cluster", "Dataset", "Event", "Measure", "Question", "hit", "person", "recall"]

Event = dict[str, object]
Score = Callable[[Sequence[str], frozenset[str]], float | None]


@dataclass(frozen=True, slots=True)
class Question:
    """What `reader` asks, and the units that hold the evidence; none where the set names none."""

    text: str
    reader: str
    gold: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """A conversation, chat, block or meeting: resampled as one, and read by readers of its own."""

    name: str
    events: tuple[Event, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A score of one question from the units found, best first; None where the question does not count."""

    name: str
    score: Score


@dataclass(frozen=True, slots=True)
class Dataset:
    """A set as a plug-in.

    Sets of one `record` are asked of the same events. `depth` is the limit a search is given; `unit` says
    which unit an item's id belongs to, where that is not the item itself.
    """

    name: str
    record: str
    about: str
    clusters: Callable[[], Iterable[Cluster]]
    measures: tuple[Measure, ...]
    depth: int = 10
    unit: Callable[[str], str] = str


def recall(k: int, *, empty: float | None) -> Measure:
    """The share of the gold among the first k; `empty` for a question without gold, None leaves it out."""

    def score(found: Sequence[str], gold: frozenset[str]) -> float | None:
        return len(gold.intersection(found[:k])) / len(gold) if gold else empty

    return Measure(f"recall@{k}", score)


def hit(k: int) -> Measure:
    """Whether any gold is among the first k, over questions that have some."""

    def score(found: Sequence[str], gold: frozenset[str]) -> float | None:
        return float(not gold.isdisjoint(found[:k])) if gold else None

    return Measure(f"hit@{k}", score)


def person(principal: str) -> Event:
    """Somebody who reads what names them, and nothing that is for every full member."""
    return {
        "op": "principal",
        "source": "dir",
        "id": principal,
        "at": "2020-01-01T00:00:00Z",
        "standing": "guest",
    }
