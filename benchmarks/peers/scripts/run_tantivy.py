"""A floor: Tantivy's index on disk, English stems, any word of the question."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import tantivy
from protocol import Job, Message, play


class Tantivy:
    """One commit for all messages."""

    version = f"tantivy {version('tantivy')}"

    def __init__(self, job: Job) -> None:
        build = tantivy.SchemaBuilder()
        build.add_text_field("id", stored=True, tokenizer_name="raw")
        build.add_text_field("said", stored=False, tokenizer_name="en_stem")
        self._index = tantivy.Index(build.build(), path=job.folder + "/index")

    def add(self, messages: Sequence[Message]) -> None:
        writer = self._index.writer()
        for one in messages:
            writer.add_document(tantivy.Document(id=one.id, said=one.said))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, question: str, k: int) -> list[str]:
        words = "".join(letter if letter.isalnum() else " " for letter in question)
        if not words.strip():
            return []
        searcher = self._index.searcher()
        asked = self._index.parse_query(words.lower(), ["said"])
        return [searcher.doc(address)["id"][0] for _, address in searcher.search(asked, k).hits]


play(Tantivy)
