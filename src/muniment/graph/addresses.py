"""Links as names: one spelling for an address, and the item a relative path leads to. Pure."""

from __future__ import annotations

import posixpath
from typing import NamedTuple
from urllib.parse import unquote

from muniment.domain.names import is_usable
from muniment.domain.regex import regex
from muniment.graph.sections import title_key

__all__ = ["Linked", "address_name", "linked", "path_name"]

_WEB = regex(r"(?i)(https?)://([^/\s?#]+)([^\s?#]*)(\?[^\s#]*)?(#\S*)?\Z")
_OTHER_SCHEME = regex(r"(?i)[a-z][a-z0-9+.-]*:")


class Linked(NamedTuple):
    """What a link leads to, and the part of it; name None is the text the link stands in."""

    name: str | None
    section: str | None


def linked(target: str, own: str) -> Linked | None:
    """The name of a link's target as written in the item `own`; None where it leads to no text."""
    target = target.strip().strip("<>")
    if target.startswith("#"):
        return Linked(None, _fragment(target)) if _fragment(target) else None
    if _WEB.match(target):
        name = address_name(target)
        return Linked(name, _fragment("#" + target.partition("#")[2])) if is_usable(name) else None
    if not target or _OTHER_SCHEME.match(target) or target.startswith("//"):
        return None
    path, _, fragment = target.partition("#")
    path = unquote(path.partition("?")[0])
    if not path or len(path) > 500:
        return None
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(posixpath.dirname(own), path)
    return Linked(path_name(posixpath.normpath(joined)), _fragment("#" + fragment))


def address_name(url: str) -> str:
    """One spelling for an address: no fragment, no scheme, no www, no last slash, its host casefolded."""
    match = _WEB.match(url.strip())
    if match is None:
        return ""
    host = match[2].rsplit("@", 1)[-1].casefold().removeprefix("www.")
    return f"//{host}{unquote(match[3]).rstrip('/')}{match[4] or ''}"


def path_name(path: str) -> str:
    """A place in a source, as its items' ids say it."""
    return f"/{path.strip('/')}"


def _fragment(text: str) -> str | None:
    return title_key(unquote(text[1:])) or None
