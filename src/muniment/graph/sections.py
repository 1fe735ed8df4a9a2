"""Parts of a text by number or title, as headings carry them and as others name them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from muniment.assertions.numbers import normal_number
from muniment.domain.names import is_usable
from muniment.domain.regex import regex
from muniment.graph.names import reference_name

__all__ = [
    "HAN_SECTION",
    "SECTION",
    "Headings",
    "find_parts",
    "may_hold_parts",
    "section_keys",
    "section_name",
    "title_key",
]

# Parts that are known by what they are called, where others are known by number alone.
_LABELLED = "chapter|part|appendix|annex|annexure|schedule|exhibit|attachment"
_NUMBERED = "sections?|sec|clauses?|articles?|art|paragraphs?|para|subsection|rule"
_SIGNS = (
    "section", "§", "clause", "article", "chapter", "appendix", "annex", "schedule", "exhibit", "paragraph",
    "part ", "rule ", "sec. ", "sec ", "art. ", "para ", "attachment", "第", "附",
)  # fmt: skip
_NUMBER = r"(?:\d{1,4}|[A-Z]{1,2}|[IVX]{1,6})(?:\.(?:\d{1,4}|[A-Za-z]{1,2})){0,6}"
SECTION = (
    rf"(?:(?i:{_NUMBERED})\.?|§{{1,2}})\s{{0,2}}{_NUMBER}(?:\([0-9a-zA-Z]{{1,4}}\)){{0,3}}(?![\w-])"
    rf"|(?i:{_LABELLED})\s{{1,2}}(?!(?:19|20)\d\d)(?:{_NUMBER})(?![\w-])"
)
_HAN_DIGITS = "一二三四五六七八九十百零〇"
HAN_SECTION = (
    rf"第\s?(?:[{_HAN_DIGITS}]{{1,6}}|\d{{1,4}}(?:\.\d{{1,4}}){{0,6}})\s?[章节条款项部篇]"
    rf"(?:第[{_HAN_DIGITS}\d]{{1,4}}[款项])?"
    rf"|附[件录表]\s?(?:[{_HAN_DIGITS}]{{1,3}}|\d{{1,3}}|[A-Z])"
)
_PART = regex(rf"{SECTION}|{HAN_SECTION}")
_LABEL = regex(rf"({_LABELLED})\s+([0-9a-z]+(?:\.[0-9a-z]+)*)")
_PLAIN = regex(rf"(?:(?:{_NUMBERED})\.?|§{{1,2}})\s*([0-9a-z]+(?:\.[0-9a-z]+)*)")
_HAN = regex(rf"第\s?([{_HAN_DIGITS}\d.]+)\s?([章节条款项部篇])")
_HAN_LABEL = regex(rf"附([件录表])\s?([{_HAN_DIGITS}\da-z]*)")
_BARE = regex(
    r"(?:(\d{1,4}(?:\.\d{1,4}){0,6})|([a-z](?:\.\d{1,4}){1,6})|([ivx]{1,6})(?=\.))[.)]?(?=[\s:、-]|\Z)"
)
_BETWEEN = regex(r"[\s.:,;)—–、-]+")
_APART = regex(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Headings:
    """The headings of a text by every name, and the first words of these."""

    names: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, paths: Iterable[Sequence[str]]) -> Headings:
        """Of the paths that its passages stand under."""
        titles = {title for path in paths for title in path}
        if not titles:
            return cls()
        names = frozenset[str]().union(*(section_keys(title) for title in titles))
        return cls(names, frozenset(name.split(" ", 1)[0] for name in names))

    def has(self, said: str) -> bool:
        """Whether words are one of its headings."""
        words = said.split(None, 1)
        return bool(words) and words[0].casefold() in self.firsts and title_key(said) in self.names


def may_hold_parts(plain: str) -> bool:
    """Whether a casefolded text names a part of a text at all."""
    return any(sign in plain for sign in _SIGNS)


def find_parts(text: str) -> list[re.Match[str]]:
    """Where parts of texts are named by number."""
    return list(_PART.finditer(text)) if may_hold_parts(text.casefold()) else []


def section_name(text: str) -> str:
    """A part as it was named, in one spelling: `§ 4.2`, `Section 4.2(a)` and `第4.2节` are `4.2`."""
    plain = reference_name(text.split("(", maxsplit=1)[0] if re.search(r"\d\(", text) else text)
    return _number(plain)[0] or title_key(plain)


def title_key(text: str) -> str:
    """A heading's words, whatever joins them: as a link's fragment has them too."""
    return _APART.sub(" ", reference_name(text)).strip()


def section_keys(heading: str) -> frozenset[str]:
    """Every name that a heading can be called by."""
    plain = reference_name(heading)
    number, end = _number(plain)
    rest = _BETWEEN.sub(" ", plain[end:], count=1).strip() if _BETWEEN.match(plain, end) else plain[end:]
    names: Iterable[str] = (number, title_key(plain), title_key(rest))
    return frozenset(name for name in names if name and is_usable(name))


def _number(plain: str) -> tuple[str, int]:
    """The number a normal name begins with, and where it ends; empty where there is none."""
    if match := _LABEL.match(plain):
        return f"{match[1]} {match[2]}", match.end()
    if match := _PLAIN.match(plain):
        return match[1], match.end()
    if match := _HAN.match(plain):
        return _han_number(match[1]), match.end()
    if match := _HAN_LABEL.match(plain):
        return f"附{match[1]} {_han_number(match[2])}".strip(), match.end()
    if match := _BARE.match(plain):
        return match[1] or match[2] or match[3], match.end()
    return "", 0


def _han_number(text: str) -> str:
    return normal_number(text) if text and text[0] in _HAN_DIGITS else text.strip(".")
