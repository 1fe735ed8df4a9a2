"""One form for what texts are called, so that a title and whoever refers to it meet. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from muniment.assertions.numbers import normal_number
from muniment.domain.names import is_usable, normal_name
from muniment.domain.regex import regex

__all__ = [
    "Named",
    "is_number",
    "number_name",
    "reference_name",
    "same_edition",
    "split_edition",
    "title_name",
]

_DASHES = regex("[\u2010-\u2015\u2212]")
_MARKS = regex('[*`"“”«»《》〈〉「」『』]')
_ARTICLE = regex(r"(?:the|our|this|that|these|a|an)\s+")
_PIECES = regex(r"[^\W\d_]+|\d+")
_NUMBER = regex(r"(?:[a-z]{1,8}[- ]?)(?:[a-z]{1,8}-)?\d{1,6}(?:[-. ]\d{1,6}){0,4}\Z")

_WORDS = r"(?:edition|ed\.?|version|ver\.?|revision|rev\.?|release)"
_ORDINALS = {
    name: str(number)
    for number, name in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))"
_YEAR = r"(?:19|20)\d\d"
_DATED = rf"(?:{_YEAR}(?:[-/.]\d{{1,2}}){{0,2}}|\d{{1,2}}/{_YEAR})"
_VALUE = rf"(?:{_DATED}|v?\d{{1,3}}(?:\.\d{{1,4}}){{0,3}}|[a-z]|{_ORDINAL})"
_HAN = "一二三四五六七八九十"
_AFTER = (
    regex(
        rf"[\s,]*[(\[](?:the )?(?:{_WORDS}\s*)?(?P<value>{_DATED}|v?\d+(?:\.\d+){{1,3}})(?: {_WORDS})?[)\]]\Z"
    ),
    regex(rf"[\s,]*[(\[](?:{_WORDS}\s*(?P<value>{_VALUE})|(?P<other>{_VALUE}) {_WORDS})[)\]]\Z"),
    regex(rf"[\s,]+(?:the )?{_WORDS}\s*(?P<value>{_VALUE})\Z"),
    regex(rf"[\s,]+(?:the )?(?P<value>{_VALUE}) {_WORDS}\Z"),
    regex(rf"(?:\s+-\s+|[\s,]+)(?P<value>{_DATED}|v\d{{1,3}}(?:\.\d{{1,4}}){{0,3}})\Z"),
    regex(rf"[\s(]*第\s?(?P<value>[{_HAN}\d]{{1,3}})\s?版\)?\Z"),
    regex(rf"[\s(]*(?P<value>{_YEAR})\s?(?:年度?)?(?:版|修订版?|修正版?|修改版?)\)?\Z"),
    regex(rf"[\s(]+(?P<value>{_YEAR})\s?年\)?\Z"),
)
_BEFORE = (
    regex(rf"(?:the )?(?P<value>{_VALUE}) {_WORDS} of (?:the |our )?"),
    regex(rf"(?P<value>{_DATED})(?: {_WORDS})? (?:of )?(?:the |our )?"),
    regex(rf"{_WORDS} (?P<value>{_VALUE}) of (?:the |our )?"),
    regex(rf"(?P<value>{_YEAR})\s?(?:年度?版?|版)的?\s?"),
)


class Named(NamedTuple):
    """A normal name without its edition, and that edition in one spelling; empty where it names none."""

    name: str
    edition: str


def reference_name(text: str) -> str:
    """A title as whoever refers to it would write it: no marks, no article, one kind of dash."""
    plain = normal_name(_MARKS.sub("", _DASHES.sub("-", text))).replace(" & ", " and ").strip(" -,;:.()[]")
    article = _ARTICLE.match(plain)
    return plain[article.end() :] if article else plain


def title_name(text: str) -> Named:
    """The normal name and the edition of a title; a name too long to be one is empty."""
    plain = normal_name(_MARKS.sub("", _DASHES.sub("-", text))).replace(" & ", " and ").strip(" -,;:.")
    base, edition = split_edition(plain)
    name = reference_name(base)
    return Named(name if is_usable(name) else "", edition)


def split_edition(plain: str) -> Named:
    """A normal name with what it says of its edition taken off."""
    for pattern in _AFTER:
        match = pattern.search(plain, max(0, len(plain) - 40))
        if match and match.start():
            return Named(plain[: match.start()].rstrip(" ,-"), _edition(match))
    for pattern in _BEFORE:
        match = pattern.match(plain)
        if match and match.end() < len(plain):
            return Named(plain[match.end() :], _edition(match))
    return Named(plain, "")


def _edition(match: re.Match[str]) -> str:
    found = match.groupdict()
    return normal_edition(found["value"] or found.get("other") or "")


def normal_edition(text: str) -> str:
    """`10/2010`, `2010.10` and `2010-10` are one; so are `v2.1` and `2.1`, `third` and `3`."""
    plain = normal_name(text)
    if plain in _ORDINALS:
        return _ORDINALS[plain]
    if re.fullmatch(rf"[{_HAN}]{{1,3}}", plain):
        return normal_number(plain)
    if match := re.fullmatch(rf"(\d{{1,2}})/({_YEAR})", plain):
        return f"{match[2]}-{match[1].zfill(2)}"
    if re.match(_YEAR, plain):
        year, *rest = re.split(r"[-/.]", plain)
        return "-".join([year, *(part.zfill(2) for part in rest)])
    return re.sub(r"\Av(?=\d)|(?<=\d)(?:st|nd|rd|th)\Z", "", plain)


def same_edition(one: str, other: str) -> bool:
    """Whether two editions can be one: a year is that of its months."""
    return one == other or one.startswith(f"{other}-") or other.startswith(f"{one}-")


def number_name(text: str) -> str:
    """A number in one spelling: `HO-04-90` and `HO 04 90` are one, `RFC2119` and `RFC 2119` too."""
    plain = normal_name(_DASHES.sub("-", text))
    return " ".join(piece.lstrip("0") or "0" for piece in _PIECES.findall(plain))


def is_number(plain: str) -> bool:
    """Whether a normal name is a document's number rather than a title."""
    return _NUMBER.match(plain) is not None
