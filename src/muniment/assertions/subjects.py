"""The subject of a reading: which entity, which attribute, under which qualifier."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from muniment.assertions.attributes import PLACES, normal_attribute, take_period
from muniment.assertions.dates import DATES, RELATIVE
from muniment.assertions.periods import PERIOD, is_period, normal_period, take_when
from muniment.assertions.reading import entity_of
from muniment.assertions.terms import Mention
from muniment.domain.assertions import Context, Term
from muniment.domain.regex import regex

__all__ = ["Said", "join_qualifiers", "read_subject", "with_qualifier"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a sentence says before its entity is settled; `entity` None: that of the item."""

    entity: str | None
    attribute: str
    qualifier: str | None
    value: str

    def valued(self, value: str) -> Said:
        """The same with another value."""
        return replace(self, value=value)


_OF_ITSELF = ("state", "owner")
_MAX_WORDS = 10
_ADJUNCT = regex(
    "^(?:(?:as of|from|effective|since|starting|beginning)(?: from| on)? (?:[^,]{2,30}, "
    r"|\d[^,]{2,24}?\d{4},? )|(?:currently|now|today|fyi|update|note|reminder|also|so|and|but|ok|okay"
    "|as (?:discussed|agreed|promised|mentioned|announced|confirmed|planned|expected)"
    "|(?:hi|hello|dear)(?: (?:all|team|everyone|both|folks|[A-Z][a-z]+))?"
    "|confirmed|decision|agreed|correction|for now|at present|please note|important|yes)[,:]? (?:that )?"
    "|(?:we|the team|they|the board|both parties|both sides|i|the committee)(?: have| has"
    "|['’]ve)? (?:decided|agreed|confirmed|can confirm)(?: that)? |it was (?:decided|agreed) that )",
    re.IGNORECASE,
)
_IN_FRONT = regex(r"^(?:[Ii]n|[Ff]or) (?P<place>[A-Z][\w ]{1,24}|the U[SK]), (?P<rest>.+)$")
_POSSESSIVE = regex(r"^(?:the )?(?P<entity>[^,]{2,40}?)['’]s (?P<attribute>.+)$", re.IGNORECASE)
_OF = regex(
    r"^(?P<attribute>.{2,50}?) (?:of|for|on) (?:the )?(?P<entity>[A-Z0-9][\w&./-]*(?: (?:[A-Z0-9][\w&./-]*"
    "|of|&)){0,3}|[a-z]+-[a-z0-9-]{1,20})(?P<rest>(?: (?:in|per) .+)?)$"
)
_IN = regex(r"^(?P<attribute>.+?) (?:in|within) (?P<place>(?:the )?[A-Z][\w. -]{1,24})$")
_BRACKET = regex(r"^(?P<attribute>[^()（）]+?) ?[(（](?P<qualifier>[^()（）]{2,30})[)）]$")
_KEY = regex(
    r"^(?:[Tt]he )?(?P<entity>(?:[A-Z][A-Z0-9]{1,9}-\d{1,7}|(?:PEP|RFC|CVE) \d{1,5}|#\d{1,7}"
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}(?<=\d)))(?:['’]s)?(?: (?P<attribute>.+))?$"
)
_PROPER = regex(r"^(?:The )?(?P<entity>[A-Z][\w&.-]+(?: [A-Z][\w&.-]+){0,3})$")
_SERVICE = regex(r"[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}")
_TAIL_PLACE = regex(r"^[^,.;]{0,20}?\b(?:in|within) (?P<place>(?:the )?[A-Z]\w{1,20}(?: [A-Z]\w{1,20})?)")
_TAIL_WHEN = regex(rf"^[^,.;]{{0,20}}?\b(?:in|for|during) (?:the )?(?P<when>{PERIOD})")
# Whatever narrows the statement is part of the slot: p99 on checkout and p99 on search never contradict.
_TAIL_WHERE = regex(
    r"^[^,.;]{0,20}?\b(?P<how>for|on|at|in|within) (?P<what>(?:all |the )?[A-Za-z][\w -]{1,30}?)(?=$|[.,;)]"
    "| (?:and|but|because|as|from|since|until|after|effective) )"
)
_WHERE_FRONT = regex(r"^(?P<attribute>\w.+?) (?P<how>for|on) (?:the )?(?P<what>[a-z][a-z ]{2,28})$")
_RATE = regex(r"^ per (\w{1,20}(?: period)?)")
_RATED = {"nightly": "night", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
_GENERIC = frozenset(
    "customer client company team account project service product vendor supplier agreement contract".split()
)
# Somebody else, whose discount is not ours.
_OTHERS = frozenset({"competitor", "competition", "rival"})
_NOT_OWNERS = frozenset(
    "today yesterday tomorrow it that here there what who let he she week month year".split()
)
# A second verb, a pronoun or a question word before the copula: the copula belongs to something else.
_NOT_IN_SUBJECT = frozenset(
    "i you he she we they it this that these those there who what which how why where when because since "
    "although while but so my your his her "
    "their its me him them us can will shall may must have has had do does did need needs use used get got "
    "make makes means mean "
    "know knows believe believes thinks heard told tells asked hope want wants go goes went see sees found "
    "feel says said only not no nobody "
    "once after before until as even though each also then everyone everything something anything "
    "nothing let please here then than more less another one's such every any".split()
)


def read_subject(subject: str, mention: Mention, context: Context) -> Said | None:
    """None where the words before the value name no attribute."""
    subject, front = _without_adjuncts(subject)
    if not _is_nominal(subject):
        return None
    subject, period = take_period(subject)
    subject, when = take_when(subject)
    subject, place = _without_place(subject)
    entity, words = _entity_and_attribute(subject)
    if entity and is_period(entity):
        return None
    if mention.term.kind == "owner" and words and _SERVICE.fullmatch(words):
        entity, words = words, None
    attribute = _attribute_for(mention.term.kind, entity, words, context)
    if attribute is None:
        return None
    named = entity if words is not None or mention.term.kind in _OF_ITSELF else None
    qualifier = join_qualifiers(front, when, place, period)
    return Said(named, attribute, qualifier, _value(mention.term, attribute))


def with_qualifier(said: Said | None, tail: str) -> Said | None:
    """Adds what follows the value: EUR 180 *per night*, *in Germany*, *for contractors*."""
    if said is None:
        return None
    _, period = take_period(tail) if tail else ("", None)
    return replace(said, qualifier=join_qualifiers(said.qualifier, _where(tail), period or _rate(tail)))


def _where(tail: str) -> str | None:
    if when := _TAIL_WHEN.match(tail):
        return normal_period(when["when"])
    if place := _TAIL_PLACE.match(tail):
        return _place(place["place"])
    match = _TAIL_WHERE.match(tail)
    if not match or DATES.search(match["what"]) or RELATIVE.search(match["what"]):
        return None
    return f"{match['how']} {match['what'].casefold().removeprefix('the ')}"


def _rate(tail: str) -> str | None:
    if rated := _RATED.get(tail.strip(" .,;!").casefold()):
        return f"per {rated}"
    match = _RATE.match(tail)
    return match and f"per {match[1].casefold()}"


def _without_adjuncts(subject: str) -> tuple[str, str | None]:
    subject = _ADJUNCT.sub("", _ADJUNCT.sub("", subject))
    if match := _IN_FRONT.match(subject):
        return match["rest"], _place(match["place"])
    return subject, None


def _is_nominal(subject: str) -> bool:
    # May is a month where it has its capital.
    words = [word.casefold() for word in subject.split() if word != "May"]
    if not words or len(words) > _MAX_WORDS or any(sign in subject for sign in ',;:!?"“”|<>={}'):
        return False
    return words[0] not in ("a", "an") and _NOT_IN_SUBJECT.isdisjoint(words)


def _without_place(subject: str) -> tuple[str, str | None]:
    if match := _BRACKET.match(subject):
        return match["attribute"], _place(match["qualifier"])
    if match := _IN.match(subject):
        return match["attribute"], _place(match["place"])
    if match := _WHERE_FRONT.match(subject):
        return match["attribute"], f"{match['how']} {match['what']}"
    return subject, None


def _entity_and_attribute(subject: str) -> tuple[str | None, str | None]:
    if match := _KEY.match(subject):
        return match["entity"], match["attribute"]
    if match := _POSSESSIVE.match(subject):
        owner = match["entity"]
        if not (_NOT_OWNERS | _OTHERS).isdisjoint(owner.casefold().split()):
            return None, None
        return (owner if _is_name(owner) else None), (
            match["attribute"] if _is_name(owner) or _is_generic(owner) else subject
        )
    if match := _OF.match(subject):
        return match["entity"], match["attribute"]
    if (match := _PROPER.match(subject)) and _is_proper(subject, match["entity"]):
        return match["entity"], None
    return None, subject


def _is_proper(subject: str, name: str) -> bool:
    """A sentence's first word has a capital whatever it is: alone it is a name only if spelt oddly."""
    return subject != name or " " in name or not name[1:].islower()


def _is_name(words: str) -> bool:
    return words[0].isupper() and words.casefold() not in _GENERIC and not words.startswith("Our ")


def _is_generic(words: str) -> bool:
    return words.casefold().split()[-1] in _GENERIC


def _attribute_for(kind: str, entity: str | None, words: str | None, context: Context) -> str | None:
    """A bare subject has a status or an owner; every other value needs an attribute in words."""
    if kind in _OF_ITSELF:
        return _stated(kind, entity, words, context)
    if words is None and entity is not None and _KEY.match(entity):
        return None
    return normal_attribute(_without_context(words or entity or "", context))


def _value(term: Term, attribute: str) -> str:
    """A version is a name, not a quantity: 2.10 is not 2.1."""
    return term.text if term.kind == "number" and attribute.endswith("version") else term.value


def _stated(kind: str, entity: str | None, words: str | None, context: Context) -> str | None:
    own = "status" if kind == "state" else "owner"
    if words is None:
        return own if entity else None
    attribute = normal_attribute(_without_context(words, context))
    if attribute is None or attribute.endswith((own, "状态")) or kind == "owner":
        return attribute
    return f"{attribute} {own}" if len(attribute.split()) < 4 else None


def _without_context(words: str, context: Context) -> str:
    """The item's own entity needs no naming: "Acme renewal date" of Acme's record is "renewal date"."""
    entity = entity_of(context)
    if not entity:
        return words
    shorter = re.sub(rf"^(?:the )?{re.escape(entity)}(?:['’]s)? (?=\w)", "", words, flags=re.IGNORECASE)
    return shorter or words


def _place(words: str) -> str:
    name = normal_period(words.strip())
    return PLACES.get(name, PLACES.get(name.removeprefix("the "), name.removeprefix("the ")))


def join_qualifiers(*parts: str | None) -> str | None:
    """Qualifiers in one order, so that wording does not matter."""
    kept = sorted({part for whole in parts if whole for part in whole.split(", ")})
    return ", ".join(kept) or None
