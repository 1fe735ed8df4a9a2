"""Pages from templates: whatever comes from the record is set as plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from muniment.domain.regex import regex
from muniment.domain.values import Citation

__all__ = ["HEADERS", "Piece", "address", "percent", "pieces", "render", "wiki_place"]

# No inline script or style, nothing from elsewhere, nobody's frame. connect-src is the drawer's own requests.
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Vary": "Cookie, Authorization, Accept-Language",
}
_MARK = regex(r"\[(\d{1,3})\]")
_OF_THE_WEB = regex(r"https?://[^/\s\\][^\s\\]*", re.IGNORECASE)
_QUOTED = regex("⟦(.*?)⟧", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words, and what they are: told, cited by number, or the marked quote."""

    text: str
    number: int | None = None
    citation: Citation | None = None
    marked: bool = False


def pieces(text: str, citations: Sequence[Citation]) -> Iterator[Piece]:
    """An answer's text, its numbers in brackets taken for the citations they stand for."""
    for place, part in enumerate(_MARK.split(text)):
        if place % 2 == 0:
            yield Piece(part)
        elif 0 < int(part) <= len(citations):
            yield Piece("", int(part), citations[int(part) - 1])
        else:
            yield Piece(f"[{part}]")


def marked(passage: str) -> Iterator[Piece]:
    """A passage with its quote apart."""
    for place, part in enumerate(_QUOTED.split(passage)):
        yield Piece(part, marked=place % 2 == 1)


def address(url: str | None) -> str | None:
    """An address that is safe to follow: of the web, and nothing else."""
    return url if url is not None and _OF_THE_WEB.fullmatch(url) else None


def wiki_place(entity: str, room: str = "wiki") -> str:
    """Where the page of an entity is; browsers would walk up a path of dots, so such a name is asked for."""
    if {".", ".."} & set(entity.split("/")) or entity != entity.strip("/") or not entity:
        return f"/{room}?{urlencode({'entity': entity})}"
    return f"/{room}/{quote(entity, safe='')}"


def day(at: datetime | None) -> str:
    """A day as people everywhere read it."""
    return "" if at is None else at.date().isoformat()


def minute(at: datetime | None) -> str:
    """A moment, to the minute, in UTC."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def name(principal: str | None) -> str:
    """Who, without the kind that every id of a person begins with."""
    return (principal or "").removeprefix("user:")


def percent(text: str) -> str:
    """Some text as one step of a path."""
    return quote(text, safe="")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("muniment.surfaces.web"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    said = (day, minute, name, address, pieces, marked, wiki_place, percent)
    made.filters.update({one.__name__: one for one in said})
    return made


def render(template: str, values: Mapping[str, object]) -> str:
    """A template filled in. A lone half of a character, which no page can carry, is shown as a mark."""
    text = _environment().get_template(template).render(values)
    return text.encode("utf-8", "replace").decode()
