"""An item's text with its structure: what stands under which heading, who speaks, whose words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.domain.passages import Origin, Span, Text
from muniment.items import markdown, plain, restructured
from muniment.items.headings import Mark, sections
from muniment.items.lines import Line, Range, fenced, lines, outside
from muniment.items.origins import borrowed, signature, tile
from muniment.items.quoted_html import marked_up
from muniment.items.transcript import by_speaker
from muniment.sources.unseen import blanked, unseen, visible

__all__ = ["headings", "structure"]

_SPOKEN = frozenset({"meeting", "call"})
_TITLED = frozenset({"document", "note", "meeting", "call"})


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a media type's own marks say: headings and code."""

    marks: Sequence[Mark] = ()
    code: Sequence[Range] = ()


def structure(kind: str, body: str, media: str | None) -> Text:
    """The body's sections and spans, each tiling it. The same input gives the same value, always.

    What nobody sees is blank in the text: no word of it goes further.
    """
    if not body:
        return Text(body, (), ())
    hidden = unseen(body, media)
    body = blanked(body, hidden)
    rows = lines(body)
    layout = _layout(kind, rows, media)
    parts = sections(body, () if kind == "message" else layout.marks)
    prose = outside(rows, layout.code)
    if kind in _SPOKEN:
        parts = by_speaker(prose, parts)
    hidden_from_all = [Span(start, end, Origin.HIDDEN) for start, end in hidden]
    theirs = [*borrowed(prose, kind, len(body)), *marked_up(body, kind, media)]
    spans = tile(len(body), [*theirs, *signature(prose, kind, len(body)), *hidden_from_all])
    return Text(body, parts, spans)


def headings(kind: str, body: str, media: str | None) -> Sequence[Mark]:
    """The headings that the body's sections stand under."""
    body = visible(body, media)
    return () if kind == "message" or not body else _layout(kind, lines(body), media).marks


def _layout(kind: str, rows: Sequence[Line], media: str | None) -> _Layout:
    match media:
        case "text/markdown" | "text/html":
            code = fenced(rows, unclosed=True)
            return _Layout(markdown.headings(rows, code), code)
        case "text/x-rst":
            return _Layout(restructured.headings(rows))
        case _:
            code = fenced(rows, unclosed=False)
            return _Layout(plain.headings(outside(rows, code)) if kind in _TITLED else (), code)
