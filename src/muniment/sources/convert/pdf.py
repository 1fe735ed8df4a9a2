"""PDF: the text of each page as an eye would find it, and apart from it what the page does not show."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.sources.convert.made import Apart, Failed, Limits, Made
from muniment.sources.convert.pdflines import Line, flowed, lines_of, usual_size
from muniment.sources.convert.pdfseen import Glyph, glyphs_of, unseen
from muniment.sources.convert.pdftables import tabled

__all__ = ["read"]

_MOST_PAGES = 3000
_PROPERTIES = {"Title": "title", "Author": "author", "CreationDate": "created", "ModDate": "modified"}
_WIDGET = 20  # the annotation that is a form's field


def read(data: bytes, limits: Limits) -> Made | Failed:  # noqa: ARG001  # each format's reader is asked alike
    """The document as Markdown, each page under its number."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            return Failed("it is encrypted: save a copy of it without a password")
        return Failed(f"it is damaged: {error}")
    if len(document) > _MOST_PAGES:
        return Failed(f"it has {len(document)} pages; {_MOST_PAGES} is the limit")
    pages: list[list[Line]] = []
    apart: list[Apart] = []
    for number in range(len(document)):
        lines, kept = _page(document[number], f"page {number + 1}")
        pages.append(lines)
        apart += kept
    return _made(document, pages, apart)


def _page(page: Any, where: str) -> tuple[list[Line], list[Apart]]:
    text = page.get_textpage()
    glyphs = glyphs_of(text)
    hidden = unseen(page, glyphs)
    shown = [glyph for at, glyph in enumerate(glyphs) if at not in hidden]
    apart = [Apart("invisible text", where, words) for words in _runs(glyphs, hidden)]
    apart += _margins(page, where)
    tables, rest = tabled(page, shown)
    return [*lines_of(rest, tables)], apart


def _runs(glyphs: list[Glyph], hidden: set[int]) -> Iterator[str]:
    """Unseen characters that follow each other, as words."""
    run: list[str] = []
    for at, glyph in enumerate(glyphs):
        if at in hidden or (run and glyph.text.isspace()):
            run.append(glyph.text)
        elif run:
            yield "".join(run)
            run = []
    if run:
        yield "".join(run)


def _margins(page: Any, where: str) -> Iterator[Apart]:
    """What is pinned to a page: comments, and what was filled into a form."""
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        field = raw.FPDFAnnot_GetSubtype(annotation) == _WIDGET
        text = _string(annotation, b"V" if field else b"Contents")
        if text.strip():
            yield Apart("form field" if field else "comment", where, text, _string(annotation, b"T") or None)
        raw.FPDFPage_CloseAnnot(annotation)


def _string(annotation: Any, key: bytes) -> str:
    size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def _made(document: Any, pages: list[list[Line]], apart: list[Apart]) -> Made | Failed:
    usual = usual_size([line for page in pages for line in page])
    parts: list[str] = []
    starts: list[int] = []
    title = None
    for number, lines in enumerate(pages, 1):
        starts.append(sum(map(len, parts)))
        text, heading = flowed(lines, usual)
        title = title or heading
        if text:
            parts.append(f"{_numbered(text, number)}\n\n")
    empty = [str(number) for number, lines in enumerate(pages, 1) if not lines]
    notes = [f"pages without text, which may be scans: {', '.join(empty)}"] if empty else []
    attached = document.count_attachments()
    if attached:
        notes.append(f"attached files were not read ({attached})")
    body = "".join(parts).rstrip()
    properties = {"properties": _properties(document), "pages": starts}
    return Made(f"{body}\n" if body else "", title, properties, tuple(notes), tuple(apart))


def _numbered(text: str, number: int) -> str:
    """A page under its number, which stands below the headings the page begins with, or would end there."""
    blocks = text.split("\n\n")
    first = next((at for at, block in enumerate(blocks) if not block.startswith("#")), len(blocks))
    return "\n\n".join([*blocks[:first], f"###### Page {number}", *blocks[first:]])


def _properties(document: Any) -> dict[str, str]:
    found = document.get_metadata_dict(skip_empty=True)
    return {ours: found[theirs][:500] for theirs, ours in _PROPERTIES.items() if theirs in found}
