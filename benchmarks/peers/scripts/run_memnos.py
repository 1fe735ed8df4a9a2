"""memnos without a model and without a reranker, on a PostgreSQL of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version

from core.service import MemnosMemory
from protocol import Job, Message, Vectors, play

SPACE = "everybody"


class Memnos:
    """What it gives back carries no id of ours, so that a message is known by its words."""

    version = f"memnos {version('memnos')}"

    def __init__(self, job: Job) -> None:
        vectors = Vectors(job.folder)
        self._memory = MemnosMemory(
            job.database, vectors.one, dim=Vectors.dimensions, ensure_schema=True, llm=None
        )
        self._ids: dict[str, str] = {}

    def add(self, messages: Sequence[Message]) -> None:
        for one in messages:
            self._memory.remember(SPACE, one.said, observed_at=datetime.fromisoformat(one.at), extract=False)
            self._ids[one.said] = one.id

    def search(self, question: str, k: int) -> list[str]:
        found = self._memory.recall(SPACE, question, k=4 * k, raw_quota=2 * k)
        ids = (self._ids.get(str(one.get("content"))) for one in found)
        return [one for one in ids if one is not None][:k]


play(Memnos)
