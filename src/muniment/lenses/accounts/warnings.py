"""What a sentence warns of that no kind of statement is: exclusions, unhappy people, competitors. Pure."""

from __future__ import annotations

import re
from typing import Final

from muniment.domain.accounts import LandmineKind
from muniment.domain.regex import regex

__all__ = ["WORDS", "read_warning"]

WORDS: Final = (
    r"\y(exclud\w*|excluding|not (included|covered|part of)|out of scope|does not (cover|include)"
    r"|unhappy|not happy|frustrat\w*|disappoint\w*|fed up|annoyed|angry|upset|dissatisf\w*|escalat\w*"
    r"|los\w+ (patience|trust|confidence)|churn|competitor\w*|compet\w+|alternative\w*|evaluating|rival\w*"
    r"|other vendor\w*|another (vendor|supplier|provider)|switch\w* to)\y"
    r"|不包括|不包含|不含|不在.{0,6}范围|除外|不满|失望|投诉|抱怨|生气|恼火|失去耐心|升级到|竞品|竞争对手|对手|其他供应商|另一家"
    r"|别家|替代方案|友商"
)
_QUESTION = regex(r"[?？]\s*$|[吗么]\W*$")
_SUPPOSED = regex(
    r"\b(?:if|unless|would|whether|in case|hypothetically|don['’]t want (?:to|them))\b"
    r"|如果|要是|假如|以免|避免",
    re.IGNORECASE,
)
_EXCLUSION = regex(
    r"\b(?:(?:is|are|was|were|remains?|stays?) (?:explicitly |expressly |specifically |also |still )*"
    r"(?:excluded|not (?:included|covered|part of)|out of scope|outside (?:the )?scope)"
    r"|(?:does|do) not (?:cover|include)|(?:doesn|don)['’]t (?:cover|include)"
    r"|(?:we|they|contract|agreement|offer|price|fee|licen[cs]e|support|quote) (?:\w+ )?(?:exclude[sd]?)"
    r"|excluding|exclusions?[:：])\b|不包括|不包含|(?<!包)不含|不在[^，。]{0,8}范围|除外",
    re.IGNORECASE,
)
_UNHAPPY = regex(
    r"\b(?:(?:is|are|was|were|am|'m|’m|seems?|sounded|got|getting|very|really|quite|still|increasingly|so) "
    r"(?:\w+ ){0,2}(?:unhappy|not happy|frustrated|disappointed|fed up|annoyed|angry|upset|dissatisfied)"
    r"|(?:losing|lost|loses) (?:\w+ )?(?:patience|trust|confidence)"
    r"|(?:will|wants? to|going to|threaten\w*|has|have|had) (?:to )?escalat\w+|escalated (?:this|it|to)"
    r"|(?:may|might|will|could|going to|about to) churn)\b"
    r"|(?:很|非常|十分|相当|比较|表示|有些|有点|对[^，。]{1,14})(?:不满|失望|生气|恼火)"
    r"|投诉了?|抱怨|失去耐心|升级到(?:老板|总|管理|领导|副总|CEO)",
    re.IGNORECASE,
)
_CALM = regex(
    r"\b(?:not|no longer|never|n['’]t) (?:\w+ )?(?:unhappy|frustrated|disappointed|fed up|annoyed|angry|upset"
    r"|dissatisfied|escalat\w+)\b|不再不满|没有不满|没有?(?:投诉|抱怨)|不失望",
    re.IGNORECASE,
)
_COMPETITOR = regex(
    r"\b(?:competitors?|compet(?:es|ing) (?:with|offer|bid|quote|vendor)|(?:an? )?alternatives? to us"
    r"|(?:also |currently |now |already )?(?:evaluating|trialling|trialing|piloting|talking to|looking at"
    r"|comparing us (?:with|to)) (?:an? |the )?(?:other|another|alternative|competing|[A-Z]\w+)"
    r"|other vendors?|another (?:vendor|supplier|provider)|rival (?:offer|bid|quote)"
    r"|switch(?:ing|ed)? to [A-Z]\w+)\b"
    r"|竞品|竞争对手|友商|别家|其他供应商|另一家(?:供应商|公司|厂商)|替代方案",
    re.IGNORECASE,
)
_NO_RIVAL = regex(
    r"\b(?:no|not|without|n['’]t)(?: \w+){0,3} (?:competitors?|alternatives?|other vendors?|evaluating)\b"
    r"|没有(?:竞品|竞争对手|别家|其他供应商)",
    re.IGNORECASE,
)
_KINDS: Final[tuple[tuple[LandmineKind, re.Pattern[str], re.Pattern[str] | None], ...]] = (
    ("competitor", _COMPETITOR, _NO_RIVAL),
    ("unhappy_stakeholder", _UNHAPPY, _CALM),
    ("exclusion", _EXCLUSION, None),
)


def read_warning(sentence: str) -> LandmineKind | None:
    """None for a question, a supposition, and what says that there is nothing."""
    if _QUESTION.search(sentence) or _SUPPOSED.search(sentence):
        return None
    for kind, pattern, unless in _KINDS:
        if pattern.search(sentence) and not (unless and unless.search(sentence)):
            return kind
    return None
