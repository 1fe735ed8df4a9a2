"""The bytes of a file to a document: its text, its kind of markup, and what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from muniment.domain.regex import regex
from muniment.sources.convert import FORMATS, Apart, Failed, Format, Limits, convert, sniff
from muniment.sources.folder.decode import Decoded, Unreadable, decode
from muniment.sources.folder.header import Header, split_header
from muniment.sources.folder.html import convert as convert_page
from muniment.sources.unseen import visible

__all__ = ["MOST_BYTES", "MOST_OFFICE_BYTES", "Document", "is_text", "read_document"]

MOST_BYTES = 10 * 1024 * 1024
MOST_OFFICE_BYTES = 64 * 1024 * 1024

_MEDIA = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdown": "text/markdown",
    ".rst": "text/x-rst",
    ".txt": "text/plain",
    ".text": "text/plain",
    "": "text/plain",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
}
_OFFICE = {suffix: one for one in FORMATS.values() for suffix in one.suffixes}
_HTML = regex(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)?(?:<!doctype html\b|<html[\s>])", re.IGNORECASE
)
_SAYS_OTHERWISE = "the name says otherwise, but it is"
_CODE = regex(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_ATX = regex(r"^ {0,3}#[ \t]+(\S[^\n]*)", re.MULTILINE)
_SETEXT = regex(r"(?:\A|^[ \t]*\n)^([^\s#>|*+-][^\n]*)\n=+[ \t]*$", re.MULTILINE)
_ADORNED = regex(
    r"(?:\A|^[ \t]*\n)(?:^([!-/:-@\[-`{-~])\1{2,}[ \t]*\n)?^[ \t]*(\S[^\n]*)\n([!-/:-@\[-`{-~])\3{2,}[ \t]*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Document:
    """One file as its author meant it to be read: `fields` is its header, `body` its text.

    A header of field lines stands in the body too: readers read it.
    """

    title: str
    body: str
    media: str
    fields: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    apart: tuple[Apart, ...] = ()


def is_text(name: str) -> bool:
    """Whether a file is called as text is, and may name itself in its header."""
    return PurePosixPath(name).suffix.lower() in _MEDIA


def read_document(
    data: bytes, name: str, *, limit: int = MOST_BYTES, limits: Limits | None = None
) -> Document | Unreadable:
    """The document a file holds, or why it holds none. `name` is the file's, with or without folders.

    `limit` is for text, `limits` for what is converted in a process of its own.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in _MEDIA and suffix not in _OFFICE:
        return Unreadable(
            f"files of type {suffix!r} are not read: Markdown, reStructuredText, text, HTML, PDF, "
            "Word, Excel and PowerPoint are"
        )
    if not data.strip():
        return Unreadable("it is empty")
    match sniff(data):
        case Failed(reason=reason):
            return Unreadable(reason)
        case Format() as office:
            return _office(data, name, office, limits)
        case _ if suffix in _OFFICE:
            return Unreadable(f"its name says {suffix!r}, but it is {_OFFICE[suffix].called} in name only")
        case _:
            return _text(data, name, limit)


def _office(data: bytes, name: str, office: Format, limits: Limits | None) -> Document | Unreadable:
    if len(data) > MOST_OFFICE_BYTES:
        return Unreadable(f"it has {len(data)} bytes, more than the limit of {MOST_OFFICE_BYTES}")
    made = convert(data, office, limits)
    if isinstance(made, Failed):
        return Unreadable(made.reason)
    lies = (
        ()
        if PurePosixPath(name).suffix.lower() in office.suffixes
        else (f"{_SAYS_OTHERWISE} {office.called}",)
    )
    fields = {**made.properties, "converted_from": office.media}
    title = made.title or _pretty(name)
    return Document(title, made.body, "text/markdown", fields, (*lies, *made.notes), made.apart)


def _text(data: bytes, name: str, limit: int) -> Document | Unreadable:
    if len(data) > limit:
        return Unreadable(f"it has {len(data)} bytes, more than the limit of {limit}")
    decoded = decode(data)
    if isinstance(decoded, Unreadable):
        return decoded
    return _document(decoded, name, _MEDIA[PurePosixPath(name).suffix.lower()])


def _document(decoded: Decoded, name: str, media: str) -> Document | Unreadable:
    header = split_header(decoded.text)
    if isinstance(header, Unreadable):
        return header
    body = decoded.text[header.start :].strip("\n")
    notes = (*decoded.notes, *header.notes)
    title = _given_title(header)
    if media == "text/html" or _HTML.match(body):
        if media != "text/html":
            notes = (*notes, f"{_SAYS_OTHERWISE} HTML")
        return _page(body, title, name, header, notes)
    if not body.strip():
        return Unreadable("it has no text" if not header.fields else "it has a header and no text")
    title = title or _first_heading(body, media) or _pretty(name)
    text = decoded.text.strip("\n") if header.is_read else body
    return Document(title, f"{text.rstrip()}\n", media, header.fields, notes)


def _page(
    markup: str, title: str | None, name: str, header: Header, notes: tuple[str, ...]
) -> Document | Unreadable:
    converted = convert_page(markup)
    if isinstance(converted, Unreadable):
        return converted
    if not converted.text:
        return Unreadable("the page shows no text")
    title = title or converted.title or _pretty(name)
    every = (*notes, *converted.notes)
    return Document(title, converted.text, "text/html", header.fields, every, converted.apart)


def _given_title(header: Header) -> str | None:
    for name in ("title", "subject"):
        value = header.fields.get(name)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            return " ".join(str(value).split())
    return None


def _first_heading(body: str, media: str) -> str | None:
    find = _FINDS.get(media)
    return None if find is None else find(body)


def _markdown_heading(body: str) -> str | None:
    """The first heading of the first level outside code, as it is seen."""
    prose = _CODE.sub("", visible(body, "text/markdown"))
    found = [match for pattern in (_ATX, _SETEXT) if (match := pattern.search(prose)) is not None]
    if not found:
        return None
    title = min(found, key=lambda match: match.start(1))[1].strip().rstrip("#")
    return " ".join(title.split()) or None


def _adorned_heading(body: str) -> str | None:
    match = _ADORNED.search(body)
    return None if match is None else match[2].strip()


_FINDS: dict[str, Callable[[str], str | None]] = {
    "text/markdown": _markdown_heading,
    "text/x-rst": _adorned_heading,
}


def _pretty(name: str) -> str:
    """A file's name as a title."""
    stem = PurePosixPath(name).stem
    words = re.sub(r"[-_\s]+", " ", stem).strip() or stem
    return words[:1].upper() + words[1:]
