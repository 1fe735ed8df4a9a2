"""Where a page leads, and what leads to it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PageLink"]


@dataclass(frozen=True, slots=True)
class PageLink:
    """One visible thing in relation to a page.

    `relation` reads from the page: *depends on*, *amended by*, *referred to by*. `entity` opens a page of its
    own, `path` is that page's file in a folder of pages, `item` is where it stands at its source.
    """

    relation: str
    title: str
    kind: str
    entity: str | None
    item: str | None
    path: str | None = None
