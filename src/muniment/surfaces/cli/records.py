"""Pages, timelines, histories and explanations as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muniment.domain.values import Explain, History, Page, TimelineEntry
from muniment.surfaces.cli.answers import cited, day, moment
from muniment.surfaces.cli.out import Line, Look, one_line

__all__ = ["explained", "history", "page", "timeline"]


def page(found: Page) -> Iterator[Line]:
    """The page's own Markdown."""
    yield Line(found.markdown.rstrip())
    yield Line()
    notes = [f"as of {moment(found.as_of)}"]
    notes += [f"{found.stale} stale"] if found.stale else []
    notes += [f"{found.conflicts} in conflict"] if found.conflicts else []
    yield Line(" · ".join(notes), Look.FAINT)


def timeline(entries: Sequence[TimelineEntry]) -> Iterator[Line]:
    """What happened, oldest first, and where it was said."""
    widest = max((len(entry.change) for entry in entries), default=0)
    for entry in entries:
        yield Line(f"{day(entry.at)}  {entry.change:<{widest}}  {one_line(entry.what)}{_place(entry)}")


def _place(entry: TimelineEntry) -> str:
    citation = entry.citation
    if citation is None or citation.item is None:
        return ""
    return f"  ({citation.source}:{citation.item})"


def history(versions: Sequence[History]) -> Iterator[Line]:
    """Each version: when it held, when the record knew it, and why it changed."""
    for version in versions:
        held = f"{day(version.valid_from) or '…'} to {day(version.valid_to) or 'now'}"
        known = f"{moment(version.known_from)} to {moment(version.known_to) if version.known_to else 'now'}"
        yield Line(one_line(version.statement), Look.STRONG)
        yield Line(
            f"  held {held} · known {known} · {version.why}{f' by {version.by}' if version.by else ''}"
        )
        if version.citation is not None:
            yield Line(f"  {cited(version.citation)}", Look.FAINT)


def explained(found: Explain) -> Iterator[Line]:
    """The citation, its words in their place, why the reader may see them, and where they came from."""
    yield Line(cited(found.citation), Look.STRONG)
    yield Line()
    yield from (Line(f"  {line}") for line in found.passage.splitlines())
    yield from _listed("visible because", found.why_visible)
    yield from _listed("came from", found.lineage)
    if found.citation.claim is not None:
        yield Line()
        yield Line(f"history {found.citation.claim}", Look.FAINT)


def _listed(head: str, lines: Sequence[str]) -> Iterator[Line]:
    if lines:
        yield Line()
        yield Line(f"{head}:")
        yield from (Line(f"  {one_line(line)}") for line in lines)
