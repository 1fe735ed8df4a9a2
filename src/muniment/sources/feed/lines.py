"""Lines of JSON as events, and what is none as that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from muniment.sources.parsed import Parsed, Unread

__all__ = ["each", "lines"]


def lines(body: bytes, origin: str) -> Iterator[Parsed]:
    """Each line that is not blank."""
    for number, line in enumerate(body.split(b"\n"), 1):
        if said := line.strip():
            yield _event(said, f"{origin}, line {number}")


def _event(said: bytes, origin: str) -> Parsed:
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return Unread(origin, said, "is no JSON")
    return found if isinstance(found, dict) else Unread(origin, said, "is no object")


def each(found: Iterable[object], origin: str) -> Iterator[Parsed]:
    """Each element of a list that was read already."""
    for number, one in enumerate(found, 1):
        if isinstance(one, dict):
            yield one
        else:
            yield Unread(f"{origin}, event {number}", json.dumps(one), "is no object")
