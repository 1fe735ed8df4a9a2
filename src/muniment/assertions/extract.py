"""From passages to assertions by rule: pure, deterministic, and only in the author's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.assertions.attributes import is_limit
from muniment.assertions.kinds import kind_of
from muniment.assertions.leads import clauses
from muniment.assertions.reading import MAX_LENGTH, Sentence, read_sentence, tail_of
from muniment.assertions.slots import Reading, read_slot
from muniment.assertions.spelled import NUMBER_WORDS
from muniment.assertions.tables import headers_of, read_row, row_period
from muniment.assertions.terms import Mention, find_terms
from muniment.domain.assertions import Assertion, Context, Kind, Quote, Term
from muniment.domain.passages import Origin, Passage
from muniment.domain.regex import regex
from muniment.items.sentences import sentences

__all__ = ["EXTRACTOR", "extract"]

EXTRACTOR = "rule:v1"

_FENCE = regex(r"^[ \t]{0,8}(?:```|~~~)", re.MULTILINE)
_ENDED = regex(r"[.!?。！？\n]\s*$")
# Without one of these there is no value a slot could hold: most chatter stops here.
_DIGIT = regex("[0-9]")
_HAN_VALUE = regex(
    "[一二两三四五六七八九十半](?:个?[天日周月年元万]|百|千|[（(]|小时|分钟|个自然日)|[拾佰仟](?:元|[（(])|百分之"
    "|负责人|对接人|联系人|状态|已"
)
# A number in words counts something where one of these stands in the sentence too.
_COUNTED = frozenset("days weeks months years hours minutes percent dollars euros pounds".split())
_SAYS = frozenset("is are was were isn aren has have will remains becomes stays".split())
_STATED = frozenset(
    "closed open approved rejected blocked draft done completed complete cancelled canceled resolved merged "
    "paused active inactive deprecated "
    "withdrawn final accepted signed expired pending progress hold enabled disabled superseded deferred "
    "reopened today tomorrow monday tuesday "
    "wednesday thursday friday saturday sunday status owner owned "
    "assignee contact approver manager lead call "
    "assigned next this end one two three four "
    "five six seven eight nine ten twelve".split()
)


def extract(passages: Sequence[Passage], context: Context) -> tuple[Assertion, ...]:
    """Statements in the order they are written. A quoted, forwarded or hidden span yields none."""
    return tuple(assertion for passage in passages for assertion in _of_passage(passage, context))


def _of_passage(passage: Passage, context: Context) -> Iterator[Assertion]:
    fences = tuple(_fences(passage.text)) if "```" in passage.text or "~~~" in passage.text else ()
    headers = headers_of(passage.text) if "|" in passage.text else {}
    for start, end in _own_sentences(passage):
        if any(begin <= start < stop for begin, stop in fences):
            continue
        if passage.text.startswith("|", start):
            yield from _of_row(passage, (start, end), headers.get(start, ()), context)
        else:
            yield from _of_sentence(passage, start, end, context)


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Between two fences is code; an unclosed one runs to the end."""
    marks = [match.start() for match in _FENCE.finditer(text)]
    for place in range(0, len(marks), 2):
        yield marks[place], marks[place + 1] if place + 1 < len(marks) else len(text)


def _own_sentences(passage: Passage) -> Iterator[tuple[int, int]]:
    """Sentences wholly inside own text: one cut by somebody else's words is not what its author said."""
    text = passage.text
    for begin, stop in _own(passage):
        whole = begin == 0 and stop == len(text)
        for start, end in sentences(text if whole else text[begin:stop]):
            if whole or _is_uncut(text, (begin, stop), begin + start, begin + end):
                yield begin + start, begin + end


def _own(passage: Passage) -> Iterator[tuple[int, int]]:
    """Maximal stretches of own text."""
    begin: int | None = None
    stop = 0
    for span in passage.spans:
        if span.origin is Origin.OWN:
            begin, stop = (span.start if begin is None else begin), span.end
        elif begin is not None:
            yield begin, stop
            begin = None
    if begin is not None:
        yield begin, stop


def _is_uncut(text: str, own: tuple[int, int], start: int, end: int) -> bool:
    begin, stop = own
    if begin > 0 and not text[begin:start].strip() and not _ENDED.search(text, max(0, begin - 3), start):
        return False
    return (
        stop == len(text)
        or bool(text[end:stop].strip())
        or _ENDED.search(text, max(start, end - 1), stop + text.startswith("\n", stop)) is not None
    )


def _of_sentence(passage: Passage, start: int, end: int, context: Context) -> Iterator[Assertion]:
    sentence = read_sentence(passage.text, _after_speaker(passage, start), end, context)
    if sentence is None:
        return
    kind = kind_of(sentence) or _kind_behind_lead(sentence)
    readable = kind is not Kind.QUESTION and _may_say(sentence)
    if kind is None and not readable:
        return
    mentions = find_terms(sentence.text)
    reading = read_slot(sentence, mentions, context) if readable else None
    kind = kind or (_kind_of_reading(reading) if reading else None)
    if kind is not None:
        yield _assertion(passage, (start, end), kind, reading, mentions, context)


def _after_speaker(passage: Passage, start: int) -> int:
    """Past the speaker's name at the head of a turn."""
    name = f"{passage.speaker}: "
    return start + len(name) if passage.text.startswith(name, start) else start


def _kind_behind_lead(sentence: Sentence) -> Kind | None:
    """The kind of what follows a lead-in that only introduces it."""
    if not (":" in sentence.text or "：" in sentence.text):
        return None
    behind = (tail_of(sentence, clause.start) for clause in clauses(sentence.text) if clause.scope is None)
    return next((kind for tail in behind if (kind := kind_of(tail))), None)


def _may_say(sentence: Sentence) -> bool:
    if (
        "@" in sentence.text
        or _DIGIT.search(sentence.text)
        or (sentence.han and _HAN_VALUE.search(sentence.text))
    ):
        return True
    if not (sentence.words.isdisjoint(_COUNTED) or sentence.words.isdisjoint(NUMBER_WORDS)):
        return True
    return not sentence.words.isdisjoint(_STATED) and (
        not sentence.words.isdisjoint(_SAYS) or ":" in sentence.text
    )


def _kind_of_reading(reading: Reading) -> Kind:
    return (
        Kind.POLICY
        if is_limit(reading.slot.attribute) and reading.slot.attribute.endswith("limit")
        else Kind.FACT
    )


def _of_row(
    passage: Passage, place: tuple[int, int], header: tuple[str, ...], context: Context
) -> Iterator[Assertion]:
    row = passage.text[slice(*place)]
    if len(row) > MAX_LENGTH:
        return
    period = row_period(row, header)
    for reading in read_row(row, header, context):
        said = _assertion(passage, place, _kind_of_reading(reading), reading, find_terms(row), context)
        yield replace(said, terms=(*said.terms, *period))


def _assertion(
    passage: Passage,
    place: tuple[int, int],
    kind: Kind,
    reading: Reading | None,
    mentions: tuple[Mention, ...],
    context: Context,
) -> Assertion:
    start, end = place
    text = passage.text[start:end]
    terms = tuple(term for mention in mentions if (term := _in_quote(mention.term, text)))
    if reading and not (_is_absolute(reading.value) and _is_proven(reading.value, terms)):
        reading = None
    return Assertion(
        kind=kind,
        statement=" ".join(text.split()),
        slot=reading.slot if reading else None,
        value=reading.value if reading else None,
        terms=terms,
        quote=Quote(passage.ordinal, start, end, text),
        stated_by=passage.speaker or context.author,
        extractor=EXTRACTOR,
    )


def _is_absolute(value: str) -> bool:
    """Two Fridays are no one value: what only the item's time resolves must not meet others in a slot."""
    return "relative:" not in value


def _is_proven(value: str, terms: tuple[Term, ...]) -> bool:
    """A value whose words markup has parted has no proof in the quote."""
    return any(value.endswith((term.value, term.text)) for term in terms)


def _in_quote(term: Term, quote: str) -> Term | None:
    """The term in the words of the quote, line breaks and all; None where markup parts them."""
    if term.text in quote:
        return term
    broken = re.search(r"\s+".join(map(re.escape, term.text.split())), quote)
    return Term(term.kind, broken[0], term.value) if broken else None
