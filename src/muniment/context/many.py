"""Questions whose answer lies in many places: an order of events, a list, a summary. Pure.

They get more passages, each more briefly, one an item before a second of any, in the order of time. Spreading
over time or threads beside that was measured and found worse (docs/decisions/0020-packs.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.context.asked.wants import wants
from muniment.context.pack import PLAIN, Manner
from muniment.context.retrieve import Candidate

__all__ = ["PASSAGES", "firsts", "manner_of", "wants_many"]

PASSAGES = 120  # of a question that wants many; a third of them fit into a pack of 3,000 tokens
_TALK = frozenset(("message", "email", "call"))
_STORY = frozenset(("order", "summary"))
STORY = Manner(whole=0.0, exact=0.2, condensed=0.0, by_time=True)
LIST = Manner(whole=0.2, exact=0.8, condensed=0.2, by_time=True)


def manner_of(question: str) -> Manner:
    """How a pack for the question is told."""
    wanted = wants(question)
    if wanted & _STORY:
        return STORY
    return LIST if "list" in wanted else PLAIN


def wants_many(question: str) -> bool:
    """Whether one piece of evidence, however good, leaves the question open."""
    return manner_of(question) != PLAIN


def firsts(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same, where further passages of one message come after the first of every other."""
    seen: set[object] = set()
    best: list[Candidate] = []
    more: list[Candidate] = []
    for one in candidates:
        (more if one.item.kind in _TALK and one.item.item in seen else best).append(one)
        seen.add(one.item.item)
    return [*best, *more]
