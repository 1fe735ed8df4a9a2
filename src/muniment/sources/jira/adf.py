"""Atlassian's document format as text: paragraphs, lists, mentions and links, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["as_text"]

_BLOCKS: Final = frozenset(
    "paragraph heading codeBlock blockquote listItem rule panel tableRow taskItem decisionItem "
    "mediaSingle mediaGroup expand".split()
)


def as_text(value: object) -> str:
    """Text as it is; a document as its words, block by block."""
    if isinstance(value, str):
        return value
    joined = "".join(_pieces(told.as_object(value)))
    return "\n".join(line for line in (one.strip() for one in joined.split("\n")) if line)


def _pieces(node: Object) -> Iterator[str]:
    kind, said = told.text(node, "type"), told.text(node, "text")
    if said is not None:
        yield said
        yield from _links(node)
    elif kind in _INLINE:
        yield told.text(node, "attrs", _INLINE[kind]) or ""
    elif kind == "hardBreak":
        yield "\n"
    if kind == "listItem":
        yield "- "
    for part in told.listed(node, "content"):
        yield from _pieces(part)
    if kind in _BLOCKS:
        yield "\n"
    elif kind in ("tableCell", "tableHeader"):
        yield " | "


_INLINE: Final = {
    "mention": "text",
    "emoji": "text",
    "inlineCard": "url",
    "status": "text",
    "date": "timestamp",
}


def _links(node: Object) -> Iterator[str]:
    for mark in told.listed(node, "marks"):
        if told.text(mark, "type") == "link" and (there := told.text(mark, "attrs", "href")):
            yield f" ({there})" if there != told.text(node, "text") else ""
