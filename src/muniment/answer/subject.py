"""Whom a sentence is about: who says it, whom it names, whom it addresses. Pure.

A message says "I" of its author and "you" of whoever it calls by name; calling somebody by name tells
nothing of them. Rules for English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from uuid import UUID

from muniment.context.retrieve import Candidate
from muniment.domain.regex import regex
from muniment.domain.remembered import remembered
from muniment.index.words import lexemes

__all__ = ["Talk", "asked_before", "months_of", "people_of", "talk_of", "talked_of", "threads_of", "years_in"]

_TALK = frozenset(("message", "email", "call"))
_FIRST = regex(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b|我|咱", re.IGNORECASE)
_SECOND = regex(r"\b(?:you|your|yours|yourself)\b|你|您", re.IGNORECASE)
_GREETING = (
    r"hey|hi|hello|dear|thanks|thank you|wow|yeah|yes|no|congrats|congratulations|oh|so|well|okay|ok|bye|"
    r"great|cool|awesome|sure|sorry|take care|good luck|soon|again|too"
)
_ADDRESS = regex(
    rf"(?:^|[.!?,]\s*|\b(?:{_GREETING})[,!]?\s+)"
    rf"(?!(?:{_GREETING})\b)(?-i:(?P<name>[A-Z][^\W\d_]+))(?=\s*(?:[,!.?~]|$))",
    re.IGNORECASE,
)
_ASKS = regex(r"[?？]")
_SOON = timedelta(minutes=5)
_YEAR = regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTHS = ("january february march april may june july august september october november december").split()


@dataclass(frozen=True, slots=True)
class Talk:
    """One passage of talk, as lexemes: who speaks, who does in its thread, and whom it addresses anywhere.

    `is_talk` False: a text that speaks of nobody by being theirs.
    """

    is_talk: bool
    speaker: frozenset[str]
    present: frozenset[str]
    addressed: frozenset[str]


def people_of(candidates: Iterable[Candidate], named: Iterable[frozenset[str]]) -> frozenset[str]:
    """The words of those names that are an author's or a speaker's among the candidates, or part of one."""
    names = {one.passage.speaker or one.item.author_name or "" for one in candidates}
    authors = {frozenset(lexemes(name)) for name in names}
    return frozenset().union(*(name for name in named if name and any(name <= one for one in authors)))


def threads_of(candidates: Iterable[Candidate]) -> Mapping[tuple[str, str], frozenset[str]]:
    """Who speaks in each thread, as far as the candidates show."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for one in candidates:
        if one.item.thread is not None:
            key = (one.item.source, one.item.thread)
            found[key] = found.get(key, frozenset()) | frozenset(lexemes(one.item.author_name or ""))
    return found


def asked_before(candidates: Iterable[Candidate]) -> Mapping[UUID, str]:
    """The question that a message follows, by its passage: another's, in its thread, minutes before it."""
    threads: dict[tuple[str, str], list[Candidate]] = {}
    for one in candidates:
        if one.item.thread is not None and one.item.kind in _TALK:
            threads.setdefault((one.item.source, one.item.thread), []).append(one)
    found: dict[UUID, str] = {}
    for some in threads.values():
        said = sorted(some, key=lambda one: (one.item.created_at, one.item.id, one.passage.ordinal))
        for before, one in pairwise(said):
            is_near = one.item.created_at - before.item.created_at <= _SOON
            if is_near and before.item.author != one.item.author and _ASKS.search(before.passage.body):
                found[one.passage.passage] = before.passage.body
    return found


def talk_of(candidate: Candidate, threads: Mapping[tuple[str, str], frozenset[str]]) -> Talk:
    """Who is part of the talk a passage belongs to."""
    item, passage = candidate.item, candidate.passage
    is_talk = item.kind in _TALK or passage.speaker is not None
    return Talk(
        is_talk,
        frozenset(lexemes(passage.speaker or item.author_name or "")),
        threads.get((item.source, item.thread), frozenset()) if item.thread is not None else frozenset(),
        addressed_in(passage.body) if is_talk else frozenset(),
    )


@remembered
def addressed_in(text: str) -> frozenset[str]:
    """The words of names by which the text calls somebody: "Thanks, Ann!" is not about Ann."""
    return frozenset(lexeme for match in _ADDRESS.finditer(text) for lexeme in lexemes(match["name"]))


def talked_of(text: str, said: Iterable[str], talk: Talk) -> frozenset[str]:
    """Whom and what a sentence is about: what it says, and whoever its "I" and "you" are."""
    if not talk.is_talk:
        return frozenset(said) | talk.speaker
    words = frozenset(said) - addressed_in(text)
    if _SECOND.search(text) is None:
        return words | talk.speaker
    meant = words | talk.addressed
    return meant | talk.speaker if _FIRST.search(text) is not None else meant


def years_in(text: str) -> tuple[int, ...]:
    """The years a text names."""
    return tuple(int(year) for year in _YEAR.findall(text))


def months_of(candidate: Candidate) -> Sequence[str]:
    """When an item was made, as a question may put it: what it says of "last week" it says of that month."""
    made = candidate.item.created_at
    return (str(made.year), *lexemes(_MONTHS[made.month - 1]))
