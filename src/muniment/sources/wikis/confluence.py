"""A Confluence space, exported as XML with its restrictions, or as HTML without them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from selectolax.lexbor import LexborHTMLParser

from muniment.domain.audience import Audience
from muniment.domain.regex import regex
from muniment.sources.filekind import Handed
from muniment.sources.folder import Document, Unreadable, read_document
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wikis.archive import Held, files, names
from muniment.sources.wikis.entities import Entities, PageObject, read_entities
from muniment.sources.wikis.mapping import Mapping, read_mapping
from muniment.sources.wikis.told import told

__all__ = ["read", "recognises"]

_ENTITIES = "entities.xml"
_NUMBERED = regex(r"(?:.*_)?(\d{3,20})\.html\Z", re.DOTALL)
_AT = regex(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?")
_CDATA = regex(r"<!\[CDATA\[(.*?)\]\] ?>", re.DOTALL)
_PARAMETER = regex(r"<ac:parameter\b[^>]*(?:/>|>[^<]*</ac:parameter>)")
_PAGE_LINK = regex(r"<ri:page\b[^>]*?\bri:content-title=\"([^\"]*)\"[^>]*/>\s*(</ac:link>)?")
_SELF_CLOSED = regex(r"<(?:ac|ri|at):[^<>]*/>")


def recognises(path: Path) -> bool:
    """`entities.xml` beside `exportDescriptor.properties`, or pages whose names end in their number."""
    found = [PurePosixPath(name).name for name in names(path)]
    if _ENTITIES in found:
        return "exportDescriptor.properties" in found
    pages = [name for name in found if name.endswith(".html") and name != "index.html"]
    return "index.html" in found and bool(pages) and all(_NUMBERED.match(name) for name in pages)


def read(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Every current page, under its ancestors."""
    mapping = read_mapping(handed.options.get("audiences"))
    for file in files(path):
        if isinstance(file, Unread):
            yield file
        elif file.parts[-1] == _ENTITIES:
            yield from _of_entities(file, handed, mapping)
        elif _NUMBERED.match(file.parts[-1]):
            yield _of_html(file, handed, mapping)


def _of_entities(file: Held, handed: Handed, mapping: Mapping) -> Iterator[Parsed]:
    try:
        found = read_entities(file.data)
    except ValueError as error:
        yield Unread(file.path, file.path, str(error))
        return
    for page in found.pages.values():
        if page.get("contentStatus") in ("", "current") and not page.get("originalVersion"):
            yield _of_page(page, found, file, handed, mapping)


def _of_page(page: PageObject, found: Entities, file: Held, handed: Handed, mapping: Mapping) -> Parsed:
    above = found.above(page)
    space = found.spaces.get(page.get("space"))
    key = space.get("key") if space else ""
    line = [*(above or ()), page]
    place = [key, *(one.get("title") for one in line)]
    document = _markup(page.get("title"), _storage(found.bodies.get(page.id, "")))
    if isinstance(document, Unreadable):
        return Unread("/".join(place), page.id, document.reason)
    # Of a page under one that is not there nobody can say to whom that one was restricted.
    audience = None if above is None else _audience(line, place, found, handed, mapping)
    more: dict[str, object] = {
        "id": page.id,
        "version": page.get("version") or None,
        "author_name": found.people.get(page.get("lastModifier") or page.get("creator")),
        "metadata": {"place": "/".join(place)},
    }
    at = _instant(page.get("lastModificationDate")) or _instant(page.get("creationDate")) or file.at
    return told(document, handed, "/".join(place), at, audience=audience, more=more)


def _audience(
    line: Sequence[PageObject], place: Sequence[str], found: Entities, handed: Handed, mapping: Mapping
) -> Audience | None:
    """What is mapped, and every restriction on the way down; a restriction to nobody admits nobody."""
    chosen = mapping.every(place)
    for page in line:
        if chosen is not None and page.id in found.restrictions:
            named = [mapping.member(kind, handed.source, name) for kind, name in found.restrictions[page.id]]
            chosen &= Audience.of(*(named or [f"user:{handed.source}:nobody"]))
    return chosen


def _instant(said: str) -> datetime | None:
    """Confluence writes its server's time without a zone; it is taken for UTC."""
    match = _AT.match(said)
    if match is None:
        return None
    parts = [int(one) for one in match.groups()[:6]]
    try:
        return datetime(*parts[:6], int((match[7] or "0").ljust(6, "0")), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:
        return None


def _storage(body: str) -> str:
    """Confluence's own elements as HTML: code kept, macros' parameters left out, links by page names."""
    text = _PARAMETER.sub("", body)
    text = _PAGE_LINK.sub(lambda match: match[1] + match[2] if match[2] else "", text)
    text = _CDATA.sub(lambda match: f"<pre>{html.escape(match[1])}</pre>", text)
    return _SELF_CLOSED.sub("", text)


def _markup(title: str, body: str) -> Document | Unreadable:
    page = f"<html><head><title>{html.escape(title)}</title></head><body>{body}</body></html>"
    return read_document(page.encode("utf-8", "replace"), "page.html")


def _of_html(file: Held, handed: Handed, mapping: Mapping) -> Parsed:
    root = LexborHTMLParser(file.data.decode("utf-8", "replace"))
    crumbs = [" ".join(one.text().split()) for one in root.css("#breadcrumbs a")]
    shown = root.css_first("#title-text") or root.css_first("title")
    title = " ".join(shown.text().split()) if shown is not None else ""
    title = title.partition(" : ")[2] or title or PurePosixPath(file.path).stem
    content = root.css_first("#main-content")
    found = _markup(title, (content.html or "") if content is not None else "")
    if isinstance(found, Unreadable):
        return Unread(file.path, file.path, found.reason)
    place = [*crumbs, title]
    editor = root.css_first(".page-metadata .editor") or root.css_first(".page-metadata .author")
    number = _NUMBERED.match(file.parts[-1])
    more: dict[str, object] = {
        "id": number[1] if number else file.path,
        "author_name": " ".join(editor.text().split()) or None if editor is not None else None,
        "metadata": {"place": "/".join(place)},
    }
    return told(found, handed, file.path, file.at, audience=mapping.every(place), more=more)
