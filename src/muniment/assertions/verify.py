"""The gates: what of a model's reply may stand as a statement of the item it was shown. Pure.

A model proposes; what passes here is decided without one. Its words must parse; the quote must stand
verbatim in the author's own words; the statement must say nothing that the quote, or the item of itself,
does not. What is refused is counted by its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from muniment.assertions.anchor import Anchored, find_quote, own_sentences, sentences_around
from muniment.assertions.attributes import normal_attribute, take_period
from muniment.assertions.distil import Draft, Unreadable, read_drafts, read_ruling
from muniment.assertions.faithful import Evidence, is_denied
from muniment.assertions.terms import Mention, find_terms
from muniment.assertions.unit import Unit
from muniment.domain.assertions import Assertion, Kind, Quote, Slot
from muniment.domain.names import normal_name
from muniment.domain.passages import Passage
from muniment.domain.regex import regex

__all__ = ["Ruled", "Shown", "Verified", "verify_drafts", "verify_ruling"]

LONGEST_STATEMENT = 400
LONGEST_QUOTE = 600
SHORTEST_QUOTE = 6  # characters
_MOST_WORDS = 6  # of what a slot is about
_UNSURE = regex(
    r"\b(?:may|might|could|if|unless|maybe|perhaps|probably|possibly|propos\w*|suggest\w*|would|expect\w*)\b"
    r"|[?？]|可能|也许|或许|大概|如果|假如|除非|建议|考虑|吗",
    re.IGNORECASE,
)
_NOBODY = frozenset(
    "we us it they them he she i you this that these those one there our team the team".split()
)
_KINDS = frozenset(kind.value for kind in Kind)


@dataclass(frozen=True)
class Shown:
    """The passage a model was shown, and the unit that was made of it."""

    passage: Passage
    unit: Unit

    @cached_property
    def text(self) -> Anchored:
        """The passage's words, as quotes are looked for in them."""
        return Anchored(self.passage.text)

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Where its author's own sentences stand: cut once, however many statements are of them."""
        return own_sentences(self.passage)

    @cached_property
    def beside(self) -> str:
        """What the item says of itself."""
        context = self.unit.context
        about = (context.title, context.account, context.project, context.service)
        who = (context.author, self.unit.speaker)
        return "\n".join(part for part in (*about, *who, *self.unit.heading) if part)

    @cached_property
    def values(self) -> frozenset[str]:
        """The terms of what the item says of itself."""
        return frozenset(mention.term.value for mention in find_terms(self.beside))

    def evidence(self, quote: Quote) -> Evidence:
        """What a statement with this quote may say."""
        return Evidence(quote.text, self.beside, self.values)


@dataclass(frozen=True, slots=True)
class Verified:
    """What passed, and why each of the others did not."""

    accepted: tuple[Assertion, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruled:
    """What an earlier statement has become: None where the text no longer says it."""

    verdict: str
    now: Assertion | None


def verify_drafts(reply: str, shown: Shown, extractor: str) -> Verified:
    """The statements of a reply that its passage proves."""
    drafts = read_drafts(reply)
    if isinstance(drafts, Unreadable):
        return Verified(refused=(drafts.why,))
    tried = [_verified(draft, shown, extractor) for draft in drafts]
    accepted = _once(one for one in tried if isinstance(one, Assertion))
    return Verified(accepted, tuple(one for one in tried if isinstance(one, str)))


def verify_ruling(reply: str, before: Assertion, shown: Shown, extractor: str) -> Ruled | str:
    """What a reply makes of an earlier statement, or why it makes nothing of it."""
    ruling = read_ruling(reply)
    match ruling:
        case Unreadable(why=why):
            return why
        case _ if ruling.draft is None:
            return Ruled("retracted", None)
        case _ if ruling.verdict == "confirmed":
            again = _verified(replace(ruling.draft, statement=before.statement), shown, extractor)
            # It says what it said: its words are new, and what it is about is not.
            return again if isinstance(again, str) else Ruled("confirmed", _with_quote(before, again))
        case _:
            revised = _verified(ruling.draft, shown, extractor)
            return revised if isinstance(revised, str) else Ruled("revised", revised)


def _with_quote(before: Assertion, again: Assertion) -> Assertion:
    return replace(again, kind=before.kind, slot=before.slot, value=before.value)


def _once(found: Iterable[Assertion]) -> tuple[Assertion, ...]:
    """Each statement of each quote once."""
    kept: dict[tuple[object, ...], Assertion] = {}
    for one in found:
        kept.setdefault((one.statement, one.slot, one.quote.start, one.quote.end), one)
    return tuple(kept.values())


def _verified(draft: Draft, shown: Shown, extractor: str) -> Assertion | str:
    """The statement as it may stand, or why it may not."""
    statement = " ".join(draft.statement.split())
    if draft.kind not in _KINDS:
        return "a kind that there is not"
    if not 0 < len(statement) <= LONGEST_STATEMENT:
        return "a statement of no length that can be"
    quote = _quoted(draft.quote, shown)
    if quote is None:
        return "a quote that its author does not say there"
    evidence = shown.evidence(quote)
    lack = evidence.lacks(statement)
    if lack is not None:
        return lack
    slot, value = _slot(draft, quote, evidence) or (None, None)
    return Assertion(
        kind=Kind(draft.kind),
        statement=statement,
        slot=slot,
        value=value,
        terms=tuple(mention.term for mention in evidence.mentions),
        quote=quote,
        stated_by=shown.passage.speaker or shown.unit.context.author,
        extractor=extractor,
    )


def _quoted(words: str, shown: Shown) -> Quote | None:
    passage = shown.passage
    if not SHORTEST_QUOTE <= len(words.strip()) <= LONGEST_QUOTE:
        return None
    place = find_quote(passage, words, shown.text)
    if place is None:
        return None
    start, end = sentences_around(shown.sentences, *place)
    if end - start > LONGEST_QUOTE:
        return None
    return Quote(passage.ordinal, start, end, passage.text[start:end])


def _slot(draft: Draft, quote: Quote, evidence: Evidence) -> tuple[Slot, str] | None:
    """What it is about and the value it gives it; None where any of that is not plainly said."""
    if not (draft.about and draft.attribute and draft.value):
        return None
    if _UNSURE.search(quote.text) or is_denied(quote.text):
        return None
    about, value = _about(draft.about, evidence), _value(draft.value, quote, evidence.mentions)
    words, period = take_period(draft.attribute)
    attribute = None if evidence.lacks(words) and not is_denied(words) else normal_attribute(words)
    if about is None or attribute is None or value is None:
        return None
    return Slot(about, attribute, period), value


def _about(words: str, evidence: Evidence) -> str | None:
    plain = re.sub(r"\A(?:the|our|an?)\s+", "", words.strip(), flags=re.IGNORECASE)
    usable = plain and normal_name(plain) not in _NOBODY and len(plain.split()) <= _MOST_WORDS
    return plain if usable and evidence.has(plain) else None


def _value(words: str, quote: Quote, mentions: Iterable[Mention]) -> str | None:
    """The value in its one spelling. A relative date is none: two Fridays would meet in one slot."""
    proven = {mention.term.value for mention in mentions}
    typed = [mention.term.value for mention in find_terms(words)]
    if typed:
        found = next((value for value in typed if value in proven), None)
        return None if found is None or "relative:" in found else found
    return normal_name(words) if Evidence(quote.text).has(words) else None
