"""Who can be run, what each needs, and where it is used outside what it was made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["ROSTER", "Entry"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One peer or floor.

    `needs` are packages of its environment, None for ours. `stores`: what holds what it keeps, where that is
    another process, whose memory is not counted. `beyond` says where it is used as it was not meant.
    """

    name: str
    needs: tuple[str, ...] | None
    beyond: str
    stores: str = ""


ROSTER: Final = (
    Entry("muniment", None, "–", "PostgreSQL"),
    Entry("int8", (), "a floor: no rights, no updates, everything in memory"),
    Entry(
        "bm25s", ("bm25s==0.3.16", "PyStemmer==3.1.0"), "a floor: no rights, no updates, everything in memory"
    ),
    Entry("tantivy", ("tantivy==0.27.0",), "a floor: an index of words, no rights"),
    Entry(
        "mem0",
        ("mem0ai==2.2.1",),
        "made for facts that a model extracts; its BM25 needs a download and is off",
    ),
    Entry("memnos", ("memnos==0.1.45",), "made with a reranker, which is off", "PostgreSQL"),
    Entry(
        "graphiti",
        ("graphiti-core[kuzu]==0.31.2", "kuzu==0.11.3", "httpx"),
        "made for facts that a model extracts; edges written directly",
    ),
    Entry("mempalace", ("mempalace==3.11.0",), "made for one person's own notes, and for another embedder"),
    Entry(
        "hindsight",
        ("hindsight-api-slim==1.1.0",),
        "made for facts that a model extracts and for a cross-encoder, both off",
        "its server and PostgreSQL",
    ),
)
