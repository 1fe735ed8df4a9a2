"""Headings in plain text: only those nobody would take for a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.domain.regex import regex
from muniment.items.headings import Mark
from muniment.items.lines import Line

__all__ = ["headings"]

_NUMBERED = regex(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?[ \t]+(?=[^a-z]{3,80}\Z)(?=.*[A-Z]{2})")
_NAMED = regex(r"(?:ARTICLE|SECTION|CHAPTER|PART|APPENDIX)[ \t]+(?:[IVXLC]+|\d+|[A-Z])\b(?![^\n]*[.;,]\Z)")
_CHINESE = regex(
    r"(?:第[一二三四五六七八九十百零〇\d]{1,5}([编章节])|([一二三四五六七八九十]{1,3})、)[^。；，,;]{0,40}\Z"
)
_LONGEST = 90
_DEPTH = {"编": 1, "章": 2, "节": 3}


def headings(rows: Sequence[Line]) -> list[Mark]:
    """Numbered titles in capitals, articles and chapters by name, each alone between other text."""
    found = []
    above = ""
    for row in rows:
        text = row.text.strip()
        level = _level(text) if text and len(text) <= _LONGEST and not above else None
        if level is not None:
            found.append(Mark(row.start, row.end, level, text))
        above = "" if level is not None else text
    return found


def _level(text: str) -> int | None:
    if text[0].isascii():
        numbered = _NUMBERED.match(text)
        if numbered is not None:
            return numbered[1].count(".") + 2
        return 1 if _NAMED.match(text) else None
    chinese = _CHINESE.match(text)
    if chinese is None:
        return None
    return _DEPTH.get(chinese[1] or "", 4)
