"""Whether what follows a value leaves it what it is."""

from __future__ import annotations

import re

from muniment.assertions.attributes import PERIODS
from muniment.assertions.roles import NO_VALUES
from muniment.assertions.terms import Mention
from muniment.domain.regex import regex

__all__ = ["is_whole", "value_at"]

# What may follow a value without changing what it says; "3 days old" and "5 people short" may not.
_TAIL = regex(
    rf"(?:[.,;!]|$| ?[(—–]| - | per \w| ?(?:/|\ba |\ban |\beach |\bevery )(?:{PERIODS})\b"
    "| (?:in|for|as of|from|since|effective|until|through|by|and|but|because|after|starting|at|on"
    r"|with effect|each way|nightly|daily|weekly|monthly|yearly|total|in total"
    r"|now|today|including|excluding|plus|gross|net|max|maximum)\b)",
    re.IGNORECASE,
)
# A state holds or not: "is done by calling", "is active in a thread" and "is open to all" describe.
_STATE_TAIL = regex(
    r"(?:[.,;!]|$| ?[(—–]| (?:as of|since|until|and|but|because|now|today)\b| (?:by|on|from) (?=[A-Z@\d]))"
)
_ANOTHER = regex(r",? (?:and|or|to|plus) \D{0,12}$|^ ?[-–—~至到] ?$")
_CONDITION = regex(
    r"\b(?:if|unless|except|provided|when|where|only for|but not|in case|in which)\b", re.IGNORECASE
)


def value_at(mentions: tuple[Mention, ...], at: int) -> Mention | None:
    """The term that begins at a place; the date itself rather than the role it plays."""
    here = [mention for mention in mentions if mention.start == at and mention.term.kind not in NO_VALUES]
    return here[0] if here else None


def is_whole(text: str, mention: Mention, mentions: tuple[Mention, ...]) -> bool:
    """Whether the predicate is this one value: nothing qualifies it, no second one stands beside it."""
    tail = text[mention.end :]
    if not (_STATE_TAIL if mention.term.kind == "state" else _TAIL).match(tail) or _CONDITION.search(tail):
        return False
    later = [
        other for other in mentions if other.start >= mention.end and other.term.kind == mention.term.kind
    ]
    return not later or not _ANOTHER.search(text[mention.end : later[0].start])
