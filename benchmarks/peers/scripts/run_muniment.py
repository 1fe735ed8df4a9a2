"""Ours, through the public door and with default settings: a message is an event, a question a search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from protocol import Job, Message, Vectors, play

import muniment
from muniment.models.embedding import Floats
from muniment.models.nano import NanoEmbedder
from muniment.settings import Settings

WHO = "user:reader"


class Handed:
    """The default embedder, which need not be asked for what was made beforehand."""

    name = NanoEmbedder.name
    dimensions = NanoEmbedder.dimensions
    is_centred = True

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._own = NanoEmbedder()

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        return np.array([self._one(text, query=query) for text in texts], np.float32).reshape(-1, 384)

    def _one(self, text: str, *, query: bool) -> Floats:
        try:
            found: Floats = self._vectors([text])[0]
        except KeyError:  # what is embedded of a message may have more to it than its words
            found = self._own.embed([text], query=query)[0]
        return found


class Muniment:
    """A record in a database of its own."""

    version = f"muniment {muniment.__version__}"

    def __init__(self, job: Job) -> None:
        settings = Settings(login="peers")
        self._org = muniment.open(job.database, embedder=Handed(Vectors(job.folder)), settings=settings)
        self._org.ingest(
            [
                {
                    "op": "principal",
                    "source": "dir",
                    "id": WHO,
                    "standing": "member",
                    "at": "2020-01-01T00:00:00Z",
                }
            ]
        )

    def add(self, messages: Sequence[Message]) -> None:
        receipt = self._org.ingest(_event(one) for one in messages)
        if receipt.quarantined:
            raise RuntimeError(f"{receipt.quarantined} messages were refused")
        self._org.sync()

    def search(self, question: str, k: int) -> list[str]:
        return [str(hit.item) for hit in self._org.reader(WHO).search(question, limit=k)]


def _event(one: Message) -> dict[str, object]:
    said = {
        "author": f"user:{one.speaker.lower()}",
        "author_name": one.speaker,
        "body": one.text,
        "kind": "message",
    }
    return {"op": "upsert", "source": "talk", "id": one.id, "at": one.at, "audience": [["*"]], **said}


play(Muniment)
