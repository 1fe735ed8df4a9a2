"""MemPalace, its drawers, and its own search with full text beside meaning."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version

from protocol import Job, Message, Vectors, play, serve_vectors


class MemPalace:
    """Each message is a drawer. Its embedder is a server, which gives what was made beforehand."""

    version = f"mempalace {version('mempalace')}"

    def __init__(self, job: Job) -> None:
        said = {
            "MODEL": "openai-compat",
            "API_MODEL": "handed",
            "API_URL": serve_vectors(Vectors(job.folder)),
        }
        os.environ.update({f"MEMPALACE_EMBEDDING_{name}": value for name, value in said.items()})
        # Here, as it reads its settings when it is imported.
        import mempalace.mcp_server as palace  # noqa: PLC0415

        self._palace = palace

    def add(self, messages: Sequence[Message]) -> None:
        for one in messages:
            done = self._palace.tool_add_drawer("peers", "talk", one.said, source_file=one.id)
            if not done.get("success"):
                raise RuntimeError(f"a drawer was refused: {str(done)[:200]}")

    def search(self, question: str, k: int) -> list[str]:
        found = self._palace.tool_search(question, limit=k, candidate_strategy="union")
        return [one["source_file"] for one in found["results"]]


play(MemPalace)
