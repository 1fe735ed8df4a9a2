"""An item's text with its structure: what stands under which heading, who speaks, whose words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.domain.passages import Origin, Span, Text
from muniment.items import markdown, plain, restructured
from muniment.items.headings import Mark, sections
from muniment.items.lines import Line, Range, fenced, lines, outside
from muniment.items.origins import borrowed, invisible, signature, tile
from muniment.items.quoted_html import marked_up
from muniment.items.transcript import by_speaker

__all__ = ["headings", "structure"]

_SPOKEN = frozenset({"meeting", "call"})
_TITLED = frozenset({"document", "note", "meeting", "call"})


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a media type's own marks say: headings, code, and what a rendered page would not show."""

    marks: Sequence[Mark] = ()
    code: Sequence[Range] = ()
    hidden: Sequence[Range] = ()


def structure(kind: str, body: str, media: str | None) -> Text:
    """The body's sections and spans, each tiling it. The same input gives the same value, always."""
    if not body:
        return Text(body, (), ())
    rows = lines(body)
    layout = _layout(kind, body, rows, media)
    parts = sections(body, () if kind == "message" else layout.marks)
    prose = outside(rows, layout.code)
    if kind in _SPOKEN:
        parts = by_speaker(prose, parts)
    unseen = [Span(start, end, Origin.HIDDEN) for start, end in layout.hidden]
    theirs = [*borrowed(prose, kind, len(body)), *marked_up(body, kind, media)]
    spans = tile(len(body), [*theirs, *signature(prose, kind, len(body)), *unseen, *invisible(body)])
    return Text(body, parts, spans)


def headings(kind: str, body: str, media: str | None) -> Sequence[Mark]:
    """The headings that the body's sections stand under."""
    return () if kind == "message" or not body else _layout(kind, body, lines(body), media).marks


def _layout(kind: str, body: str, rows: Sequence[Line], media: str | None) -> _Layout:
    match media:
        case "text/markdown":
            return _markdown(body, rows)
        case "text/html":
            code = fenced(rows, unclosed=True)
            return _Layout(markdown.headings(rows, code), code)
        case "text/x-rst":
            hidden = restructured.comments(rows)
            return _Layout(restructured.headings(outside(rows, hidden)), hidden=hidden)
        case _:
            code = fenced(rows, unclosed=False)
            return _Layout(plain.headings(outside(rows, code)) if kind in _TITLED else (), code)


def _markdown(body: str, rows: Sequence[Line]) -> _Layout:
    code = fenced(rows, unclosed=True)
    hidden = [*markdown.comments(body, code), *markdown.hidden_elements(body, code)]
    return _Layout(markdown.headings(rows, [*code, *hidden]), code, hidden)
