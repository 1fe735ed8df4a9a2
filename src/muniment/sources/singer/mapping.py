"""The mapping file: which fields of a stream's records say what. Every fault is named with its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from muniment.domain.errors import Usage
from muniment.sources.strict import Node, Wrong, compose

__all__ = ["KINDS", "Stream", "read_mapping"]

_MANY: Final = ("id", "body")
_ONE: Final = (
    "title", "at", "created_at", "version", "author", "author_name", "url", "thread", "account", "project",
    "service", "deleted",
)  # fmt: skip
KINDS: Final = (
    "message", "email", "call", "meeting", "note", "document", "issue", "pull_request", "crm", "calendar",
    "alert", "observation",
)  # fmt: skip
_LONGEST: Final = 200_000


@dataclass(frozen=True, slots=True)
class Stream:
    """What a stream's records are, and where in a record each thing stands: `owner.name` goes into objects.

    `paths` holds one field for most things, and those of an id or a body in order.
    """

    name: str
    kind: str = "note"
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_mapping(path: Path) -> Mapping[str, Stream]:
    """The streams by name. Usage says what is wrong with the file, and where."""
    try:
        root = compose(path.read_text("utf-8"), "the mapping file", longest=_LONGEST, begins="streams:")
        streams = root.fields(("streams",)).get("streams")
        if streams is None:
            raise root.wrong("streams is missing")
        found = [_stream(node) for node in streams.each()]
    except (Wrong, OSError, UnicodeError) as error:
        raise Usage(f"mapping {str(path)!r}: {error}") from None
    if len({one.name for one in found}) < len(found):
        raise Usage(f"mapping {str(path)!r}: a stream is there twice")
    return {one.name: one for one in found}


def _stream(node: Node) -> Stream:
    parts = node.fields(("name", "kind", *_MANY, *_ONE))
    if "name" not in parts:
        raise node.wrong("name is missing: say which stream it is")
    kind = parts["kind"].one_of(KINDS) if "kind" in parts else "note"
    paths = {name: _paths(part) for name, part in parts.items() if name not in ("name", "kind")}
    for name in _ONE:
        if len(paths.get(name, ())) > 1:
            raise parts[name].wrong("one field is wanted here")
    return Stream(parts["name"].text(), kind, paths)


def _paths(node: Node) -> tuple[str, ...]:
    return tuple(one.text() for one in node.each()) if node.is_list else (node.text(),)
