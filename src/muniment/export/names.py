"""Which file each page is, so that no two are one: its place, or that and a digest where another has it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from muniment.pages.entities import Entity
from muniment.pages.places import folder_of, path_of

__all__ = ["folder_of", "paths"]

_DIGITS = 10  # of a digest: among 10,000 titles without a letter, two meet once in 20,000 wikis


def paths(entities: Iterable[Entity]) -> dict[str, Entity]:
    """The file of each entity's page, relative to the root; no two alike."""
    found: dict[str, Entity] = {}
    for one in entities:
        path = path_of(one)
        found[_told_apart(path, one.names[0]) if path in found else path] = one
    return found


def _told_apart(path: str, name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{path.removesuffix('.md')}-{digest}.md"
