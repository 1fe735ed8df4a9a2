"""A question with several parts, taken apart so that each may be searched for alone.

A part keeps its own words. What only the one before it names, such as the one name that a pronoun stands for,
is carried over where that is plain; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from muniment.context.asked.names import names
from muniment.domain.han import simplified
from muniment.domain.regex import regex
from muniment.index.words import content_lexemes

__all__ = ["MOST", "parts"]

MOST = 6  # parts; what follows stays with the last
_LONGEST = 8_000  # characters that are read

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_END = regex(
    r"(?<=[?？])[\s\"”')）]*|(?<=[；;])\s*|(?<=[。！])|(?<=[\w)\"”]{3}[.!]) +(?=[A-Z\"“(])"
    r"|\n+"
)
_ASK = (
    r"(?:when|what|who(?:m|se)?|where|why|which|how|did|does|do|is|are|was|were|has|have|had|will|would|can"
    r"|could|should"
    r"|(?:in|on|at|by|for|to|from|with|under|of) (?:what|which|whom))"
)
_WH = (
    r"(?:(?:in |on |at |by |for |to |from |with |under |of )?(?:what|which|whom?|whose)|when|where|why"
    r"|how)"
)
_SUBJECT = r"(?:we|they|he|she|it|i|you|the|our|my|his|her|their|its|this|that|there|any|anyone)"
_AND = regex(
    rf",? (?:and|but)(?: also| then)?,? (?=(?:{_WH}|(?:did|does|do) {_SUBJECT})\b)|, (?={_WH}\b(?! (?:was"
    rf"|is|were|are)\b))"
    r"|[;,] (?:as well as|also),? ",
    re.IGNORECASE,
)
_HAN_ASKS = regex(
    r"什么|啥|谁|多少|几|哪|何时|何地|为何|怎么|如何|为什么|吗|呢|是否|有没有|能不能|多[久长大高远]|是不是"
)
_HAN_AND = regex(r"[，,；;]?(?:另外|还有|以及|并且|而且|同时|此外|再者|顺便)[，,]?(?:请?问)?(?:一下)?")
_LEADING = regex(
    r"\A(?:(?:另外|还有|以及|并且|而且|同时|此外|再者|顺便|对了)[，,]?(?:请?问)?(?:一下)?[，,]?|(?:and|also"
    r"|but)(?: also)?,? (?=\w))",
    re.IGNORECASE,
)
# What somebody says before the question itself.
_REALLY = regex(
    r"(?:我(?:其实|真正|实际|本来|主要)?上?是?(?:想要?|要)(?:请?问|弄清楚|搞清楚|知道|了解|明白"
    r"|说)的?(?:问题)?是?(?:这个)?|真正的问题是|我的问题是|我那个问题是这个|等等，诶，等等)[：:，,]"
    r"|\b(?:what i (?:really|actually) (?:want(?:ed)?|meant?) to (?:know|ask) is|my (?:actual "
    r"|real )?question is|the question is)[:,]? ",
    re.IGNORECASE,
)
_EACH = regex(
    rf"^(?P<head>.{{0,12}}?)(?P<first>[{_HAN}]{{2,8}}?)(?:和|与"
    rf"|、)(?P<second>[{_HAN}]{{2,8}}?)(?P<rest>的.{{1,30}}?)(?:分别|各)(?P<tail>.{{0,30}})$"
)
_OR = regex(
    r"^(?:which|what|who)\b[^,]{0,60}\b(?:first|earlier|later|last|sooner|more|higher|larger"
    r"|longer)\b[^,:]{0,40}[,:] (?P<first>.+?),? or (?P<second>.+?)\??$",
    re.IGNORECASE,
)
_PRONOUN = regex(
    r"\b(?P<own>its|their|his|her(?= [a-z]))\b|\b(?P<it>it|they|he|she|him|them|her)\b", re.IGNORECASE
)
_HAN_PRONOUN = regex("[他她它](?!们)")


def parts(text: str) -> tuple[str, ...]:
    """The question's parts in order, each readable alone; the text itself where it has but one."""
    read = simplified(text[:_LONGEST]).strip()
    if not read:
        return (text,)
    found = [part for sentence in _sentences(read) for part in _clauses(sentence)]
    found = [part for part in map(_clean, found) if content_lexemes(part)]
    if len(found) < 2:
        return _compared(found[0] if found and _REALLY.search(read) else text)
    if len(found) > MOST:
        found = [*found[: MOST - 1], " ".join(found[MOST - 1 :])]
    return tuple(_carried(found))


def _sentences(text: str) -> list[str]:
    """Sentences that ask; one that tells stays with the question it leads to."""
    found: list[str] = []
    told = ""
    marked = "?" in text or "？" in text
    for piece in _pieces(text):
        *_, sentence = _REALLY.split(piece)
        told = "" if sentence != piece else told
        if not sentence.strip():
            continue
        if _asks(sentence, marked=marked):
            found.append(f"{told} {sentence}".strip() if told else sentence.strip())
            told = ""
        else:
            told = f"{told} {sentence}".strip()
    if told and found:
        found[-1] = f"{found[-1]} {told}"
    return found or [text]


def _pieces(text: str) -> Iterator[str]:
    cuts = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return (text[start:end] for start, end in pairwise(cuts) if end > start)


def _asks(sentence: str, *, marked: bool) -> bool:
    """Whether it ends as a question does; where none of them does, whether it has a question's words."""
    plain = sentence.strip()
    if marked and plain[-1:] not in tuple(";；"):
        return plain.rstrip("\"”')） ")[-1:] in tuple("?？")
    return _HAN_ASKS.search(plain) is not None or re.match(rf"{_ASK}\b", plain, re.IGNORECASE) is not None


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence that ask each for something; a joining word alone parts nothing."""
    each = _EACH.match(sentence.rstrip("?？"))
    if each:
        return [f"{each['head']}{each[name]}{each['rest']}{each['tail']}" for name in ("first", "second")]
    pieces = [sentence]
    for joint in (_AND, _HAN_AND):
        pieces = [part for piece in pieces for part in _split(piece, joint)]
    return pieces


def _split(text: str, joint: re.Pattern[str]) -> list[str]:
    found, start = [], 0
    for match in joint.finditer(text):
        before, after = text[start : match.start()], text[match.end() :]
        if _stands(before) and _stands(after):
            found.append(before)
            start = match.end()
    return [*found, text[start:]]


def _stands(clause: str) -> bool:
    """Whether it asks something by itself: a question word and something asked about."""
    asks = _HAN_ASKS.search(clause) or re.search(rf"\b{_ASK}\b", clause, re.IGNORECASE)
    han = sum("\u3400" <= letter <= "\u9fff" for letter in clause)
    return bool(asks) and bool(content_lexemes(clause)) and (han > 3 or len(clause.split()) > 2)


def _clean(part: str) -> str:
    return _LEADING.sub("", part.strip(" \t\n,;，；、"))


def _compared(text: str) -> tuple[str, ...]:
    """Which came first, the launch or the audit: both are looked for."""
    match = _OR.match(text.strip())
    return (_clean(match["first"]), _clean(match["second"])) if match else (text,)


def _carried(found: list[str]) -> Iterator[str]:
    """A part that names nothing takes the one name of the part before it."""
    last: str | None = None
    for part in found:
        named = [one.surface for one in names(part)]
        if named or last is None:
            last = _whole(part, named[0]) if len(named) == 1 else None
            yield part
        else:
            yield _with_name(part, last)


def _whole(part: str, name: str) -> str:
    """A name that only narrows a noun carries the noun: the Lisbon migration."""
    match = re.search(rf"\b(?:the|our|this) {re.escape(name)}(?: [a-z]{{3,}})?(?![\w'’])", part)
    return match[0] if match else name


def _with_name(part: str, name: str) -> str:
    if _HAN_PRONOUN.search(part):
        return _HAN_PRONOUN.sub(lambda _: name, part, count=1)
    if match := _PRONOUN.search(part):
        said = f"{name}'s" if match["own"] else name
        return f"{part[: match.start()]}{said}{part[match.end() :]}"
    return part
