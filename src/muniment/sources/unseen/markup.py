"""What a browser shows nobody: comments, hidden elements, and attributes that are there for programs alone.

Follows HTML's tokenizer as far as where a tag or comment ends. What is not closed reaches the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final, NamedTuple

from muniment.domain.lines import Range
from muniment.domain.regex import regex
from muniment.sources.unseen.looks import ELEMENTS, hides, is_hidden

__all__ = ["OPENS", "Markup", "Reader", "unseen"]

OPENS: Final = regex(r"<(?=[!?/a-z])", re.IGNORECASE)
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)"""
_GIVEN = rf"(?:\s*+=\s*+(?:{_VALUE}|(?=>))|(?!\s*+=))"
_TAG = regex(rf"<(/?[a-z][^\s/>]*+)((?:[\s/]++|[^\s/>=]++{_GIVEN})*+)>", re.IGNORECASE)
_ATTRIBUTE = regex(rf"([^\s/>=]++)(?:\s*+=\s*+({_VALUE}))?+")
# Attributes whose words somebody reads, or that are no words.
_KEPT = frozenset(
    "href src alt title id class style name align valign width height border cellpadding cellspacing bgcolor "
    "color colspan rowspan scope dir lang start type value rel target cite datetime open controls checked "
    "disabled reversed nowrap loading face size".split()
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW = frozenset("script style textarea noscript iframe".split())  # which hold no other element
_BOGUS = regex(r"<(?:[!?]|/[^a-z])", re.IGNORECASE)
_WHOLE = (("<![CDATA[", "]]>"), ("<?", "?>"))


class Markup(NamedTuple):
    """A piece of markup: where it ends, and what of it nobody sees."""

    end: int
    hidden: tuple[Range, ...] = ()


@dataclass(slots=True)
class Reader:
    """Markup of one body, read in order. Remembers which ends are nowhere, so that none is looked for twice.

    reaching: elements that hide everything after them where nobody closed them.
    """

    body: str
    reaching: frozenset[str] = ELEMENTS
    _missing: set[str] = field(default_factory=set)

    def read(self, at: int) -> Markup:
        """The markup that begins at this `<`, as a browser reads it."""
        if self.body.startswith("<!--", at):
            return self._whole(at, self.comment_end(at))
        for opening, closing in _WHOLE:
            if self.body.startswith(opening, at):
                return self._whole(at, self.past(closing, at))
        if _BOGUS.match(self.body, at):
            return self._whole(at, self.past(">", at))
        tag = _TAG.match(self.body, at)
        return self._whole(at, None) if tag is None else self._tag(tag)

    def comment_end(self, at: int) -> int | None:
        """Past the comment that begins here; None where nobody closed it."""
        for empty in ("<!-->", "<!--->"):
            if self.body.startswith(empty, at):
                return at + len(empty)
        return self.past("-->", at + 4)

    def past(self, mark: str, start: int) -> int | None:
        """Past the next such mark, if there is one."""
        at = -1 if mark in self._missing else self.body.find(mark, start)
        if at < 0:
            self._missing.add(mark)
            return None
        return at + len(mark)

    def _whole(self, at: int, end: int | None) -> Markup:
        end = len(self.body) if end is None else end
        return Markup(end, ((at, end),))

    def _tag(self, tag: re.Match[str]) -> Markup:
        name, is_hidden = tag[1].casefold(), _is_hidden(tag)
        if name.startswith("/") or not (is_hidden or name in ELEMENTS):
            return Markup(tag.end(), () if name.startswith("/") else tuple(_for_programs(tag)))
        end = tag.end() if name in _VOID else self._element_end(name, tag.end())
        if end is None and not is_hidden and name not in self.reaching:
            return Markup(tag.end(), tuple(_for_programs(tag)))
        return self._whole(tag.start(), end)

    def _element_end(self, name: str, start: int) -> int | None:
        """Past the tag that closes the element; None where nobody closed it."""
        if name in self._missing:
            return None
        end = self._raw_end(name, start) if name in _RAW else self._balanced_end(name, start)
        if end is None:
            self._missing.add(name)
        return end

    def _raw_end(self, name: str, start: int) -> int | None:
        closing = re.compile(rf"</{name}[^>]*>", re.IGNORECASE).search(self.body, start)
        return None if closing is None else closing.end()

    def _balanced_end(self, name: str, start: int) -> int | None:
        depth, at = 1, start
        while opens := OPENS.search(self.body, at):
            tag = _TAG.match(self.body, opens.start())
            if tag is None:
                at = opens.end() if self.body[opens.end()].isalpha() else self.read(opens.start()).end
                if at == opens.end():  # a tag that reaches the end
                    return None
                continue
            depth += {name: 1, f"/{name}": -1}.get(tag[1].casefold(), 0)
            at = tag.end()
            if not depth:
                return at
        return None


def _is_hidden(tag: re.Match[str]) -> bool:
    given = {one[1].casefold(): unescape((one[2] or "").strip("\"'")) for one in _ATTRIBUTE.finditer(tag[2])}
    return is_hidden(tag[1].casefold(), given) or hides(given.get("style", ""))


def _for_programs(tag: re.Match[str]) -> list[Range]:
    start = tag.start(2)
    return [
        (start + one.start(), start + one.end())
        for one in _ATTRIBUTE.finditer(tag[2])
        if one[1].casefold() not in _KEPT
    ]


def unseen(body: str) -> list[Range]:
    """What a browser does not show of a page."""
    found: list[Range] = []
    reader, at = Reader(body), 0
    while opens := OPENS.search(body, at):
        one = reader.read(opens.start())
        found += one.hidden
        at = one.end
    return found
