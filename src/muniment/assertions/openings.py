"""How formal sentences open, up to the comma: what only introduces, what narrows, what is a condition."""

from __future__ import annotations

import re

from muniment.assertions.attributes import PLACES
from muniment.assertions.subjects import join_qualifiers
from muniment.domain.regex import regex

__all__ = ["past_openings"]

_MAX_OPENINGS = 3
_OPENING = regex(r"(?P<words>[A-Za-z][^,:;]{2,100}), (?=\S)")
_AGREED = regex(r"it is (?:hereby )?(?:agreed|understood|provided|declared) that ", re.IGNORECASE)
_INTRODUCES = regex(
    r"(?:as (?:filed|agreed|stated|noted|approved|shown|printed|published|set out)|subject to|notwithstanding"
    r"|pursuant to|in accordance with|for (?:the )?purposes? of|regardless of|without prejudice to"
    r"|(?:unless|except as|save as) otherwise|under (?:this|these|the present)|accordingly|further"
    r"|in addition|at present|currently|effective)\b",
    re.IGNORECASE,
)
_NARROWS = regex(
    r"(?P<how>in the absence of|in|within|for|under|during|throughout|on|at|with respect to|as regards)"
    r" (?P<what>.+)",
    re.IGNORECASE,
)


def past_openings(text: str) -> tuple[int, str | None]:
    """Where the statement begins and what its openings narrow it to."""
    start, scopes = 0, list[str]()
    for _ in range(_MAX_OPENINGS):
        opening = _OPENING.match(text, start)
        narrows = opening and _NARROWS.fullmatch(opening["words"])
        introduces = opening and _INTRODUCES.match(opening["words"])
        if not opening or not (narrows or introduces):
            break
        if narrows and not introduces:
            scopes.append(_scope(narrows["how"], narrows["what"]))
        start = opening.end()
    if agreed := _AGREED.match(text, start):
        start = agreed.end()
    return start, join_qualifiers(*scopes)


def _scope(how: str, what: str) -> str:
    what = re.sub("^(?:the|our|all) ", "", what.casefold())
    return PLACES.get(what, what) if how.casefold() in ("in", "within") else f"{how.casefold()} {what}"
