"""A floor: BM25 over stemmed English words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import bm25s
import Stemmer
from protocol import Job, Message, play


class Bm25s:
    """bm25s with its English stop words and a stemmer, as its own guide shows."""

    version = f"bm25s {version('bm25s')}"

    def __init__(self, job: Job) -> None:
        del job
        self._stemmer = Stemmer.Stemmer("english")
        self._ids: list[str] = []
        self._index = bm25s.BM25()

    def add(self, messages: Sequence[Message]) -> None:
        self._ids = [one.id for one in messages]
        self._index.index(self._words([one.said for one in messages]), show_progress=False)

    def search(self, question: str, k: int) -> list[str]:
        words = self._words([question])
        if not words.vocab:
            return []
        rows, _ = self._index.retrieve(words, k=min(k, len(self._ids)), show_progress=False)
        return [self._ids[row] for row in rows[0]]

    def _words(self, texts: Sequence[str]) -> bm25s.tokenization.Tokenized:
        return bm25s.tokenize(list(texts), stopwords="en", stemmer=self._stemmer, show_progress=False)


play(Bm25s)
