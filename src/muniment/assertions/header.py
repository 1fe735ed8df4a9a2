"""What a document's title and opening lines say of it: from when it holds, until when, which edition. Pure.

A line counts only where it says nothing else: `Effective 1 March 2026 · Version 2.1` is the document's,
`from 1 May the limit is 140` is a statement's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.assertions.roles import Mention, clock_after
from muniment.assertions.terms import find_terms
from muniment.assertions.validity import ENDS_FIRST, Bounds, Said, bounds_of, resolve_term
from muniment.domain.assertions import Term
from muniment.domain.regex import regex

__all__ = ["Header", "read_header"]

_LINES = 20
_LINE = 240
_MARKUP = regex(r"^[\s>#*_|-]+|[*_`|]+")
_PART = regex(r"\s*(?:[·•;；|]|\s[–—]\s|\s{3,})\s*")
# "Amendment 1, effective 1 May 2026": a title may stand before, a sentence may not.
_TITLED = regex(
    r"^(?!.*\b(?:is|are|was|were|be|shall|must|will|may)\b)[A-Z][\w .&/-]{2,50}[,:] "
    r"(?=(?:effective|valid|in force|with effect)\b)"
)
_THIS = (
    r"(?:(?:this|the|these) (?:\w+ ){0,3}?(?:policy|document|agreement|contract|handbook|edition|version"
    r"|procedure|plan|regulation|guideline|guide|price list|notice|rule|rules|standard|order|terms|list"
    r"|schedule|offer|amendment)"
    r"(?: is| are)?,? )?"
)
_FROM = regex(
    rf"{_THIS}(?:(?:becomes |is )?(?:effective|valid)(?: date| since| from| as of| as from| on)?"
    r"|(?:in|with) (?:force|effect)(?: from| since| as of)?|applies (?:from|as of)|applicable (?:from|as of)"
    r"|takes effect(?: on| from)?|(?:comes|enters) into (?:force|effect)(?: on)?"
    r"|valid(?:ity)?(?: period)?)\W{0,3} ?",
    re.IGNORECASE,
)
_TO = regex(
    rf"(?:{_THIS}(?:(?:is )?(?:valid|effective|in force|applies|applicable) (?:through|until|till|to|up to)"
    r"|expir(?:es|y)(?: date| on)?|valid to)\W{0,3} ?|(?:,? ?(?:and )?(?:(?:expires|ends|lapses)(?: on)?"
    r"|until|till|to|through|thru|–|—|-) ?))(?:(?:the )?end of )?",
    re.IGNORECASE,
)
_HAN_FROM = regex(
    r"(?:本[^，。：:]{1,12})?(?:(?:生效|施行|执行|实施|起始|启用)(?:日期|时间|日)?|有效期|适用期间?)?"
    r"[:：为]? ?[自从]? ?"
)
_HAN_TO = regex(
    r"[，, ]*(?:本[^，。：:]{1,12})?(?:有效期[至到]|截至|截止(?:日期|时间|到|至)?|失效日期"
    r"|起?[至到]|[—–~-]+)[:：为]? ?"
)
_HAN_LASTS = regex("有效期(?:限)?[:：] ?")
_HAN_UNTIL = regex(r"[日号\d月年] ?(?:起?[至到]|[—–~-])")
_HAN_TAIL = regex(r" ?(?:起|开始)?(?:正式)?(?:施行|生效|执行|实施|启用|有效|为?止)?")
_HAN_SAYS = regex("生效|施行|执行|实施|启用|有效期|适用期|截[至止]|失效")
_HAN = regex("[\u4e00-\u9fff]")
_YEAR_OF = regex(r"((?:19|20|21)\d\d) ?年度")
_LOOKS_DATED = regex(r"[\d./-]{4,}")
_STRONG = regex(
    r"(?:effective(?: date)?|valid (?:from|to|until)|expir\w+(?: date| on)?|(?:生效|施行|失效)日期"
    r"|有效期[至到])\W{0,3}",
    re.IGNORECASE,
)
_EDITIONS = (
    regex(r"\b(?P<text>(?:Version|Ver\.) ?:? ?(?P<value>\d+(?:\.\d+){0,3}))\b", re.IGNORECASE),
    regex(r"\b(?P<text>Edition:? (?P<value>\d{1,4}))\b", re.IGNORECASE),
    regex(r"\b(?P<text>(?P<value>\d{1,3})(?:st|nd|rd|th) edition)\b", re.IGNORECASE),
    regex(r"\b(?P<text>(?P<value>first|second|third|fourth|fifth|\d{4}) edition)\b", re.IGNORECASE),
    regex(r"\b(?P<text>Rev(?:ision|\.)? ?:? ?(?P<value>[A-Z]|\d{1,3}))\b"),
    regex(r"(?P<text>第 ?(?P<value>[一二三四五六七八九十\d]{1,3}) ?版)"),
    regex(r"(?P<text>(?P<value>(?:19|20|21)\d\d) ?年?版)"),
    regex(r"(?P<text>版本(?:号)?[:：]? ?[Vv]?(?P<value>\d+(?:\.\d+){0,3}))"),
)


@dataclass(frozen=True, slots=True)
class Header:
    """Bounds, the words they were read from, an edition as written, and what could not be read."""

    bounds: Bounds = field(default_factory=Bounds)
    terms: tuple[Term, ...] = ()
    edition: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()


def read_header(title: str | None, body: str, when: Said) -> Header:
    """The header of a document said then."""
    lines = list(_lines(title, body))
    terms: list[Term] = []
    notes: list[str] = []
    for line in lines:
        found = _read(line)
        terms += [resolve_term(term, when) for term in found]
        notes += _unread(line, found)
    notes += [f"{term.text!r} was not read as a date: {term.note}" for term in terms if term.resolved is None]
    bounds = bounds_of(terms) if terms else _of_year(title, when)
    if bounds is None:
        notes.append(f"the period its opening lines give was not used: {ENDS_FIRST}")
    return Header(bounds or Bounds(), tuple(terms), _edition(lines), tuple(dict.fromkeys(notes)))


def _lines(title: str | None, body: str) -> Iterator[str]:
    if title:
        yield title
    taken = 0
    for line in body[:4000].split("\n"):
        plain = _TITLED.sub("", _MARKUP.sub("", line).strip())
        if plain and len(plain) <= _LINE:
            yield from (part.strip() for part in _PART.split(plain) if part.strip())
        taken += bool(plain)
        if taken >= _LINES:
            return


def _read(part: str) -> Sequence[Term]:
    """The bounds a part of a line gives, where it says nothing else."""
    part = part.strip(" ()（）[]【】.。,，")
    dates = [one for one in find_terms(part) if one.term.kind in ("date", "undated")]
    if not 1 <= len(dates) <= 2:
        return ()
    found: list[Term] = []
    at = 0
    for mention in dates:
        kind = _kind(part, part[at : mention.start], first=at == 0)
        if kind is None:
            return ()
        found.append(_term(kind, part, at, mention))
        at = clock_after(part, mention.end)[0]
        if tail := _HAN_TAIL.match(part, at):
            at = tail.end()
    rest = part[at:].strip()
    return tuple(found) if not rest and _says(part) else ()


def _term(kind: str, part: str, start: int, mention: Mention) -> Term:
    end, clock = clock_after(part, mention.end)
    text, date = part[start:end].strip(" ,，"), mention.term
    if date.kind == "undated":
        return Term(kind, text, "undated", note=date.value)
    at_end = part.endswith("end of ", 0, mention.start)
    return Term(kind, text, f"relative:end of {date.value}" if at_end else f"{date.value}{clock}")


def _kind(part: str, before: str, *, first: bool) -> str | None:
    if first and _HAN_LASTS.fullmatch(before) and not _HAN_UNTIL.search(part):
        return "until"
    begins = first and _FROM.fullmatch(before) is not None
    if not begins and (_TO.fullmatch(before) or _HAN_TO.fullmatch(before)):
        return "until"
    begins = begins or (first and _HAN.search(part) is not None and _HAN_FROM.fullmatch(before) is not None)
    return "effective" if begins else None


def _says(part: str) -> bool:
    """A date alone on a line dates the document, not what it says."""
    if _HAN.search(part):
        return _HAN_SAYS.search(part) is not None
    return _FROM.match(part) is not None or _TO.match(part) is not None


def _unread(part: str, found: Sequence[Term]) -> list[str]:
    """A line that begins as one with a date does, and has none that can be read."""
    lead = _STRONG.match(part)
    if not lead or found or not _LOOKS_DATED.match(part, lead.end()):
        return []
    return [f"{part[:80]!r} gives no date that can be read one way"]


def _of_year(title: str | None, when: Said) -> Bounds:
    """2026年度 in a title: that year."""
    match = _YEAR_OF.search(title or "")
    if not match:
        return Bounds()
    start = resolve_term(Term("effective", match[0], match[1]), when)
    end = resolve_term(Term("until", match[0], match[1]), when)
    return bounds_of((start, end)) or Bounds()


def _edition(lines: Sequence[str]) -> Mapping[str, str] | None:
    for line in lines[:8]:
        for pattern in _EDITIONS:
            if match := pattern.search(line):
                return {"text": match["text"], "value": match["value"]}
    return None
