"""A chat of our own, English and Chinese in one record: small, and always here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evals.retrieval.dataset import Cluster, Dataset, Question, person, recall
from evals.shared import ROOT, lines

__all__ = ["CHAT"]

_READER = "user:reader"


def _clusters() -> Iterator[Cluster]:
    folder = ROOT / "datasets"
    said = {"source": "chat", "op": "upsert", "kind": "message", "audience": [[_READER]]}
    events = [{**said, **line} for line in lines(folder / "chat_messages.jsonl")]
    questions = (_question(line) for line in lines(folder / "chat_questions.jsonl"))
    yield Cluster("chat", (person(_READER), *events), tuple(questions))


def _question(line: dict[str, Any]) -> Question:
    return Question(line["question"], _READER, frozenset(line["gold"]), line["kind"])


CHAT = Dataset(
    "chat",
    "chat",
    "ours; `worded` asks in other words than the answer's; one conversation, so no interval",
    _clusters,
    (recall(5), recall(10)),
)
