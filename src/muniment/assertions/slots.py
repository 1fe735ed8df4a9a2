"""Subject, attribute and value: the reading of a sentence that says one thing of one entity.

A predicate must begin with its value: "the build is three days old" gives no duration. Precision first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from muniment.assertions import formal, slots_zh
from muniment.assertions.attributes import is_limit
from muniment.assertions.leads import clauses
from muniment.assertions.predicates import is_whole, value_at
from muniment.assertions.reading import Sentence, entity_of, tail_of
from muniment.assertions.subjects import Said, join_qualifiers, read_subject, with_qualifier
from muniment.assertions.terms import Mention
from muniment.domain.assertions import Context, Slot
from muniment.domain.regex import regex

__all__ = ["Reading", "read_slot"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What is said, of what."""

    slot: Slot
    value: str


# A supposition, an example or a memory says nothing of how things are.
_UNREAL = frozenset(
    "if would could might maybe perhaps suppose supposing assuming should imagine unless whether wish "
    "example probably likely unlikely "
    "hypothetically previously formerly originally apparently allegedly roughly approximately about around "
    "almost nearly seems seem when whenever "
    "eg proposed former otherwise instead ideally hopefully guess think say says said".split()
)
_WHEN = ("effective", "until")
_COMMA = regex(r"[,，]?\s*")
_VERB = regex(
    " (?P<verb>is|are|was|were|has been|have been|will be|becomes|remains|stays|equals)(?P<neg>n['’]t"
    "| not)?(?= )"
)
_DATES = {"expires": "expiry date", "ends": "end date", "renews": "renewal date", "starts": "start date"}
_DATED = regex(rf" (?P<verb>{'|'.join(_DATES)}) (?:on )?(?=\S)")
_MAX_KEY_WORDS = 6
_MAX_SUBJECT = 96
_CHANGED = (
    "set|fixed|capped|changed|moved|raised|lowered|increased|reduced|extended|cut|postponed|rescheduled"
    "|agreed"
    "|updated|limited|confirmed|pushed|brought forward"
)
_LEAD = regex(
    " (?:(?:now|currently|still|always|just|strictly|exactly|only|due|scheduled|planned|priced|owned"
    f"|(?P<changed>{_CHANGED})|to|at(?! (?:most|least))|on|for|by|back) ){{0,6}}"
    "(?P<bound>at most|up to|no more than|not more than|a maximum of|max|at least|no less than"
    "|a minimum of)?(?: )?",
    re.IGNORECASE,
)
_CAPS = regex(r"\b(?:capped at|limited to)\b", re.IGNORECASE)
_FROM = regex(r"from ")
_UPPER = frozenset({"at most", "up to", "no more than", "not more than", "a maximum of", "max"})
_KEYED = regex(r"^(?P<key>[^:：|]{2,60})(?<!\d)[:：] ?(?:已经?被?)?(?=\S)")
# In talk, "Alex: 3 days" and "Update: 5 pods" are no attributes; a key must be one people keep records by.
_KEYS = frozenset(
    "limit date owner status price budget deadline version region severity priority due total term terms "
    "rate fee discount amount value quota cap "
    "allowance period notice size count number seats users plan tier deposit eta sla slo uptime assignee "
    "contact approver manager lead renewal "
    "target kickoff launch start end expiry expires effective timeout retention "
    "threshold cost revenue arr mrr sponsor "
    "state age id capacity port temperature".split()
)
_NOT_KEYS = frozenset(
    "note update warning decision example re fwd subject from to cc q a ps tip hint see question http https "
    "reminder action else warnings".split()
)
_ASIDE = regex(r" ?[(（][^()（）]{1,40}[)）]$")


def read_slot(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Reading | None:
    """None unless an entity, an attribute and a value are all plain."""
    if not mentions or sentence.text.endswith(("?", "？")):
        return None
    return _read_plain(sentence, mentions, context) or _read_formal(sentence, mentions, context)


def _read_formal(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Reading | None:
    said = formal.read_formal(sentence, mentions, context)
    return _placed(said, context) if said else None


def _read_plain(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Reading | None:
    if not _UNREAL.isdisjoint(sentence.words):
        return None
    for clause in clauses(sentence.text):
        start = _after_period(sentence.text, clause.start, mentions)
        if said := _read_clause(tail_of(sentence, start), _begun_at(start, mentions), context):
            qualifier = join_qualifiers(said.qualifier, clause.scope)
            return _placed(replace(said, qualifier=qualifier), context)
    return None


def _after_period(text: str, start: int, mentions: tuple[Mention, ...]) -> int:
    """Past `from 1 May`, `until June,` and 自5月1日起， before the subject: they say when, not what."""
    while period := next((one for one in mentions if one.start == start and one.term.kind in _WHEN), None):
        comma = _COMMA.match(text, period.end)
        start = comma.end() if comma else period.end
    return start


def _begun_at(start: int, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The terms from a place on, counted from there, and the periods before it."""
    return tuple(
        replace(mention, start=mention.start - start, end=mention.end - start)
        for mention in mentions
        if mention.start >= start or mention.term.kind in _WHEN
    )


def _read_clause(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    return (
        _read_keyed(sentence, mentions, context)
        or _read_copula(sentence, mentions, context)
        or _read_dated(sentence, mentions, context)
        or slots_zh.read_chinese(sentence, mentions)
        or formal.read_agreed(sentence, mentions, context)
    )


def _placed(said: Said, context: Context) -> Reading | None:
    entity = said.entity or entity_of(context)
    return Reading(Slot(entity, said.attribute, said.qualifier), said.value) if entity else None


def _read_keyed(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    match = _KEYED.match(sentence.text) if ":" in sentence.text or "：" in sentence.text else None
    is_key = _is_any_key if sentence.document else _is_known_key
    if not match or not is_key(match["key"]):
        return None
    mention = value_at(mentions, match.end())
    if not mention or not is_whole(sentence.text, mention, mentions):
        return None
    return with_qualifier(read_subject(match["key"], mention, context), sentence.text[mention.end :])


def _is_any_key(key: str) -> bool:
    """In a document every short line of a name and a value is a record."""
    if slots_zh.has_han(key):
        return slots_zh.is_key(key)
    words = _key_words(key)
    return 0 < len(words) <= _MAX_KEY_WORDS and words[0] not in _NOT_KEYS


def _is_known_key(key: str) -> bool:
    """In talk only a key that people keep records by."""
    if slots_zh.has_han(key):
        return slots_zh.is_key(key)
    return _is_any_key(key) and not _KEYS.isdisjoint((_key_words(key)[-1], _key_words(key)[-1].rstrip("s")))


def _key_words(key: str) -> list[str]:
    return _ASIDE.sub("", key).casefold().replace("-", " ").split()


def _read_copula(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    text = sentence.text
    verb = _VERB.search(text, 0, _MAX_SUBJECT)
    lead = _LEAD.match(text, verb.end()) if verb else None
    if not verb or not lead:
        return None
    mention = value_at(mentions, _after_from(text, lead.end(), mentions))
    if (
        not mention
        or not _holds(verb["verb"].lower(), lead, mention, mentions)
        or not is_whole(text, mention, mentions)
    ):
        return None
    said = with_qualifier(read_subject(text[: verb.start()].rstrip(), mention, context), text[mention.end :])
    if said and sentence.document and mention.term.kind == "state" and said.entity is None:
        return None  # documents tell what is the case whenever something is done, not what is so now
    bound = lead["bound"] or ("max" if _CAPS.search(lead[0]) else None)
    return said and _valued(said, bound, verb["neg"])


def _read_dated(sentence: Sentence, mentions: tuple[Mention, ...], context: Context) -> Said | None:
    """The contract expires on 31 December 2026: a verb that names the date it takes."""
    verb = _DATED.search(sentence.text, 0, _MAX_SUBJECT)
    mention = value_at(mentions, verb.end()) if verb else None
    if (
        not verb
        or not mention
        or mention.term.kind != "date"
        or not is_whole(sentence.text, mention, mentions)
    ):
        return None
    subject, _, entity = sentence.text[: verb.start()].partition(" with ")
    owner = f" of {entity}" if entity else ""
    return read_subject(f"{subject} {_DATES[verb['verb']]}{owner}", mention, context)


def _after_from(text: str, at: int, mentions: tuple[Mention, ...]) -> int:
    """Past the old value: of "from EUR 150 to EUR 180" only the second holds."""
    if not _FROM.match(text, at):
        return at
    old = value_at(mentions, at + 5)
    return old.end + 4 if old and text.startswith(" to ", old.end) else at


def _holds(verb: str, lead: re.Match[str], mention: Mention, mentions: tuple[Mention, ...]) -> bool:
    """What was is over unless it was set, and what will be holds only from a date."""
    if verb in ("was", "were", "has been", "have been"):
        return bool(lead["changed"]) or mention.term.kind in ("state", "owner")
    if verb == "will be":
        return mention.term.kind == "date" or any(other.term.kind == "effective" for other in mentions)
    return True


def _valued(said: Said, bound: str | None, negated: str | None) -> Said:
    value = said.value
    if bound and not is_limit(said.attribute):
        value = f"{'<=' if bound.lower() in _UPPER else '>='} {value}"
    return said.valued(f"not {value}" if negated else value)
