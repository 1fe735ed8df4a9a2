"""The names by which formal texts call what they set, however long: with their clauses, but one name."""

from __future__ import annotations

import re
from dataclasses import replace

from muniment.assertions.attributes import normal_phrase
from muniment.assertions.subjects import Said, join_qualifiers, read_subject
from muniment.assertions.terms import Mention
from muniment.domain.assertions import Context
from muniment.domain.regex import regex

__all__ = ["read_entry", "read_noun"]

_MAX_WORDS = 26
_WORD = regex(r"[^\W_]+(?:['’-][^\W_]+)*")
_SIGNS = regex(r'[,;:!?"“”|<>={}]')
_BEGINS = regex(r"(?:the|our|any|each|every|what|how (?:long|far|much|many|soon)) ", re.IGNORECASE)
# What points at another place has no name of its own; what somebody says or said is not so for that.
_POINTS = frozenset(
    "this these those it itself such here there he she they them him his her i you your my me same said "
    "aforesaid foregoing none nothing nobody".split()
)
_REPORTS = frozenset(
    "say says claim-that claims-that notes noted states stated alleges alleged argues argued believes "
    "believed thinks thought assumes assumed proposes suggests suggested asks asked tells told writes wrote "
    "hopes wants expects fears".split()
)
_PEOPLE = frozenset(
    "man woman child person people insured employee worker member applicant customer client driver owner "
    "manager user tenant patient building house norm reason exception average".split()
)
_FINITE = frozenset("is are was were has have had shall will no not never".split())
# After one of these a second verb belongs to the name: the warning *that* a creditor receives.
_OPENS_CLAUSE = frozenset(
    "that which who whom whose what when where while whenever because before after until as how than once "
    "than since we us".split()
)
_UNDER = regex(
    r"(?P<noun>.{3,160}?) (?P<under>(?:under|in)"
    r" (?:Section|Clause|Article|Rule|Part|Coverage|Schedule) [\w.]{1,8})"
)
_DANGLING = frozenset("of to in for on by with from at and or that which the a an".split())
_HEAD_ENDS = frozenset("of to in for on by with from at between after before under against over per".split())


def read_noun(words: str, mention: Mention, context: Context) -> Said | None:
    """Entity and attribute where the name is short; the whole of it where it is long."""
    words = words.strip()
    own = [word.casefold() for word in _WORD.findall(words)]
    if not own or not _is_one_name(words, own):
        return None
    if match := _UNDER.fullmatch(words):
        said = read_noun(match["noun"], mention, context)
        return said and replace(said, qualifier=join_qualifiers(said.qualifier, match["under"].casefold()))
    return read_subject(words, mention, context) or _phrase(words, own, mention)


def read_entry(words: str, mention: Mention, context: Context) -> Said | None:
    """The same of an entry in a list or a table, which needs no article: its line is its own."""
    return read_subject(words, mention, context) or read_noun(f"the {words}", mention, context)


def _is_one_name(words: str, own: list[str]) -> bool:
    return (
        len(own) <= _MAX_WORDS
        and not _SIGNS.search(words)
        and _POINTS.isdisjoint(own)
        and _REPORTS.isdisjoint(own)
        and own[-1] not in _DANGLING
        and _head(own) not in _PEOPLE
        and _verbs_belong(own)
    )


def _head(own: list[str]) -> str:
    """The noun of a short name: "the oldest member" is a person, "the age of the oldest member" is none."""
    stop = next(
        (place for place, word in enumerate(own) if word in _HEAD_ENDS | _OPENS_CLAUSE),
        len(own),
    )
    return own[stop - 1] if stop else own[0]


def _verbs_belong(own: list[str]) -> bool:
    """Whether each verb is in a clause of the name: "the vote is over and the limit" are two statements."""
    clause = next((place for place, word in enumerate(own) if word in _OPENS_CLAUSE), len(own))
    return all(place > clause for place, word in enumerate(own) if word in _FINITE)


def _phrase(words: str, own: list[str], mention: Mention) -> Said | None:
    if len(own) < 3 or not _BEGINS.match(words):
        return None
    attribute = normal_phrase(words)
    return Said(None, attribute, None, mention.term.value) if attribute else None
