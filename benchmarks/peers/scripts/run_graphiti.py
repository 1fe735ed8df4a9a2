"""Graphiti on Kuzu, without a model: an edge a message, from speaker to conversation, written directly."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from graphiti_core import Graphiti
from graphiti_core.driver.driver import GraphProvider
from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.graph_queries import get_fulltext_indices
from graphiti_core.nodes import EntityNode
from protocol import Job, Message, Vectors, nearly, play

GROUP = "everybody"


class Handed(EmbedderClient):  # type: ignore[misc]  # untyped where it is not installed
    """An embedder of Graphiti's shape that gives what was made beforehand; names of nodes are nowhere."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    async def create(self, input_data: str | list[str] | Iterable[int]) -> list[float]:
        text = input_data if isinstance(input_data, str) else str(next(iter(input_data)))
        found: list[float] = nearly(self._vectors, text)
        return found

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [await self.create(text) for text in input_data_list]


class OnKuzu:
    """Its search by words and meaning, fused by rank, as `search` does it unasked."""

    version = f"graphiti-core {version('graphiti-core')}, kuzu {version('kuzu')}"

    def __init__(self, job: Job) -> None:
        self._loop = asyncio.new_event_loop()
        self._embedder = Handed(Vectors(job.folder))
        self._driver = KuzuDriver(db=":memory:")
        self._graph = Graphiti(graph_driver=self._driver, embedder=self._embedder)
        self._ids: dict[str, str] = {}
        self._loop.run_until_complete(self._prepare())

    def add(self, messages: Sequence[Message]) -> None:
        self._loop.run_until_complete(self._add(messages))

    def search(self, question: str, k: int) -> list[str]:
        found = self._loop.run_until_complete(self._graph.search(question, group_ids=[GROUP], num_results=k))
        return [self._ids[edge.uuid] for edge in found]

    async def _prepare(self) -> None:
        await self._graph.build_indices_and_constraints()
        for query in get_fulltext_indices(GraphProvider.KUZU):
            with contextlib.suppress(RuntimeError):  # it says so where the index is there
                await self._driver.execute_query(query)

    async def _add(self, messages: Sequence[Message]) -> None:
        names = dict.fromkeys(["the conversation", *(one.speaker for one in messages)])
        nodes = {name: await self._node(name) for name in names}
        for one in messages:
            edge = EntityEdge(
                source_node_uuid=nodes[one.speaker],
                target_node_uuid=nodes["the conversation"],
                name="SAID",
                fact=one.said,
                group_id=GROUP,
                created_at=datetime.now(UTC),
                valid_at=datetime.fromisoformat(one.at),
            )
            await edge.generate_embedding(self._embedder)
            await edge.save(self._driver)
            self._ids[edge.uuid] = one.id

    async def _node(self, name: str) -> str:
        node = EntityNode(name=name, group_id=GROUP, created_at=datetime.now(UTC))
        await node.generate_name_embedding(self._embedder)
        await node.save(self._driver)
        return str(node.uuid)


play(OnKuzu)
