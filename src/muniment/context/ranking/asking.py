"""What a question asks for beside its words, as far as it concerns the passages at hand. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from muniment.context.asked.times import periods
from muniment.context.asked.wants import wants
from muniment.context.ranking.features import Asked
from muniment.domain.regex import regex
from muniment.index.words import STOP_WORDS

__all__ = ["asked_of", "spoken_of"]

_WORD: Final = regex(r"[^\W_]+")
_HAN: Final = regex(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_ACCOUNT: Final = regex(r"\A[a-z]+:")
_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    kind: regex(pattern, re.IGNORECASE)
    for kind, pattern in {
        "email": r"\be-?mail(?:s|ed)?\b|邮件|邮箱",
        "meeting": r"\b(?:meeting|call|stand-?up|minutes)s?\b|会议|开会|会上|例会",
        "issue": r"\b(?:ticket|issue|bug)s?\b|工单|缺陷",
        "document": r"\b(?:document|policy|handbook|contract|spec)s?\b|文档|制度|手册|合同",
        "alert": r"\balerts?\b|告警|警报",
    }.items()
}


def asked_of(text: str, now: datetime, speakers: Iterable[str]) -> Asked:
    """now: from which relative times count. speakers: those of the passages at hand."""
    kinds = frozenset(kind for kind, said in _KINDS.items() if said.search(text))
    return Asked(spoken_of(text, speakers), periods(text, now.date()), wants(text), kinds)


def spoken_of(text: str, speakers: Iterable[str]) -> frozenset[str]:
    """Which of the speakers the text calls by their whole name, or by the first word of it."""
    written = set(_WORD.findall(text))
    called = {one.casefold() for one in written if one[:1].isupper() and one.casefold() not in STOP_WORDS}
    said = {one.casefold() for one in written}
    return frozenset(one for one in speakers if _is_called(one, text, called, said))


def _is_called(speaker: str, text: str, called: set[str], said: set[str]) -> bool:
    name = _ACCOUNT.sub("", speaker)
    if _HAN.search(name):
        return len(name) > 1 and name in text
    words = [one.casefold() for one in _WORD.findall(name)]
    if not words:
        return False
    return words[0] in called or (len(words) > 1 and said.issuperset(words))
