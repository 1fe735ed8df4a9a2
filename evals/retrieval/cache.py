"""Vectors kept between runs, for embedding is what takes long."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from muniment.models.embedding import Embedder, Floats

__all__ = ["CACHE", "CachedEmbedder", "cached"]

CACHE = "MUNIMENT_EVAL_CACHE"
_TABLE = "create table if not exists vector (key blob primary key, vector blob not null) without rowid"


def cached(embedder: Embedder) -> Embedder:
    """The embedder behind a cache in the folder that MUNIMENT_EVAL_CACHE names, itself if it names none."""
    folder = os.environ.get(CACHE)
    return CachedEmbedder(embedder, Path(folder)) if folder else embedder


class CachedEmbedder:
    """An embedder that is asked once for each text, by model, words and whether they are a question."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        folder.mkdir(parents=True, exist_ok=True)
        # Several runs may share the file, and a question may be asked from another thread than a passage.
        self._file = sqlite3.connect(folder / "vectors.sqlite", timeout=60, check_same_thread=False)
        self._file.execute("pragma journal_mode=wal")
        self._file.execute(_TABLE)

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def is_centred(self) -> bool:
        return self._embedder.is_centred

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        keys = [_key(self.name, text, query=query) for text in texts]
        found = self._find(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            made = self._embedder.embed(list(missing.values()), query=query).astype(np.float32)
            new = {key: row.tobytes() for key, row in zip(missing, made, strict=True)}
            with self._file:
                self._file.executemany("insert or ignore into vector values (?, ?)", new.items())
            found |= new
        rows = [np.frombuffer(found[key], np.float32) for key in keys]
        return np.stack(rows) if rows else np.empty((0, self.dimensions), np.float32)

    def _find(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for key in keys:
            row = self._file.execute("select vector from vector where key = ?", (key,)).fetchone()
            if row is not None:
                found[key] = row[0]
        return found


def _key(model: str, text: str, *, query: bool) -> bytes:
    said = f"{model}\0{'query' if query else 'passage'}\0{text}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()
