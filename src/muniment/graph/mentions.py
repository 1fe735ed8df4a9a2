"""What a text calls others by: links, titles, numbers and sections in it. Pure.

Nothing here knows which titles exist. What looks like one is taken down; whether it leads anywhere, each
reader finds out over what they can see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from muniment.domain.names import is_usable
from muniment.domain.regex import regex
from muniment.graph.addresses import linked
from muniment.graph.names import Named, normal_edition, title_name
from muniment.graph.numbers import find_numbers
from muniment.graph.sections import Headings, find_parts, section_name
from muniment.graph.titles import capital_run, find_titles, is_generic

__all__ = ["Mention", "find_mentions"]


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters [start, end) that name a text, or a section of it; name None is the text they stand in."""

    start: int
    end: int
    name: str | None
    section: str | None = None
    edition: str | None = None
    is_link: bool = False


_MARKDOWN = regex(
    r"\[(?P<text>[^\[\]\n]{0,200})\]\("
    r"(?:\{%-?\s?\w{1,20}\s[\"']?(?P<page>[^\"'%\s]{1,300})[\"']?\s?-?%\}"
    r"|(?P<to><[^<>\n]{1,500}>|[^()\s]{1,500}))(?:\s\"[^\"\n]{0,200}\")?\)"
)
_WIKI = regex(r"\[\[(?P<to>[^\[\]|#\n]{1,120})?(?:#(?P<part>[^\[\]|\n]{1,120}))?(?:\|[^\[\]\n]{0,120})?\]\]")
_ANCHOR = regex(r"<a\s[^<>]{0,300}?href\s?=\s?[\"'](?P<to>[^\"'<>\s]{1,500})[\"']", re.IGNORECASE)
_RST = regex(r"`[^`<>\n]{0,200}<(?P<to>[^`<>\s]{1,500})>`__?")
_WEB = regex(r"https?://[^\s<>\"'`)\]}，。；）》]{3,500}")
_VALUE = (
    r"(?:(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|\d{1,2}/(?:19|20)\d\d|v?\d{1,3}(?:\.\d{1,4}){0,3}"
    r"|(?i:first|second|third|fourth|fifth|sixth)|\d{1,2}(?:st|nd|rd|th)|[A-Z](?![a-z]))"
)
_WORD = r"(?i:edition|ed\.|version|ver\.|revision|rev\.)"
_EDITION_AFTER = regex(
    rf"\s{{0,2}},?\s{{0,2}}[(（\[](?:(?i:the) )?(?:{_WORD}\s?(?P<a>{_VALUE})|(?P<b>{_VALUE})\s{_WORD}"
    r"|(?P<c>(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|\d{1,2}/(?:19|20)\d\d|[vV]\d{1,3}(?:\.\d{1,4}){0,3})\s?"
    r"(?:年?(?:修订|修正|修改)?版?|年度?版?)?|第(?P<d>[一二三四五六七八九十\d]{1,3})版)[)）\]]"
    r"|\s?第(?P<g>[一二三四五六七八九十\d]{1,3})版"
    rf"|,?\s(?:(?i:the) )?(?:{_WORD}\s(?P<e>{_VALUE})|(?P<f>{_VALUE})\s{_WORD})(?!\w)"
)
_EDITION_BEFORE = regex(
    rf"(?:(?:(?P<a>{_VALUE})\s{_WORD}|{_WORD}\s(?P<b>{_VALUE}))\s(?i:of)\s(?:(?i:the|our)\s)?"
    r"|(?<!\d)(?P<c>(?:19|20)\d\d(?:-\d\d)?)(?:\s(?i:edition|version))?\s"
    r"|(?P<d>(?:19|20)\d\d)\s?年?(?:度|修订|修正)?版?的?\s?)\Z"
)
_THEN_OF = regex(
    r"\s{1,3}(?:of|in|to|from|under)\s{1,3}(?:(?:the|our|an?)\s{1,3})?(?:[Ff]orm\s)?[\"“*_`]{0,3}"
)
_THEN_PART = regex(r"[\"”*_`)]{0,3}\s{0,2}(?:,\s{0,2}|[(（]\s{0,2}|的|，|\s(?:at|in|under)\s)?(?:the\s)?")
_THEN_OWN = regex(r"\s{1,3}(?:of|in|to)\s{1,3}(?:this|these)\s")
_OF_ANOTHER = regex(
    r"\s{1,3}of\s{1,3}(?:the|our|that|its|your|their|his|her|said|such|an?)\s{1,3}[\"“*_`]{0,3}(?P<said>\w[\w'’-]{0,40})"
)
_TAKEN = "\x04"
_LINE_LEAD = regex(r"[\s#*>_=-]*\Z")


def find_mentions(text: str, own: str, headings: Headings) -> list[Mention]:
    """Every mention, in order, none within another. `own`: the item's id; `headings`: its own."""
    links = list(_links(text, own))
    numbers = _free(links, (Mention(one.start, one.end, one.name) for one in find_numbers(text)))
    taken = [*links, *numbers]
    parts = find_parts(text)
    # No title runs into what is named already, nor into the number of a section beside it.
    bare = _without(text, [*((one.start, one.end) for one in taken), *(part.span() for part in parts)])
    titles = [Mention(start, end, *_named(title)) for start, end, title in find_titles(bare, headings)]
    taken += _free(taken, (one for one in titles if one.name))
    named = sorted(taken, key=lambda one: one.start)
    return _with_parts(text, [_with_edition(text, one) for one in named], parts)


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{_TAKEN * (end - start)}{text[end:]}"
    return text


def _named(title: str) -> tuple[str, None, str | None]:
    name, edition = title_name(title)
    return (name if is_usable(name) else ""), None, edition or None


def _free(taken: Iterable[Mention], more: Iterable[Mention]) -> list[Mention]:
    """Those of the second that touch none of the first, nor one another."""
    found: list[Mention] = []
    held = sorted((one.start, one.end) for one in taken)
    at = last = 0
    for one in sorted(more, key=lambda one: one.start):
        while at < len(held) and held[at][1] <= one.start:
            at += 1
        if one.start >= last and (at == len(held) or one.end <= held[at][0]):
            found.append(one)
            last = one.end
    return found


def _links(text: str, own: str) -> Iterator[Mention]:
    found: list[Mention] = []
    if "](" in text:
        found += [one for match in _MARKDOWN.finditer(text) if (one := _link(match, own))]
    if "[[" in text:
        found += [one for match in _WIKI.finditer(text) if (one := _wiki(match))]
    if "<a" in text or "<A" in text:
        found += [one for match in _ANCHOR.finditer(text) if (one := _link(match, own))]
    if ">`_" in text:
        found += [one for match in _RST.finditer(text) if (one := _link(match, own))]
    yield from _free((), found)
    if "://" in text:
        yield from _free(found, (one for match in _WEB.finditer(text) if (one := _bare(match, own))))


def _link(match: re.Match[str], own: str) -> Mention | None:
    to = linked(match["to"] or match.groupdict().get("page", ""), own)
    return None if to is None else Mention(match.start(), match.end(), *to, is_link=True)


def _wiki(match: re.Match[str]) -> Mention | None:
    named = title_name(match["to"]) if match["to"] else Named("", "")
    section = section_name(match["part"]) if match["part"] else None
    if not named.name and section is None:
        return None
    return Mention(*match.span(), named.name or None, section, named.edition or None, is_link=True)


def _bare(match: re.Match[str], own: str) -> Mention | None:
    address = match[0].rstrip(".,;:!?")
    to = linked(address, own)
    return None if to is None else Mention(match.start(), match.start() + len(address), *to, is_link=True)


def _with_edition(text: str, one: Mention) -> Mention:
    """With the edition that is named beside it."""
    if one.is_link or one.edition:
        return one
    after = _EDITION_AFTER.match(text, one.end)
    if after:
        return replace(one, end=after.end(), edition=_edition(after))
    lead = max(0, one.start - 40)
    before = _EDITION_BEFORE.search(text[lead : one.start])
    if before:
        return replace(one, start=lead + before.start(), edition=_edition(before))
    return one


def _edition(match: re.Match[str]) -> str:
    return normal_edition(next(value for value in match.groupdict().values() if value))


def _with_parts(text: str, named: list[Mention], parts: Iterable[re.Match[str]]) -> list[Mention]:
    """Mentions joined with the sections named beside them; sections beside none are of the text itself."""
    starts = {one.start: place for place, one in enumerate(named)}
    found = list(named)
    alone = []
    ends = {one.end: place for place, one in enumerate(named)}
    last = 0
    for match in parts:
        section = section_name(match[0])
        place = _beside(text, match, starts, ends)
        if place is not None and found[place].section is None and not found[place].is_link:
            one = found[place]
            start, end = min(one.start, match.start()), max(one.end, match.end())
            found[place] = replace(one, start=start, end=end, section=section)
        elif match.start() >= last and not _is_heading(text, match):
            alone += _alone(text, match)
        last = match.end()
    return sorted([*found, *_free(found, alone)], key=lambda one: one.start)


def _alone(text: str, part: re.Match[str]) -> list[Mention]:
    """A section beside no mention: of the text itself, unless it is said to be of another."""
    start, end = part.span()
    section = section_name(part[0])
    other = _OF_ANOTHER.match(text, end)
    if other is None:
        return [Mention(start, end, None, section)]
    if is_generic(word := other["said"].casefold()):
        return [Mention(start, other.end(), word, section)]
    title = capital_run(text, other.start("said"))
    name, _, edition = _named(title[2]) if title else ("", None, None)
    return [_with_edition(text, Mention(start, title[1], name, section, edition))] if title and name else []


def _beside(text: str, match: re.Match[str], starts: dict[int, int], ends: dict[int, int]) -> int | None:
    """Which mention a section is of: `Section 4 of the X`, `X, Section 4`, 《X》第四条."""
    if (then := _THEN_OF.match(text, match.end())) and (place := _near(starts, then.end())) is not None:
        return place
    for end in range(match.start(), max(-1, match.start() - 12), -1):
        if end in ends:
            joint = _THEN_PART.fullmatch(text, end, match.start())
            return ends[end] if joint else None
    return None


def _near(starts: dict[int, int], at: int) -> int | None:
    """The mention that begins there, or where its edition begins before it."""
    return next((starts[place] for place in (at, at - 1, at + 1) if place in starts), None)


def _is_heading(text: str, match: re.Match[str]) -> bool:
    """Whether the section is named where it begins, or as a part of the text that is only spoken of."""
    line = text.rfind("\n", 0, match.start()) + 1
    return _LINE_LEAD.match(text, line, match.start()) is not None and not _THEN_OWN.match(text, match.end())
