"""What long formal documents set: "the interval allowed for giving us notice in writing stands at 45 days".

The verb stands right before the value, or right behind it, and everything on its other side is the name of
what is set: whole, for two long names are one attribute only where they are the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from muniment.assertions.attributes import is_limit
from muniment.assertions.nouns import read_entry, read_noun
from muniment.assertions.openings import past_openings
from muniment.assertions.predicates import is_whole, value_at
from muniment.assertions.reading import Sentence
from muniment.assertions.subjects import Said, join_qualifiers, with_qualifier
from muniment.assertions.terms import Mention
from muniment.domain.assertions import Context
from muniment.domain.regex import regex

__all__ = ["read_agreed", "read_formal"]

_QUANTITIES = frozenset({"amount", "percent", "duration", "count"})
# A formal name may hold a "when", an "about" or an "otherwise"; these make the whole a supposition even so.
_UNREAL = frozenset(
    "if would could might maybe perhaps suppose supposing assuming should imagine whether wish example "
    "probably likely unlikely hypothetically previously formerly originally apparently allegedly roughly "
    "approximately almost nearly seems seem eg ideally hopefully guess think proposed proposal draft "
    "estimated expected former usual usually typical".split()
)
_CONDITION = regex(
    r"(?:if|unless(?! otherwise)|when(?:ever)?|where(?:ver)?|in case|in the event|provided|until|before|after"
    r"|once|except(?! as otherwise))\b",
    re.IGNORECASE,
)
_UPPER = "at most|up to|no more than|not more than|not exceeding|a maximum of|a limit of|no longer than"
_LOWER = "at least|no less than|not less than|a minimum of|no fewer than|not fewer than"
_BOUND = rf"(?:(?P<upper>{_UPPER})|(?P<lower>{_LOWER})|exactly|a total of|the sum of|a period of)? ?"
_SET = "set|fixed|settled|established|agreed|determined"
_VERB = regex(
    rf" (?:(?:is|are|shall be|equals?|shall equal|amounts? to|shall amount to|comes? to|stands? at|totals?"
    rf"|shall stand at|runs? (?:to|for)|(?:is|are) agreed to be|lasts?|remains?(?: at)?"
    rf"|(?:is|are|was|were|has been|have been|shall be) (?:hereby )?(?:{_SET}) (?:at|to|as)) {_BOUND}"
    r"|(?P<most>(?:may|shall|must|can|will|does) not exceed|cannot exceed"
    r"|(?:is|are|shall be|has been|have been)"
    r" (?:hereby )?(?:capped at|limited to)|(?:may|shall|must) not be more than) "
    r"|(?P<least>(?:may|shall|must) not be (?:less|lower|shorter) than|(?:is|are) not less than) "
    r"|(?P<after>(?:applies|begins|starts|attaches|commences|ends|expires|lapses) after) )$"
)
_BACKWARDS = regex(
    r"(?:, (?:neither more nor less|no more and no less|in total|in all),)? (?:is|are|shall be|constitutes?"
    r"|represents?) (?P<noun>(?:the|our|what) [^,;:.]{4,160}?)(?P<rest>[,;.].*)?$"
)
_AGENT = (
    r"(?:[Ww]e|[Tt]he [a-z]+(?: [a-z]+)?|(?:Section|Rule|Article|Clause) [\d.]{1,8})"
    r"(?: have| has| hereby| shall| will)*"
)
_SETS = regex(
    rf"{_AGENT} (?:(?P<caps>caps?|capped|limits?|limited)|sets?|fix(?:es|ed)?|puts?|keeps?"
    r"|establish(?:es|ed)?)"
    rf" (?P<noun>(?:the|our|any) [^,;:]{{3,160}}?) (?:at|to) {_BOUND}$"
)
_APPLIES = regex(rf"{_AGENT} (?:appl(?:y|ies)|uses?|charges?|grants?|allows?|takes?|treats?) $")
_AS = regex(r" (?:as|to be) (?P<noun>(?:the|our|an?|what) [^,;:.]{4,160}?)(?P<rest>[,;.].*)?$")
_AGREED_ON = regex(
    r"(?:we|both (?:sides|parties)|the [a-z]+)(?: have| has)? (?:agreed|settled) on ", re.IGNORECASE
)
_AGREED_AS = regex(r"(?P<rate> per \w+)? as (?P<noun>(?:the|our) [^,;:.]{4,80})[,;.]?")
_PAYS = regex(rf"{_AGENT} (?P<verb>pays?|reimburses?|contributes?|refunds?) {_BOUND}$")
_TOWARD = regex(r" (?:for|towards?) (?P<what>[^,;:.]{3,80})(?:[,;.].*)?$")
_REQUIRED = regex(r"(?:[Aa]n? |[Tt]he )?(?P<noun>(?!No )[A-Za-z][A-Za-z -]{2,80}?) of (?!no )" + _BOUND + "$")
_IS_REQUIRED = regex(
    r" (?:(?:shall )?appl(?:y|ies)|(?:is|are|shall be) required|(?:must|shall) be (?:given|kept|maintained"
    r"|observed|paid|allowed))(?P<scope> (?:to|for|in|on|before|after|between) [^,;:.]{2,60})?\.?$"
)
_SUBJECT_TO = regex(
    r"(?P<scope>[A-Z][^,;:]{2,80}?) (?:is|are|shall be) subject to an? (?P<noun>[a-z][a-z -]{2,40}) of $"
)
_LISTED = regex(r"(?P<noun>[^:|—–]{3,160}?)(?: ?[:：]| [—–]) $")
_FOR = regex(r"For (?P<noun>(?:the|our|what) [^:|—–,]{3,160}), $")
_LISTED_TAIL = regex(r"(?: (?:per|each|every|a) \w+(?: \w+)?)?[.;]?$")


def read_formal(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    """None outside documents, and unless a verb that sets joins one name and one quantity."""
    if not sentence.document or _CONDITION.match(sentence.text) or not _UNREAL.isdisjoint(sentence.words):
        return None
    if said := _entry(sentence.text, mentions, context):
        return said
    start, scope = past_openings(sentence.text)
    for mention in mentions:
        if mention.term.kind in _QUANTITIES and mention.start >= start:
            before, after = sentence.text[start : mention.start], sentence.text[mention.end :]
            said = next(filter(None, _readings(before, mention, after, context)), None)
            if said and (
                not after or not before or is_whole(sentence.text, mention, mentions) or _closes(after)
            ):
                return replace(said, qualifier=join_qualifiers(said.qualifier, scope))
    return None


def read_agreed(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    """We agreed on $500 as the limit, in talk as well."""
    start = _AGREED_ON.match(sentence.text)
    mention = start and value_at(mentions, start.end())
    match = _AGREED_AS.fullmatch(sentence.text, mention.end) if mention else None
    said = read_noun(match["noun"], mention, context) if match and mention else None
    return with_qualifier(said, match["rate"] or "") if match else None


def _entry(text: str, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    """For the loss of a card, $15: an entry, and not a sentence that opens with a scope."""
    for mention in mentions:
        match = _FOR.fullmatch(text[: mention.start])
        if match and mention.term.kind in _QUANTITIES and _LISTED_TAIL.fullmatch(text[mention.end :]):
            return with_qualifier(read_entry(match["noun"], mention, context), text[mention.end :])
    return None


def _closes(after: str) -> bool:
    return bool(_AS.match(after) or _IS_REQUIRED.match(after))


def _readings(before: str, mention: Mention, after: str, context: Context) -> Iterator[Said | None]:
    yield _said_of(before, mention, after, context)
    yield _sets(before, mention, after, context)
    yield _required(before, mention, after, context)
    yield _subject_to(before, mention, after, context)
    yield _pays(before, mention, after)
    yield _behind(before, mention, after, context)
    yield _listed(before, mention, after, context)


def _said_of(before: str, mention: Mention, after: str, context: Context) -> Said | None:
    """The deductible shall be $500; the sublimit may not exceed $10,000."""
    verb = _VERB.search(before)
    said = verb and read_noun(before[: verb.start()], mention, context)
    if not verb or not said:
        return None
    said = with_qualifier(said, after)
    if said and verb["after"]:
        return replace(said, attribute=f"{said.attribute} {verb['after']}")
    return said and _bounded(said, verb["upper"] or verb["most"], verb["lower"] or verb["least"])


def _sets(before: str, mention: Mention, after: str, context: Context) -> Said | None:
    """We have fixed the retention at $500."""
    match = _SETS.fullmatch(before)
    said = match and read_noun(match["noun"], mention, context)
    return (
        with_qualifier(_bounded(said, match["upper"] or match["caps"], match["lower"]), after)
        if match and said
        else None
    )


def _required(before: str, mention: Mention, after: str, context: Context) -> Said | None:
    """Notice of not less than thirty days must be given; a deductible of $500 applies to each loss."""
    match, required = _REQUIRED.fullmatch(before), _IS_REQUIRED.match(after)
    said = read_noun(match["noun"], mention, context) if match and required else None
    if not said or not match or not required:
        return None
    scope = _scope(required["scope"])
    return _bounded(
        replace(said, qualifier=join_qualifiers(said.qualifier, scope)), match["upper"], match["lower"]
    )


def _subject_to(before: str, mention: Mention, after: str, context: Context) -> Said | None:
    """Each claim is subject to a deductible of $500."""
    match = _SUBJECT_TO.fullmatch(before)
    said = match and read_noun(match["noun"], mention, context)
    if not match or not said:
        return None
    return with_qualifier(replace(said, qualifier=_scope(match["scope"])), after)


def _pays(before: str, mention: Mention, after: str) -> Said | None:
    """We will pay up to $10,000 for water backup."""
    match, toward = _PAYS.fullmatch(before), _TOWARD.match(after)
    if not match or not toward:
        return None
    said = Said(None, "payment", f"for {_scope(toward['what'])}", mention.term.value)
    return _bounded(said, match["upper"], match["lower"])


def _behind(before: str, mention: Mention, after: str, context: Context) -> Said | None:
    """Thirty days is the waiting period; we apply $500 as the deductible."""
    match = (
        _BACKWARDS.match(after) if not before else _AS.match(after) if _APPLIES.fullmatch(before) else None
    )
    return read_noun(match["noun"], mention, context) if match else None


def _listed(before: str, mention: Mention, after: str, context: Context) -> Said | None:
    """The sum for a brigade's call-out — $500."""
    match = _LISTED.fullmatch(before)
    if not match or not _LISTED_TAIL.fullmatch(after):
        return None
    return with_qualifier(read_entry(match["noun"], mention, context), after)


def _scope(words: str | None) -> str | None:
    return re.sub(r"\bthe ", "", words.strip().casefold()) if words else None


def _bounded(said: Said, upper: str | None, lower: str | None) -> Said:
    """A limit of at most $500 is a limit of $500."""
    if is_limit(said.attribute) or not (upper or lower):
        return said
    return said.valued(f"{'<=' if upper else '>='} {said.value}")
