"""What stands before a colon: who speaks, a few words of introduction, a scope, or what unmakes the rest.

"For the plan: the renewal date is …" states the date; "for contractors: the notice is …" narrows it; "wrong:
the limit is …" takes it back. Which words do which is a list, and a short name that is on none is taken for a
scope: a scope too many hides a statement from its peers, a scope too few makes a false conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from muniment.assertions.attributes import PLACES
from muniment.domain.regex import regex

__all__ = ["Clause", "clauses"]

_COLON = regex(r":(?=\s)|：")
_MAX_CLAUSES = 4
_MAX_SCOPE_WORDS = 6
_UNMADE = regex(
    r"\b(?:wrong|incorrect|false|untrue|not|never|n['’]t|old|older|former|previous|earlier|outdated"
    r"|obsolete|used to|no longer|myth|rumou?rs?|unconfirmed|heard|claims?|claimed|wrote|writes|written by"
    r"|told|tells|(?<!been )(?<!being )ask(?:s|ed)|quot\w+|says|said|suggest\w*|propos\w+|options?"
    r"|scenarios?|variants?|alternatives?|drafts?|theory|hypothes[ie]s|bets?|guess\w*|assum\w+|ideas?"
    r"|wish\w*|hop(?:e|es|ed|ing)|goals?|targets?|worst|best|case|examples?|instance|e\.g|if|unless|whether"
    r"|would|could|might|maybe|perhaps|suppos\w+|imagine|questions?|unclear|instead of)\b"
    "|据说|听说|有人|错|旧|以前|原来|之前的|曾|如果|假如|假设|建议|方案|选项|提议|是否|可能|也许|例如|比如|问|说|写道"
    "|希望|目标|传言|不对|并非"
)
_NAME = regex(r"[^\W\d_a-z][\w'’.-]{1,24}(?: [^\W\d_a-z][\w'’.-]{0,24}){1,2}")
_NO_NAMES = frozenset(
    "plan plans tier edition region office team customers contractors employees staff north south east west "
    "central america asia europe africa kingdom states zealand korea kong new the all".split()
)
_HAN = regex(r"[\u4e00-\u9fff]")
_WORD = regex(r"[^\W_]+(?:['’-][^\W_]+)*")
_SCOPED = regex(r"(?P<how>for|in|on|at|within) (?:the |our |all )?(?P<what>.+)", re.IGNORECASE)
_HAN_SCOPED = regex("^(?:对于?|在|针对|关于)|[版区级组部户员国省市期类层岗工]$")
_ARTICLE = regex("^(?:the|our|all) ", re.IGNORECASE)
_CLOCK = regex(r"[\[(]?\d{1,2}:\d{2}")
# Words that introduce: whoever acts, or says that something follows.
_INTRODUCES = frozenset(
    "i we you he she they it us me my our your his her their this that these those here there who what "
    "sorry no nope "
    "is are was were be been being have has had do did does will am "
    "as so just again now also finally first second lastly from per via according after since because "
    "checked confirmed looked agreed decided corrected status warning caution tip hint "
    "update updates news fyi btw ps note notes reminder heads-up heads correction summary recap answer "
    "answers reply result results conclusion decision agreement confirmation important attention info "
    "information fact facts detail details number numbers figure figures follow-up point thing things line "
    "short tldr outcome ok okay yes hi hello thanks dear done quick good great perfect please sure".split()
)
# What a statement is written down for: for the record, for the partner docs, but not for the starter plan.
_RECORDS = frozenset(
    "record records docs doc documentation document documents minutes file files log logs wiki faq deck "
    "slides protocol calendar sheet handbook handover hand-over copy mail email ticket thread list newcomers "
    "everyone everybody anyone completeness clarity reference archive context background call meeting "
    "interested".split()
)
_PLANS = regex("(?:for )?(?:(?:the|project) )*plan", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """Where what is said begins, and what the words before it narrow it to."""

    start: int
    scope: str | None


def clauses(text: str) -> Iterator[Clause]:
    """The sentence, then what follows each colon, until a lead-in unmakes the rest."""
    yield Clause(0, None)
    start, scopes = 0, list[str]()
    for colon in list(_COLON.finditer(text))[:_MAX_CLAUSES]:
        lead = text[start : colon.start()].strip(' -–—•*"“”')
        if not lead or _UNMADE.search(lead.casefold()):
            return
        scopes += filter(None, [_scope(lead)])
        start = colon.end() + len(text[colon.end() :]) - len(text[colon.end() :].lstrip())
        yield Clause(start, ", ".join(scopes) or None)


def _scope(lead: str) -> str | None:
    """None where the lead-in only introduces."""
    if place := PLACES.get(lead.casefold()):
        return place
    words = [word.casefold() for word in _WORD.findall(lead)]
    if _HAN.search(lead):
        return lead if _HAN_SCOPED.search(lead) else None
    if _NAME.fullmatch(lead) and _NO_NAMES.isdisjoint(words):
        return None
    # A lead-in of nothing but marks, such as `**:`, narrows nothing.
    if not words or len(words) > _MAX_SCOPE_WORDS or _introduces(lead, words):
        return None
    if match := _SCOPED.fullmatch(lead):
        how, what = match["how"].casefold(), match["what"].casefold()
        return PLACES.get(what, what) if how in ("in", "within") else f"{how} {what}"
    return _ARTICLE.sub("", lead).casefold()


def _introduces(lead: str, words: list[str]) -> bool:
    if _CLOCK.match(lead) or _PLANS.fullmatch(lead) or not _INTRODUCES.isdisjoint(words):
        return True
    return (words[0] == "for" or len(words) == 1) and not _RECORDS.isdisjoint(words)
