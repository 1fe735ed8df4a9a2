"""Hindsight without a model: chunks as they are, fused by rank, through its own HTTP server.

Its embedder is an HTTP server that speaks like OpenAI's, and here it gives what was made beforehand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from protocol import Job, Message, Vectors, play, serve_vectors

BATCH = 50
STARTS_WITHIN = 180.0
PORT = 18_888


class Hindsight:
    """A bank, 50 messages a request; what it gives back names the document of each."""

    version = f"hindsight-api-slim {version('hindsight-api-slim')}"

    def __init__(self, job: Job) -> None:
        embeddings = serve_vectors(Vectors(job.folder))
        said = {
            "DATABASE_URL": job.database,
            "LLM_PROVIDER": "none",
            "EMBEDDINGS_PROVIDER": "openai",
            "EMBEDDINGS_OPENAI_API_KEY": "none",
            "EMBEDDINGS_OPENAI_BASE_URL": embeddings,
            "EMBEDDINGS_OPENAI_MODEL": "handed",
            "RERANKER_PROVIDER": "rrf",
            "HOST": "127.0.0.1",
            "PORT": str(PORT),
        }
        environment = {**os.environ, **{f"HINDSIGHT_API_{name}": value for name, value in said.items()}}
        program = Path(sys.executable).parent / "hindsight-api"
        log = (Path(job.folder) / "hindsight.log").open("wb")
        self._server = subprocess.Popen([program], env=environment, stdout=log, stderr=log)
        self._begin()

    def add(self, messages: Sequence[Message]) -> None:
        for start in range(0, len(messages), BATCH):
            items = [
                {"content": one.said, "document_id": one.id, "timestamp": one.at, "metadata": {"id": one.id}}
                for one in messages[start : start + BATCH]
            ]
            _call("POST", "/memories", {"items": items, "async": False})

    def search(self, question: str, k: int) -> list[str]:
        asked = {"query": question, "max_tokens": 4096, "budget": "mid"}
        found = _call("POST", "/memories/recall", asked)["results"]
        ids = ((one.get("metadata") or {}).get("id") or one.get("document_id") for one in found)
        return list(dict.fromkeys(str(one) for one in ids))[:k]

    def close(self) -> None:
        """Stop the server that was started here."""
        self._server.terminate()
        self._server.wait(30)

    def _begin(self) -> None:
        give_up = time.monotonic() + STARTS_WITHIN
        while True:
            try:
                _call("PUT", "", {"name": "peers"})
            except (urllib.error.URLError, OSError):
                if time.monotonic() > give_up or self._server.poll() is not None:
                    raise
                time.sleep(1)
            else:
                return


def _call(method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}/v1/default/banks/peers{path}",
        method=method,
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=300) as reply:  # noqa: S310  # our own address
        found: dict[str, Any] = json.loads(reply.read() or b"{}")
        return found


def main() -> None:
    begun: list[Hindsight] = []

    def make(job: Job) -> Hindsight:
        begun.append(Hindsight(job))
        return begun[0]

    try:
        play(make)
    finally:
        for one in begun:
            one.close()


main()
