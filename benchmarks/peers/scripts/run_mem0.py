"""mem0 without a model: messages as they are (`infer=False`), Qdrant on disk."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from mem0 import Memory
from protocol import Job, Message, Vectors, play

USER = "everybody"
NOWHERE = "http://127.0.0.1:9/v1"


class Handed:
    """An embedder of mem0's shape that gives what was made beforehand."""

    config = None

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        del memory_action
        found: list[float] = self._vectors.one(text)
        return found

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        del memory_action
        return [self._vectors.one(text) for text in texts]


class Mem0:
    """One call a message, as its users make it."""

    version = f"mem0ai {version('mem0ai')}"

    def __init__(self, job: Job) -> None:
        openai = {"api_key": "none", "openai_base_url": NOWHERE}
        store = {"path": job.folder + "/qdrant", "on_disk": True, "embedding_model_dims": Vectors.dimensions}
        self._memory = Memory.from_config(
            {
                "embedder": {
                    "provider": "openai",
                    "config": {**openai, "embedding_dims": Vectors.dimensions},
                },
                "llm": {"provider": "openai", "config": openai},
                "vector_store": {"provider": "qdrant", "config": {**store, "collection_name": "peers"}},
                "history_db_path": job.folder + "/history.db",
            }
        )
        self._memory.embedding_model = Handed(Vectors(job.folder))

    def add(self, messages: Sequence[Message]) -> None:
        for one in messages:
            self._memory.add(one.said, user_id=USER, infer=False, metadata={"message": one.id})

    def search(self, question: str, k: int) -> list[str]:
        found = self._memory.search(question, filters={"user_id": USER}, top_k=k)["results"]
        return [one["metadata"]["message"] for one in found]


play(Mem0)
