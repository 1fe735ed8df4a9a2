"""How an element of a page is made to show nothing: by what it is, or by how it is said to look."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from muniment.domain.regex import regex

__all__ = ["ELEMENTS", "hides", "is_hidden"]

ELEMENTS: Final = frozenset(
    "script style template noscript head iframe object embed svg canvas audio video textarea select "
    "datalist".split()
)
_NOUGHT: Final = r"0*+(?:\.0*+)?+"
_PART: Final = r"0*+(?:\.\d*+)?+"  # of one, or nothing
_FAR: Final = r"-(?:\d{3}|9\d(?:\.\d*+)?(?:r?em|v[wh]))"
_CLEAR: Final = (
    r"transparent|#[0-9a-f]{3}0\Z|#[0-9a-f]{6}00\Z|(?:rgb|hsl)a?\([^)]{0,60}?[,/]\s*+" + _NOUGHT + r"%?\s*+\)"
)
# What a property is said to be where it shows nothing; from its beginning, or anywhere in it.
_BEGINS: Final[Mapping[str, re.Pattern[str]]] = {
    name: regex(value)
    for names, value in {
        "display": "none",
        "visibility content-visibility": "hidden|collapse",
        "mso-hide": "all",
        # Below a tenth is no ink that anybody reads.
        "opacity": rf"(?:0*+(?:\.0\d*+|\.)?+|(?:{_PART}|\d(?:\.\d*+)?)%)\Z",
        # As small as a pixel; `1em` is as large as what stands around it.
        "font-size": rf"(?:0*+(?:\.[01]\d*+|\.)?(?:[a-z]++|%)?|(?:{_PART}|1)(?:px|pt|%)|1)\Z",
        "left top text-indent margin-left": _FAR,
        "clip": r"rect\(\s*+(?:0|1px)[\s,]",
        "clip-path": r"inset\(\s*+(?:50|100)%|(?:circle|ellipse)\(\s*+0",
        "scale zoom": _NOUGHT + r"\Z",
        "color -webkit-text-fill-color": _CLEAR,
    }.items()
    for name in names.split()
}
_HAS: Final[Mapping[str, re.Pattern[str]]] = {
    "font": regex(r"(?<![\w./])0(?:[a-z]{1,4}|%)?(?:/|\s)"),
    "filter": regex(rf"opacity\(\s*+{_NOUGHT}%?\s*+\)"),
    "transform": regex(rf"scale(?:3d|x|y)?\(\s*+{_NOUGHT}\s*+[,)]"),
}
# A box without room shows nothing where it lets nothing out.
_ROOM: Final = frozenset(("height", "width", "max-height", "max-width"))
_NO_ROOM: Final = regex(r"(?:0(?:[a-z]{1,4}|%)?|1px)\Z")
_OVER: Final = frozenset(("overflow", "overflow-x", "overflow-y"))
_PAINTED: Final = frozenset(("background-clip", "-webkit-background-clip"))
_COMMENT: Final = regex(r"/\*.*?\*/", re.DOTALL)
_ESCAPED: Final = regex(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE)


def hides(style: str) -> bool:
    """Whether an element that is to look like this shows nobody its words."""
    said = [*_declared(_plain(style).casefold())]
    roomless = any(name in _ROOM and _NO_ROOM.match(value) for name, value in said)
    shut = any(name in _OVER and value in ("hidden", "clip") for name, value in said)
    return (roomless and shut) or any(_hides(name, value) for name, value in _inked(said))


def _declared(style: str) -> Iterator[tuple[str, str]]:
    """Each property with what it is said to be."""
    for part in style.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            yield name.strip(), value.partition("!")[0].strip()


def _inked(said: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Without the colour of words that what is behind them shows through."""
    if any(name in _PAINTED and value == "text" for name, value in said):
        return [one for one in said if not one[0].endswith("color")]
    return said


def _hides(name: str, value: str) -> bool:
    begins, has = _BEGINS.get(name), _HAS.get(name)
    return (begins is not None and begins.match(value) is not None) or (
        has is not None and has.search(value) is not None
    )


def is_hidden(name: str, given: Mapping[str, str | None]) -> bool:
    """Whether an element of this name shows nobody its words until a program does something about it."""
    match name:
        case "input" if (given.get("type") or "").casefold() == "hidden":
            return True
        case "dialog" if "open" not in given:
            return True
    return "hidden" in given or "popover" in given


def _plain(style: str) -> str:
    """Without comments, and with letters as they are where they were written as numbers."""
    bare = _COMMENT.sub("", style) if "/*" in style else style
    return _ESCAPED.sub(_letter, bare) if "\\" in bare else bare


def _letter(escaped: re.Match[str]) -> str:
    if escaped[1] is None:
        return escaped[2]
    number = int(escaped[1], 16)
    return chr(number) if 0 < number < sys.maxunicode else "\ufffd"
