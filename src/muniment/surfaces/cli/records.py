"""Pages, timelines, histories and explanations as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muniment.domain.changes import PageChange, PageChanges
from muniment.domain.regex import regex
from muniment.domain.values import Citation, Explain, History, Page, TimelineEntry
from muniment.surfaces.cli.answers import cited, day, moment
from muniment.surfaces.cli.out import Line, Look, counted, one_line

__all__ = ["changed", "explained", "history", "page", "timeline"]


# Our own links, which lead nowhere from a terminal. What sources say has its brackets escaped.
_LINK = regex(r"(?<!\\)\[((?:\\.|[^\]\\])*)\]\(\.\./[a-z0-9/-]+\.md\)")


def page(found: Page) -> Iterator[Line]:
    """The page's own Markdown, its links as the names that open them."""
    yield Line(_LINK.sub(r"\1", found.markdown.rstrip()))
    yield Line()
    notes = [f"as of {moment(found.as_of)}"]
    notes += [f"{found.stale} stale"] if found.stale else []
    notes += [f"{found.conflicts} in conflict"] if found.conflicts else []
    yield Line(" · ".join(notes), Look.FAINT)


def changed(found: PageChanges) -> Iterator[Line]:
    """Each changed sentence under its section, what it was above what it is."""
    yield Line(f"{found.title} ({found.kind}) since {moment(found.since)}", Look.STRONG)
    section = None
    for one in found.changes:
        if one.section != section:
            section = one.section
            yield from (Line(), Line(f"{section}:"))
        yield from _change(one)
    if not found.changes:
        yield from (Line(), Line("nothing changed"))
    yield from (Line(f"… {counted(found.more, 'more change')}"),) if found.more else ()


def _change(one: PageChange) -> Iterator[Line]:
    if one.before is not None:
        yield Line(f"  - {one_line(one.before)}")
    if one.after is not None:
        yield Line(f"  + {one_line(one.after)}")
    status = one.status if one.status not in (None, "active") else ""
    known = f"known {moment(one.known)}" if one.known is not None else ""
    place = "" if one.citation is None else _where(one.citation)
    yield Line(f"    {' · '.join(part for part in (one.change, status, known, place) if part)}", Look.FAINT)


def _where(citation: Citation) -> str:
    return citation.source if citation.item is None else f"{citation.source}:{citation.item}"


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
    if found.passage:
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
