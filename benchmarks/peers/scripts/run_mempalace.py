"""MemPalace, its drawers and its own search with full text beside meaning."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import mempalace.mcp_server as palace
from protocol import Job, Message, play


class MemPalace:
    """Each message is a drawer; it embeds by itself, with the model that is in its cache."""

    version = f"mempalace {version('mempalace')}"

    def __init__(self, job: Job) -> None:
        del job

    def add(self, messages: Sequence[Message]) -> None:
        for one in messages:
            done = palace.tool_add_drawer("peers", "talk", one.said, source_file=one.id)
            if not done.get("success"):
                raise RuntimeError(f"a drawer was refused: {str(done)[:200]}")

    def search(self, question: str, k: int) -> list[str]:
        found = palace.tool_search(question, limit=k, candidate_strategy="union")
        return [one["source_file"] for one in found["results"]]


play(MemPalace)
