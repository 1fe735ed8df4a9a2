"""A retriever for LangChain: documents that its view's principal may read, each with its citation.

`Retriever` is called as LangChain calls one and needs no library; `as_langchain` makes one of its own class.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final

from muniment.app import View
from muniment.domain.errors import Usage
from muniment.domain.values import Hit, Json, dump

__all__ = ["Document", "Retriever", "as_langchain"]

_KEPT: Final = "source item version url said_by said_at valid_from valid_to status trust level".split()


@dataclass(frozen=True, slots=True)
class Document:
    """A document by the names LangChain gives its parts."""

    page_content: str
    metadata: dict[str, Json] = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Retriever:
    """The best passages for a query, as far as the view's principal may read."""

    view: View
    limit: int = 8

    def invoke(self, query: str, config: object = None, **_: object) -> list[Document]:  # noqa: ARG002  # its form
        """One query."""
        hits = self.view.search(query, limit=self.limit, unit="passage")
        return list(_documents(hits))

    def get_relevant_documents(self, query: str) -> list[Document]:
        """The same by its older name."""
        return self.invoke(query)

    def batch(self, inputs: Sequence[str], config: object = None) -> list[list[Document]]:
        """Several queries, each a read of its own."""
        return [self.invoke(one, config) for one in inputs]

    async def ainvoke(self, query: str, config: object = None, **_: object) -> list[Document]:
        """One query, in a thread: reading waits for the database."""
        return await asyncio.to_thread(self.invoke, query, config)


def _documents(hits: Sequence[Hit]) -> Iterator[Document]:
    for hit in hits:
        if hit.citation is None:
            continue
        about = {name: dump(getattr(hit.citation, name)) for name in _KEPT}
        yield Document(hit.text, {**about, "citation": hit.citation.id, "score": hit.score}, hit.citation.id)


def as_langchain(view: View, *, limit: int = 8) -> Any:
    """A `langchain_core` BaseRetriever over the view; Usage where the library is not installed."""
    if find_spec("langchain_core") is None:
        raise Usage("this needs LangChain: pip install langchain-core, or use Retriever as it is")
    # Not ours to depend on: whoever calls this has it.
    from langchain_core.documents import Document as Theirs  # noqa: PLC0415
    from langchain_core.retrievers import BaseRetriever  # noqa: PLC0415

    own = Retriever(view, limit)

    class MunimentRetriever(BaseRetriever):  # type: ignore[misc]  # a class of a library that may be absent
        def _get_relevant_documents(self, query: str, **_: object) -> list[Any]:
            found = own.invoke(query)
            return [Theirs(page_content=one.page_content, metadata=one.metadata, id=one.id) for one in found]

    return MunimentRetriever()
