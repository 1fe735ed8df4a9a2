"""What a rendered page of Markdown shows nobody: comments, hidden elements, and definitions of links.

Follows CommonMark 0.31 for what is code, where a comment is words like any other. Where it is not plain
whether something is code, it is none: words of code that are missed harm less than orders nobody sees.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from muniment.domain.lines import Line, Range, lines
from muniment.domain.regex import regex
from muniment.sources.unseen.markup import OPENS, Reader

__all__ = ["unseen"]

_CONTAINER = regex(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+[ \t>]*)*")  # marks of lists and quotations
_FENCE = regex(r"( *)(`{3,}|~{3,})(.*)")
_LISTED_FENCE = regex(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+[>]*)++(?:`{3,}(?!.*`)|~{3,})")
_MOST_INDENT = 3  # of a block that is no indented code
_TOKEN = regex(r"\\[!-/:-@\[-`{-~]|`+|<(?=[!?/a-z])", re.IGNORECASE)
_AUTOLINK = regex(r"<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,80}@[^\s<>]{1,80})>", re.IGNORECASE)
_ATTRIBUTE = r"""\s++[a-z_:][\w.:-]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++))?+"""
_INLINE = regex(rf"<(?:[a-z][a-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?|/[a-z][a-z0-9-]*+\s*+)>", re.IGNORECASE)
_BLOCK = regex(
    r"<(?:\?|!--|![a-z]|!\[CDATA\[|/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col"
    r"|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]"
    r"|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param"
    r"|pre|script|search|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)"
    r"(?=[\s/>]))",
    re.IGNORECASE,
)
_PRE = regex(r"<pre\b", re.IGNORECASE)
_NO_END = frozenset(("script", "style"))

_LABEL = r"\[((?:[^\[\]\\\n]|\\.){1,999}+)\]:[ \t]*+\n?[ \t]*+"
_DEFINITION = regex(
    rf"{_LABEL}(<[^<>\n]*+>|[^\s<]\S*+)"
    r"(?:(?:[ \t]++\n?|\n)[ \t]*+(\"(?:[^\"\\\n]|\\.|\n(?![ \t]*\n)){0,4000}+\""
    r"|'(?:[^'\\\n]|\\.|\n(?![ \t]*\n)){0,4000}+'|\((?:[^()\\\n]|\\.|\n(?![ \t]*\n)){0,4000}+\)))?[ \t]*$",
    re.MULTILINE,
)
_COMMENTED = regex(r"\[(?://|comment)\]: ?(?:#|<>)[^\n]*", re.IGNORECASE)
_TITLED = regex(rf"{_LABEL}(?:#|<>)\S*+[ \t]*+\n?[ \t]++[\"'(]")
_GAP = regex(r"\n[ \t]*\n")
_REFERENCE = regex(r"\[([^\[\]]{1,999})\](?!:)")
_LEADS_NOWHERE = regex(r"#|<\s*>\Z")
_PLACE = regex(r"[/.:#<]")


def unseen(body: str) -> list[Range]:
    """The stretches that are not shown, in order."""
    if "<" not in body and "]:" not in body:
        return []
    page = _Page(body)
    for row in lines(body):
        page.take(row)
    return page.found


@dataclass(slots=True)
class _Fence:
    indent: int
    mark: str


@dataclass
class _Page:
    """A body, read line by line.

    raw: inside a block of HTML, where nothing is code. loose: a backtick before in the paragraph may have
    opened code. is_sure: whether it is known which fence opens and which closes.
    """

    body: str
    found: list[Range] = field(default_factory=list)
    reach: int = 0
    fence: _Fence | None = None
    raw: bool = False
    pre: bool = False
    loose: bool = False
    is_sure: bool = True
    in_paragraph: bool = False

    def __post_init__(self) -> None:
        self.markup = Reader(self.body, frozenset())
        self.to_end = Reader(self.body, _NO_END)

    def take(self, row: Line) -> None:
        """The next line."""
        if self.reach > row.end:
            return
        if self.reach > row.start:  # the rest of a line on which something hidden, or a tag, ends
            self._scan(self.reach, row.end, reaches=self.raw)
        elif self.fence is not None and self._stays_code(row, self.fence):
            return
        elif not row.text.strip():
            self.raw, self.loose, self.in_paragraph = self.pre, False, False
        elif not self._opens_fence(row):
            self._take_text(row)

    def _stays_code(self, row: Line, fence: _Fence) -> bool:
        """Whether the line belongs to the fenced code, its last included."""
        indent = len(row.text) - len(row.text.lstrip(" "))
        if row.text.strip() and indent < fence.indent:
            # It may have stood in a list that ends here, or not.
            self.fence, self.is_sure = None, self.is_sure and fence.indent > _MOST_INDENT
            return False
        match = _FENCE.match(row.text)
        if match is not None and match[2].startswith(fence.mark) and not match[3].strip():
            if fence.indent and indent != fence.indent:
                self.is_sure = False
            if fence.indent or indent <= _MOST_INDENT:
                self.fence = None
        return True

    def _opens_fence(self, row: Line) -> bool:
        match = _FENCE.match(row.text)
        if match is None:
            self.is_sure = self.is_sure and _LISTED_FENCE.match(row.text) is None
            return False
        indent = len(match[1])
        if match[2][0] == "`" and "`" in match[3]:
            return False
        if indent > _MOST_INDENT and self.in_paragraph:
            return False
        self.is_sure = self.is_sure and not self.raw
        if not self.is_sure:
            return False
        self.fence, self.loose, self.in_paragraph = _Fence(indent, match[2]), False, False
        return True

    def _take_text(self, row: Line) -> None:
        container = _CONTAINER.match(row.text)
        start = row.start + (0 if container is None else container.end())
        if self._defines(start):
            return
        if _BLOCK.match(self.body, start) or _INLINE.match(self.body, start):
            self.raw = True
            self.pre = self.pre or _PRE.match(self.body, start) is not None
        self.in_paragraph = True
        self._scan(start, row.end, reaches=self.raw)

    def _defines(self, at: int) -> bool:
        """Whether the line defines a link; it is hidden where nothing shows its words."""
        if not self.body.startswith("[", at) or self.body.startswith("[^", at):
            return False
        match = _COMMENTED.match(self.body, at) or _DEFINITION.match(self.body, at)
        if match is None:
            if _TITLED.match(self.body, at) is None:
                return False
            gap = _GAP.search(self.body, at)
            return self._leave_out(at, len(self.body) if gap is None else gap.start())
        if match.re.pattern == _COMMENTED.pattern or self._shows_nothing(match):
            return self._leave_out(*match.span())
        return False

    def _leave_out(self, start: int, end: int) -> bool:
        self.found.append((start, end))
        self.reach = end + 1
        return True

    def _shows_nothing(self, definition: re.Match[str]) -> bool:
        if _LEADS_NOWHERE.match(definition[2]):
            return True
        leads = definition[3] is not None or _PLACE.search(definition[2]) is not None
        return leads and _label(definition[1]) not in self._references

    @cached_property
    def _references(self) -> frozenset[str]:
        return frozenset(_label(one[1]) for one in _REFERENCE.finditer(self.body))

    def _scan(self, at: int, end: int, *, reaches: bool) -> None:
        """Markup that begins on a line. Code is stepped over, but where nothing is sure to be code.

        reaches: in a block of HTML, where what nobody closed hides all that follows.
        """
        tokens = OPENS if reaches or not self.is_sure else _TOKEN
        while token := tokens.search(self.body, at, end):
            at = token.start()
            if token[0][0] == "\\":
                at = token.end()
            elif token[0][0] == "`":
                at = self._past_code(token, end)
            else:
                at = self._past_markup(at, reaches=reaches)
            if self.pre and self.body.startswith(("</pre", "</PRE"), token.start()):
                self.pre = False
        self.reach = max(self.reach, at if at > end else 0)

    def _past_code(self, ticks: re.Match[str], end: int) -> int:
        """Past the code that these backticks open, or past themselves where they may open none."""
        if not self.loose:
            closing = re.compile(rf"(?<!`){ticks[0]}(?!`)").search(self.body, ticks.end(), end)
            if closing is not None:
                return closing.end()
        self.loose = True
        return ticks.end()

    def _past_markup(self, at: int, *, reaches: bool) -> int:
        if not reaches and not self._is_markup(at):
            return at + 1
        one = (self.to_end if reaches else self.markup).read(at)
        self.found += one.hidden
        # A comment may go on over the end of its paragraph, and then code may be open where it ends.
        self.loose = self.loose or _GAP.search(self.body, at, one.end) is not None
        return one.end

    def _is_markup(self, at: int) -> bool:
        """In the midst of prose, what nobody closed is words, and so is what only looks like a tag."""
        if self.body.startswith("<!--", at):
            return self.markup.comment_end(at) is not None
        if self.body[at + 1] in "!?":
            closing = "?>" if self.body[at + 1] == "?" else ">"
            return _BLOCK.match(self.body, at) is not None and self.markup.past(closing, at) is not None
        return _INLINE.match(self.body, at) is not None


def _label(text: str) -> str:
    return " ".join(text.casefold().split())
