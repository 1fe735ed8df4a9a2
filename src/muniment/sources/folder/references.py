"""Names a document gives other documents, as ids of the scheme it is named by itself."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from muniment.domain.regex import regex

__all__ = ["document_id", "resolve"]

_NUMBERED = regex(r"(?P<prefix>.*?)(?P<digits>\d{1,12})(?P<suffix>\.[A-Za-z]{1,10})?\Z", re.DOTALL)
_MENTION = regex(r"(?:(?P<word>[A-Za-z]{1,20})[\s#_-]{0,3})?(?P<number>\d{1,12})\Z")
_SUFFIXED = regex(r"[^\s:]+\.(?:md|markdown|mdown|rst|txt|text|html?|xhtml)\Z", re.IGNORECASE)


def document_id(path: str, fields: Mapping[str, object]) -> str:
    """The id a document gives itself; its stem where a field numbers it (`PEP: 204`); else its path."""
    given = fields.get("id")
    if isinstance(given, (str, int)) and str(given).strip():
        return str(given).strip()
    stem = posixpath.splitext(posixpath.basename(path))[0]
    match = _NUMBERED.match(stem)
    if match is not None:
        number = fields.get(match["prefix"].rstrip("-_ ").casefold())
        if isinstance(number, (str, int)) and str(number).strip().lstrip("0") == match["digits"].lstrip("0"):
            return stem
    return path


def resolve(value: object, own: str) -> list[str]:
    """The ids in a field, in order, each once. `own` is the id of the document that names them."""
    given = [one for one in (value if isinstance(value, list) else [value]) if not isinstance(one, bool)]
    parts = (part for one in given if isinstance(one, (str, int)) for part in re.split(r"[,;\n]", str(one)))
    found = (_resolved(part.strip().strip("\"'<>"), own) for part in parts if part.strip())
    return [one for one in dict.fromkeys(found) if one != own]


def _resolved(mention: str, own: str) -> str:
    """A bare number, or one after the scheme's own word, takes the prefix and padding of the document's id;
    a file's name is taken from the folder of the file that names it.
    """
    scheme = _NUMBERED.match(own)
    number = _MENTION.match(mention)
    if scheme is not None and number is not None and _same_scheme(number["word"], scheme["prefix"]):
        padded = number["number"].lstrip("0").zfill(len(scheme["digits"]))
        return f"{scheme['prefix']}{padded}{scheme['suffix'] or ''}"
    if _SUFFIXED.match(mention) and _SUFFIXED.match(own):
        return _beside(mention, own)
    return mention


def _same_scheme(word: str | None, prefix: str) -> bool:
    return word is None or re.split(r"[^A-Za-z]+", prefix.rstrip("-_ #"))[-1].casefold() == word.casefold()


def _beside(mention: str, own: str) -> str:
    if mention.startswith("/"):
        return mention.lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(own), mention))
