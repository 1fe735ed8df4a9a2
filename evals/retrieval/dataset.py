"""What a retrieval set is: clusters of events, questions with gold, and how they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from muniment.domain.evaluation import Measure, hit, recall

__all__ = ["PLAIN", "Cluster", "Dataset", "Event", "Measure", "Question", "hit", "person", "recall"]

Event = dict[str, object]

PLAIN = "-plain"  # ends the name of a set without what says how its events hang together
# What an event cannot do without, and who says it.
_PLAIN = ("source", "id", "op", "at", "author", "body", "audience")


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

    def plain(self) -> Dataset:
        """The same without kind, thread and container: nothing says how its events hang together.

        An author is called by name, as there is no other field for it.
        """
        return replace(
            self,
            name=f"{self.name}{PLAIN}",
            record=f"{self.record}{PLAIN}",
            about=f"{self.about}; events without kind, thread and container",
            clusters=lambda: map(_plainly, self.clusters()),
        )


def _plainly(cluster: Cluster) -> Cluster:
    return replace(cluster, events=tuple(_plain(one) if "body" in one else one for one in cluster.events))


def _plain(event: Event) -> Event:
    named = {"author": f"user:{str(event['author_name']).lower()}"} if event.get("author_name") else {}
    return {field: value for field, value in (event | named).items() if field in _PLAIN}


def person(principal: str) -> Event:
    """Somebody who reads what names them, and nothing that is for every full member."""
    return {
        "op": "principal",
        "source": "dir",
        "id": principal,
        "at": "2020-01-01T00:00:00Z",
        "standing": "guest",
    }
