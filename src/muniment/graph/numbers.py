"""Numbers that documents, issues and tickets are known by, found in running text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from muniment.domain.regex import regex
from muniment.graph.names import number_name

__all__ = ["Numbered", "find_numbers", "leading_number", "may_hold_numbers", "scheme_of"]

# Letters before digits that are no document: currencies, zones, units, techniques, months, quarters.
_NOT_A_SCHEME = frozenset(
    "EUR USD GBP CNY RMB JPY CHF INR SGD HKD AUD CAD SEK UTC GMT CET CEST EST PST EDT PDT AM PM Q FY CY "
    "HTTP HTTPS "
    "TCP UDP UTF SHA MD AES RSA CPU GPU RAM ROM GB MB KB TB MS KM CM MM KG JAN FEB MAR APR MAY JUN JUL "
    "AUG SEP SEPT "
    "OCT NOV DEC NO NR IN ON AT OF TO BY OR AND THE FOR FROM UNTIL ONLY ALL TOP MAX MIN SLA P S H V USB "
    "IPV IP PORT "
    "PAGE LINE ROW STEP DAY WEEK MONTH YEAR TEAM ROOM LEVEL TIER PHASE VERSION V2 COVID".split()
)
# Of these not even what has more than one dash is a document's: they name techniques with their variants.
_TECHNIQUES = frozenset("HTTP HTTPS TCP UDP UTF SHA MD AES RSA USB IPV IP".split())
_KNOWN = "pep|rfc|bcp|adr|sop|iso|din|nist"
_KINDS = "form|bulletin|memorandum|memo|circular|directive|regulation|notice|policy|procedure|standard|order"
_NUMBERLIKE = regex(
    r"[A-Z][A-Z0-9]*[- ][A-Z ]{0,4}\d|[A-Z]{2}\d|#\d|号|[A-Z]-[A-Z]|(?:PEP|RFC)s |(?:pep|rfc|issue"
    r"|ticket)"
)
_SIGN = regex(r"[\d#号-]")
_SIGNS = ("PEPs ", "RFCs ", "pep", "rfc", "issue", "ticket")
_HASHED = regex(
    r"(?P<issue>(?<![\w&/#.-])(?:(?P<repo>[\w.-]{1,60}/[\w.-]{1,60})"
    r"|(?i:issues?|pr|pull request|ticket|mr|bug)\s{1,2})?#\d{1,7}(?![\w-]))"
)
_WORDED = regex(
    r"(?P<worded>\b(?:[Ii]ssue|P[Rr]|[Pp]ull [Rr]equest|[Tt]icket) (?:no\. ?)?\d{1,7}(?![\w-]|\.\d))"
)
_SCHEMED = regex(
    rf"(?P<many>\b(?i:{_KNOWN})s\s\d{{1,6}}"
    r"(?:(?:\s?,\s?(?:and\s|or\s)?|\sand\s|\sor\s|\s?/\s?)\d{1,6}){0,20}(?!\w))"
    rf"|(?P<known>\b(?i:{_KNOWN})(?:[- ]|\n\s{{0,8}}|: ?|:`)?\d{{1,6}}(?![\w]))"
)
_SCHEME = regex(rf"(?:{_KNOWN})(?:s\s|[- \n:`]{{0,4}})\d")
_KINDED = regex(rf"(?P<kind>\b(?i:{_KINDS}) (?i:no\. ?|nr\. ?|# ?)\d{{1,7}}(?:[-/]\d{{1,4}})?(?![\w]))")
_CAPITALS = regex(
    r"(?P<spaced>\b[A-Z]{2,6} (?:[A-Z]{1,3} )?\d{1,6}(?: \d{2,4}){0,4}(?![\w%.,/:]*\d)(?!\w))"
    r"|(?P<dashed>(?<![\w./-])[A-Z][A-Z0-9]{0,9}(?:-[A-Z0-9]{1,20}){1,5}(?![\w-]))"
    r"|(?P<joined>\b[A-Z]{2,6}\d{1,6}\b(?![-.]\d))"
)
_HAN = regex(r"(?P<han>[\u4e00-\u9fff]{1,12}[〔\[［【(（](?:19|20)\d\d[〕\]］】)）]\s?第?\s?\d{1,5}\s?号)")
_DIGITS = regex(r"\d+")
_HAN_LEAD = regex("^.*(?:根据|依据|按照|参见|见|取代|废止|替代|修订|修改|与|和|及)")
_DATE = regex(r"(?:FY|Q[1-4])?-?\d{4}-\d{2}(?:-\d{2})?\Z")


class Numbered(NamedTuple):
    """Characters [start, end) that are a document's number, and its normal name."""

    start: int
    end: int
    name: str


def may_hold_numbers(text: str) -> bool:
    """Whether a text has letters and digits in the order of a document's number at all."""
    if not _SIGN.search(text) and not any(sign in text for sign in _SIGNS):
        return False
    return _NUMBERLIKE.search(text) is not None


def find_numbers(text: str) -> Iterator[Numbered]:
    """Every number in the text that could be a document's; one within another comes after it."""
    for pattern in _patterns(text):
        for match in pattern.finditer(text):
            if match.groupdict().get("many"):
                yield from _many(match)
            elif found := _numbered(match):
                yield found


def _patterns(text: str) -> Iterator[re.Pattern[str]]:
    """Those that can match at all: most texts have none of their first letters."""
    plain = text.casefold()
    if _SCHEME.search(plain):
        yield _SCHEMED
    if "号" in text:
        yield _HAN
    if any(sign in plain for sign in (" no. ", " no.", " nr.", " #")):
        yield _KINDED
    if "#" in text:
        yield _HASHED
    if "issue " in plain or "pr " in plain or "request " in plain or "ticket " in plain:
        yield _WORDED
    yield _CAPITALS


def _many(match: re.Match[str]) -> Iterator[Numbered]:
    """`PEPs 484, 526 and 544` are three."""
    scheme = match[0].split(maxsplit=1)[0][:-1]
    for digits in _DIGITS.finditer(match[0]):
        at = match.start()
        yield Numbered(at + digits.start(), at + digits.end(), number_name(f"{scheme} {digits[0]}"))


def _numbered(found: re.Match[str]) -> Numbered | None:
    raw, start, end = found[0], found.start(), found.end()
    match _group(found):
        case "issue":
            number = f"#{int(raw.rsplit('#', 1)[1])}"
            return Numbered(start, end, f"{found['repo'].casefold()}{number}" if found["repo"] else number)
        case "worded":
            return Numbered(start, end, f"#{int(_DIGITS.findall(raw)[-1])}")
        case "han":
            lead = _HAN_LEAD.match(raw)
            start += lead.end() if lead else 0
            return Numbered(start, end, number_name(raw[lead.end() if lead else 0 :]))
        case "kind":
            return Numbered(start, end, number_name(re.sub(r"(?i)no\.|number|nr\.|#", "", raw)))
        case "known":
            return Numbered(start, end, number_name(raw))
    scheme = re.split(r"[\W\d]", raw, maxsplit=1)[0]
    if not any(one.isdigit() for one in raw) or _DATE.match(raw):
        return None
    if scheme in _NOT_A_SCHEME and not _is_filed(raw):
        return None
    return Numbered(start, end, number_name(raw))


def _is_filed(raw: str) -> bool:
    """Whether a number is one whatever its first word means: `OR-PA-3-2024`, `IN-2024-017`, not `Q3-2024`."""
    scheme, *rest = raw.split("-")
    if len(rest) < 2 or scheme in _TECHNIQUES:
        return False
    is_of_year = any(re.fullmatch(r"(?:19|20)\d\d", one) for one in rest) and not _DATE.match("-".join(rest))
    return is_of_year or any(len(one) > 1 and one.isalpha() for one in rest)


def _group(found: re.Match[str]) -> str:
    return next((name for name, text in found.groupdict().items() if text is not None and name != "repo"), "")


def leading_number(title: str) -> Numbered | None:
    """The number a title begins with, or has in parentheses at its end; None where it only speaks of one."""
    for one in find_numbers(title):
        before, after = title[: one.start], title[one.end :]
        if not re.sub(r"(?i)\b(?:form|no\.?|the)\b|[\s\[(]", "", before):
            return one
        if before.rstrip().endswith(("(", "[", "（")) and not after.strip(" )]）"):
            return one
    return None


def scheme_of(id_: str) -> str | None:
    """The word before the number in an id such as `pep-0204`: what a bare number beside it is of."""
    match = re.match(r"([a-z]{1,8})[-_ ]?\d{1,6}\Z", id_.rsplit("/", 1)[-1].rsplit(".", 1)[0].casefold())
    return match[1] if match else None
