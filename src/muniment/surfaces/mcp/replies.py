"""Values as an agent's host takes them: structured data, a short text, and never more than fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from mcp.types import CallToolResult, TextContent

from muniment.app import count_tokens
from muniment.domain.values import Hit, Json

__all__ = ["MOST", "entries_within", "found", "reply", "text_within"]

MOST = 9_000  # tokens of one form of a reply: it leaves in two, and a host takes 25,000
Entry = TypeVar("Entry", bound=Mapping[str, Json])


def reply(data: Mapping[str, Json], text: str) -> CallToolResult:
    """A reply in both forms."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=dict(data))


def entries_within(entries: Sequence[Entry], most: int = MOST) -> list[Entry]:
    """The first of the entries, as many as fit, at least one."""
    kept: list[Entry] = []
    left = most
    for entry in entries:
        left -= count_tokens(str(entry))
        if kept and left < 0:
            break
        kept.append(entry)
    return kept


def text_within(text: str, most: int = MOST) -> tuple[str, int]:
    """The first paragraphs of a text, as many as fit, and how many were left out."""
    paragraphs = text.split("\n\n")
    left, kept = most, 0
    for paragraph in paragraphs:
        left -= count_tokens(paragraph) + 2
        if left < 0 and kept:
            break
        kept += 1
    shown = "\n\n".join(paragraphs[:kept])
    return (shown if kept > 1 else shown[: most * 8]), len(paragraphs) - kept


def found(hit: Hit) -> dict[str, Json]:
    """A hit under the names that hosts know: what is found has an id to fetch, a title, and a text."""
    cited = None if hit.citation is None else hit.citation.model_dump()
    said = cited or {}
    return {
        "id": said.get("id") or hit.passage,
        "title": " · ".join(one for one in (hit.source, hit.item) if one),
        "text": hit.text,
        "url": said.get("url") or "",
        **{name: said.get(name) for name in ("source", "item", "said_by", "said_at", "status", "trust")},
    }
