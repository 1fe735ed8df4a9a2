"""Markdown as far as structure needs it: headings, and what a rendered page would not show.

Follows CommonMark 0.31 for ATX and setext headings, fences and comments. A setext heading takes one line of
text, since a rule under a paragraph is more often meant as a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from muniment.items.headings import Mark
from muniment.items.lines import Line, Range, outside

__all__ = ["comments", "headings", "hidden_elements"]

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*\Z")
_ELEMENT = re.compile(r" {0,3}<h([1-6])\b[^>]*>(.*?)</h\1>\s*\Z", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_ANCHOR = re.compile(r"\{[#:.][^{}]*\}\Z")
_NOT_A_TITLE = re.compile(r"\s*(?:[>|<]|[-*+]\s|\d+[.)]\s|#{1,6}\s|```|~~~|\[\w|\Z)| {4}|\t")
_START_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^<>]*)>", re.IGNORECASE)
_HIDES = re.compile(
    r"\shidden(?=[\s=/]|\Z)|display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE
)
_IN_A_CODE_SPAN = 200  # how far back on its line a backtick may open the code that a comment mark stands in
_LINK_COMMENT = re.compile(r"^ {0,3}\[(?://|comment)\]: ?(?:#|<>)[^\n]*", re.MULTILINE | re.IGNORECASE)


def headings(rows: Sequence[Line], unseen: Sequence[Range]) -> list[Mark]:
    """Headings outside code and comments, in order."""
    found: list[Mark] = []
    before = above = Line(0, 0, "")
    for row in outside(rows, unseen):
        mark = _heading(before, above, row)
        if mark is not None:
            found.append(mark)
        before, above = above, (row if mark is None else Line(row.start, row.end, ""))
    return found


def _heading(before: Line, above: Line, row: Line) -> Mark | None:
    first = row.text.lstrip(" ")[:1]
    if first == "#":
        match = _ATX.match(row.text)
        return (
            None
            if match is None
            else Mark(row.start, row.end, len(match[1]), _closed(row.text[match.end() :]))
        )
    if first == "<":
        match = _ELEMENT.match(row.text)
        return (
            None if match is None else Mark(row.start, row.end, int(match[1]), _title(_TAG.sub("", match[2])))
        )
    if first in ("=", "-") and _UNDERLINE.match(row.text) and _carries_title(before, above, row):
        return Mark(above.start, row.end, 1 if first == "=" else 2, _title(above.text))
    return None


def _carries_title(before: Line, above: Line, row: Line) -> bool:
    alone = not before.text.strip() or not _touch(before, above)
    return alone and _touch(above, row) and not _NOT_A_TITLE.match(above.text)


def _touch(above: Line, below: Line) -> bool:
    """Whether one line follows the other, with no code or comment left out between."""
    return above.start < below.start <= above.end + 1


def _closed(text: str) -> str:
    """A title without the marks that may close it."""
    bare = text.strip().rstrip("#")
    return _title(bare if not bare or bare[-1].isspace() else text)


def _title(text: str) -> str:
    text = text.strip()
    anchor = _ANCHOR.match(text, max(text.rfind("{"), 0)) if text.endswith("}") else None
    return text if anchor is None else text[: anchor.start()].rstrip()


def comments(body: str, code: Sequence[Range]) -> list[Range]:
    """What is commented out: `<!-- … -->`, and link definitions used as comments."""
    found = [*_markup_comments(body), *(match.span() for match in _LINK_COMMENT.finditer(body))]
    return _not_in(found, code)


def _markup_comments(body: str) -> Iterator[Range]:
    at = body.find("<!--")
    while at >= 0:
        line = max(body.rfind("\n", 0, at) + 1, at - _IN_A_CODE_SPAN)
        end = at + 4
        if body.count("`", line, at) % 2 == 0:
            end = _comment_end(body, at, line)
            if end < 0:
                return
            yield at, end
        at = body.find("<!--", end)


def _comment_end(body: str, at: int, line: int) -> int:
    """One that nobody closed reaches the end where it begins a line, and else is no comment: -1."""
    end = body.find("-->", at + 4)
    if end >= 0:
        return end + 3
    return -1 if body[line:at].strip() else len(body)


def hidden_elements(body: str, code: Sequence[Range]) -> list[Range]:
    """Elements a browser would not show, to the matching end tag, or to the end where there is none."""
    found: list[Range] = []
    reach = 0
    for match in _START_TAG.finditer(body):
        if match.start() >= reach and _HIDES.search(match[2]):
            reach = match.end() if match[0].endswith("/>") else _element_end(body, match[1], match.end())
            found.append((match.start(), reach))
    return _not_in(found, code)


def _element_end(body: str, name: str, start: int) -> int:
    depth = 1
    for tag in re.compile(rf"<(/?){name}\b[^<>]*>", re.IGNORECASE).finditer(body, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(body)


def _not_in(found: Sequence[Range], code: Sequence[Range]) -> list[Range]:
    kept = []
    at = 0
    for span in sorted(found):
        while at < len(code) and code[at][1] <= span[0]:
            at += 1
        if at == len(code) or span[0] < code[at][0]:
            kept.append(span)
    return kept
