"""What of a text nobody sees who reads it as it was made to be read, and the text without it.

Words that only a program reads steer programs and mislead nobody else, so nothing of the record is made from
them. They are blanked, and every other character stays where it stood, so that what a source says of places
in its text still holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from muniment.domain.lines import Range
from muniment.domain.regex import regex
from muniment.sources.unseen import markdown, markup, restructured

__all__ = ["blanked", "unseen", "visible"]

_WITHOUT_WIDTH = regex(
    "[\u180e\u200b-\u200d\u2060-\u2064\ufeff]{2,}|[\U000e0000-\U000e007f\U000e0100-\U000e01ef]+|[\ufe00-\ufe0f]{2,}"
)
_FLAG = "\U0001f3f4"
_LONGEST_FLAG = 7
_SEEN = regex(r"[^\n]")


def unseen(body: str, media: str | None) -> list[Range]:
    """The stretches that nobody sees, in order and apart from each other."""
    found = [*_marked(body, media), *_without_width(body)]
    return _apart(found) if found else []


def visible(body: str, media: str | None) -> str:
    """The text with blanks for what nobody sees."""
    return blanked(body, unseen(body, media))


def blanked(body: str, ranges: Iterable[Range]) -> str:
    """The text with blanks in these stretches; its lines stay."""
    parts, at = [], 0
    for start, end in ranges:
        parts += [body[at:start], _SEEN.sub(" ", body[start:end])]
        at = end
    return "".join((*parts, body[at:]))


def _marked(body: str, media: str | None) -> list[Range]:
    match media:
        case "text/markdown":
            return markdown.unseen(body)
        case "text/html":
            return markup.unseen(body)
        case "text/x-rst":
            return restructured.unseen(body)
        case _:
            return []


def _without_width(body: str) -> Iterable[Range]:
    """Runs of characters without width, and tag characters outside a flag."""
    for match in () if body.isascii() else _WITHOUT_WIDTH.finditer(body):
        flag = match.start() > 0 and body[match.start() - 1] == _FLAG and len(match[0]) <= _LONGEST_FLAG
        if not flag:
            yield match.span()


def _apart(found: Iterable[Range]) -> list[Range]:
    kept: list[Range] = []
    for start, end in sorted(found):
        if kept and start <= kept[-1][1]:
            kept[-1] = kept[-1][0], max(end, kept[-1][1])
        elif start < end:
            kept.append((start, end))
    return kept
