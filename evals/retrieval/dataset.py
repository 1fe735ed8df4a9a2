"""What a retrieval set is: clusters of events, questions with gold, and how they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from muniment.domain.evaluation import Measure, hit, recall

__all__ = ["Cluster", "Dataset", "Event", "Measure", "Question", "hit", "person", "recall"]

Event = dict[str, object]


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


def person(principal: str) -> Event:
    """Somebody who reads what names them, and nothing that is for every full member."""
    return {
        "op": "principal",
        "source": "dir",
        "id": principal,
        "at": "2020-01-01T00:00:00Z",
        "standing": "guest",
    }
