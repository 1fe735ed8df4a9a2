"""A file of source code as what it says to its readers, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath

from muniment.domain.regex import regex
from muniment.sources.folder import Document, Unreadable, read_document
from muniment.sources.git.comments import comments, is_code, worth_reading
from muniment.sources.git.python import Said, said_in_python

__all__ = ["document_at", "is_decision", "is_document", "is_read"]

_DOCUMENTS = (".md", ".markdown", ".mdown", ".rst", ".txt", ".html", ".htm")
_NAMED = frozenset("README CHANGELOG CHANGES NEWS CONTRIBUTING HISTORY SECURITY DECISIONS".split())
_DECISIONS = regex(r"(?:^|/)(?:adrs?|decisions|decision-records|rfcs?)/", re.IGNORECASE)
_PYTHON = (".py", ".pyi")


def is_document(path: str) -> bool:
    """Whether a file is text that was written to be read."""
    name = PurePosixPath(path)
    return name.suffix.lower() in _DOCUMENTS or (not name.suffix and name.name in _NAMED)


def is_read(path: str) -> bool:
    """Whether anything of a file is read."""
    return is_document(path) or is_code(path)


def is_decision(path: str) -> bool:
    """Whether a document stands where projects keep the record of what they decided."""
    return is_document(path) and _DECISIONS.search(path) is not None


def document_at(path: str, data: bytes) -> Document | Unreadable | None:
    """The document of a file; None where its code says nothing to a reader."""
    if is_document(path):
        return read_document(data, path)
    if b"\0" in data:
        return Unreadable("it holds NUL bytes: a binary file")
    said = _said(data.decode("utf-8", "replace").replace("\r\n", "\n"), path)
    return Document(path, _markdown(path, said), "text/markdown") if said else None


def _said(source: str, path: str) -> list[Said]:
    read = said_in_python(source) if path.lower().endswith(_PYTHON) else None
    if read is None:
        return [Said("", text) for text in comments(source, path)]
    return [Said(one.about, text) for one in _gathered(read) for text in _worded(one)]


def _gathered(read: list[Said]) -> Iterator[Said]:
    """Comment lines about one part that follow each other, as one."""
    for (about, comment), group in groupby(read, key=lambda one: (one.about, one.text.startswith("#"))):
        texts = [one.text for one in group]
        yield from (Said(about, text) for text in (["\n".join(texts)] if comment else texts))


def _worded(one: Said) -> list[str]:
    return list(worth_reading(one.text)) if one.text.startswith("#") else [one.text.strip()]


def _markdown(path: str, said: list[Said]) -> str:
    """Under the file's name, each part of it under its own."""
    blocks = [f"# {path}"]
    for about, group in groupby(said, key=lambda one: one.about):
        if about:
            blocks.append(f"## {about}")
        blocks += [one.text for one in group]
    return "\n\n".join(blocks) + "\n"
