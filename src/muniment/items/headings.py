"""Headings as marks in a body, and the sections they open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from muniment.domain.passages import Section

__all__ = ["Mark", "sections"]


class Mark(NamedTuple):
    """A heading: characters [start, end) of its lines, how deep it is, and its words."""

    start: int
    end: int
    level: int
    title: str


def sections(body: str, marks: Sequence[Mark]) -> tuple[Section, ...]:
    """Sections that tile the body.

    A heading with nothing but a deeper heading under it opens one section with it: alone it would be a
    passage that says nothing.
    """
    found: list[Section] = []
    path: list[Mark] = []
    start = 0
    for mark in marks:
        if body[start : mark.start].strip() and not _leads_into(body, path, start, mark):
            found.append(Section(start, mark.start, _titles(path)))
            start = mark.start
        path = [*(above for above in path if above.level < mark.level), mark]
    if start < len(body):
        found.append(Section(start, len(body), _titles(path)))
    return tuple(found)


def _leads_into(body: str, path: Sequence[Mark], start: int, mark: Mark) -> bool:
    """Whether the section so far is headings alone, the last of them directly above the mark."""
    if not path or path[-1].start < start or mark.level <= path[-1].level:
        return False
    return not body[path[-1].end : mark.start].strip()


def _titles(path: Sequence[Mark]) -> tuple[str, ...]:
    return tuple(mark.title for mark in path)
