"""BEAM (six chats of 100K tokens): messages between one user and an assistant, evidence by message."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Event, Question, hit, person, recall
from evals.shared import shared

__all__ = ["EVIDENCE"]

_WHEN = "%B-%d-%Y"
_START = datetime(2024, 1, 1, 9, tzinfo=UTC)


def _clusters() -> Iterator[Cluster]:
    for folder in sorted((shared("beam") / "100K").iterdir(), key=lambda folder: int(folder.name)):
        yield _cluster(folder)


def _cluster(folder: Path) -> Cluster:
    name, reader = folder.name, f"user:beam{folder.name}"
    batches = json.loads((folder / "chat.json").read_text(encoding="utf-8"))
    events = tuple(_events(name, batches, reader))
    known = {event["id"] for event in events}
    asked = json.loads((folder / "probing_questions" / "probing_questions.json").read_text(encoding="utf-8"))
    questions = tuple(
        Question(
            one["question"],
            reader,
            frozenset(
                f"{name}/{said}" for said in _leaves(one.get("source_chat_ids")) if f"{name}/{said}" in known
            ),
            ability,
        )
        for ability, ones in asked.items()
        for one in ones
    )
    return Cluster(name, (person(reader), *events), questions)


def _events(name: str, batches: Sequence[Mapping[str, Any]], reader: str) -> Iterator[Event]:
    """A message a minute, from nine o'clock of the last day that the chat named."""
    at = _START
    for batch in batches:
        for said in (said for turn in batch["turns"] for said in turn):
            day = said.get("time_anchor")
            at = _morning(day) if day and _morning(day) > at else at + timedelta(minutes=1)
            yield {
                "source": "beam",
                "id": f"{name}/{said['id']}",
                "op": "upsert",
                "kind": "message",
                "at": at.isoformat(),
                "author": f"user:{said['role']}{name}",
                "author_name": said["role"].title(),
                "thread": f"{name}/{batch['batch_number']}",
                "body": said["content"],
                "audience": [[reader]],
            }


def _morning(day: str) -> datetime:
    return datetime.strptime(day, _WHEN).replace(hour=9, tzinfo=UTC)


def _leaves(value: object) -> list[object]:
    """The ids in lists and mappings of any depth."""
    match value:
        case None:
            return []
        case dict():
            return [leaf for one in value.values() for leaf in _leaves(one)]
        case list():
            return [leaf for one in value for leaf in _leaves(one)]
    return [value]


EVIDENCE = Dataset(
    "beam",
    "beam",
    "evidence messages of a chat, questions with evidence",
    _clusters,
    (recall(10), hit(10)),
)
