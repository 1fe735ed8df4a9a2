"""Bytes of a mail to text, whatever it says they are: as declared, by another name, as UTF-8, by guess."""

from __future__ import annotations

import codecs
import re

from muniment.domain.regex import regex

__all__ = ["decode"]

# What mail programs write for an encoding that Python knows by another name.
_CALLED = {
    "ansi": "cp1252",
    "ascii": "cp1252",  # declared by programs that then write something else
    "us-ascii": "cp1252",
    "ansi_x3.4-1968": "cp1252",
    "iso-8859-1": "cp1252",  # as browsers read it: nobody sends its control characters
    "latin1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "iso-8859-6-i": "iso-8859-6",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
}
# Codecs that are no encoding of a mail, or take quadratic time.
_REFUSED = frozenset({"punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"})
_NAME = regex(r"[A-Za-z0-9][\w.:+-]{0,40}", re.ASCII)
_CODE_PAGE = regex(r"(?:cp|ibm|windows|win)[-_ ]?(\d{3,5})\Z", re.IGNORECASE)
_NOTHING = str.maketrans("", "", "\x00")


def decode(data: bytes, declared: str | None) -> tuple[str, str | None]:
    """The text without NUL characters, and what had to be guessed about it, if anything."""
    text, note = _decoded(data, declared)
    return text.translate(_NOTHING), note


def _decoded(data: bytes, declared: str | None) -> tuple[str, str | None]:
    codec = _codec(declared)
    if codec is not None and (text := _strict(data, codec)) is not None:
        return text, None
    for name in ("utf-8", "cp1252"):
        if (text := _strict(data, name)) is not None:
            return text, None if data.isascii() else _note(declared, name)
    return data.decode("latin-1"), _note(declared, "latin-1")


def _note(declared: str | None, used: str) -> str:
    said = "no charset is declared" if not declared else f"charset {declared[:40]!r} does not read it"
    return f"{said}: read as {used}" + ("" if used == "utf-8" else ", which is a guess")


def _strict(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError, ValueError):
        return None


def _codec(declared: str | None) -> str | None:
    """The codec a declared name means; None where there is none of that name."""
    found = _NAME.search(declared or "")
    if found is None:
        return None
    name = found[0].casefold()
    page = _CODE_PAGE.match(name)
    name = _CALLED.get(name, f"cp{page[1]}" if page else name)
    try:
        known = codecs.lookup(name).name
        "".encode(known)
    except (LookupError, ValueError, UnicodeError):  # no such codec, or one from bytes to bytes
        return None
    return None if known.replace("_", "-") in _REFUSED else known
