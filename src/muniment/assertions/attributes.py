"""The normal form of what is said about an entity: readable words, one spelling, never a stem."""

from __future__ import annotations

from muniment.assertions.periods import is_period
from muniment.domain.regex import regex

__all__ = ["FOLD", "PERIODS", "PLACES", "is_limit", "normal_attribute", "normal_phrase", "take_period"]

_MAX_WORDS = 6
_MAX_PHRASE = 24
_MAX_HAN = 14
_ARTICLES = frozenset({"the", "a", "an", "our", "this", "that", "current", "agreed"})
_NOT_PLURAL = frozenset(
    "status sales news address access business process sms dns kubernetes series analysis bus aws".split()
)
_VAGUE = frozenset(
    "thing one problem point goal answer rest result idea reason today tomorrow there people everyone it "
    "this that he she they we you i "
    "what who which all some most both none each other another first second third last next way question "
    "note example here now "
    "story truth fact bit lot part kind sort same difference trick key issue bottom line section page "
    "figure table chapter following "
    "above below step option choice case total-thing something anything nothing everything one's key idea "
    "update fyi norm exception".split()
)
_VAGUE_ALONE = frozenset("attribute value parameter argument variable function method default return".split())
# Wordings that always mean the same attribute. Each entry merges two slots: add only what cannot differ.
FOLD = {
    "due": "due date",
    "deadline": "due date",
    "end of life": "end of life date",
    "eol": "end of life date",
    "assignee": "owner",
    "dri": "owner",
    "responsible person": "owner",
    "state": "status",
    "renewal": "renewal date",
    "contract renewal date": "renewal date",
    "contract end date": "contract expiry date",
    "hotel rate limit": "hotel limit",
    "cap": "limit",
    "maximum": "limit",
    "max": "limit",
    "负责人": "owner",
    "项目负责人": "owner",
    "状态": "status",
    "续约日期": "renewal date",
    "续约日": "renewal date",
    "合同到期日": "到期日",
    "合同到期日期": "到期日",
    "到期日期": "到期日",
    "截止日期": "due date",
    "截止时间": "due date",
    "预算": "budget",
    "价格": "price",
    "上限": "limit",
    "酒店上限": "hotel limit",
    "酒店限额": "hotel limit",
    "住宿上限": "hotel limit",
    "版本": "version",
    "优先级": "priority",
    "严重级别": "severity",
    "合同金额": "contract value",
    "折扣": "discount",
    "通知期": "notice period",
    "付款期限": "payment term",
    "年假": "annual leave",
    "保留期": "retention period",
    "试用期": "probation period",
}
_PERIOD_WORDS = {
    "night": "nightly|每晚|每夜",
    "day": "daily|每天|每日",
    "week": "weekly|每周",
    "month": "monthly|每月|月度",
    "quarter": "quarterly|每季度",
    "year": "annual|yearly|annually|每年|年度",
    "hour": "hourly|每小时",
    "minute": "每分钟",
    "second": "每秒",
    "user": "每用户|每位用户",
    "seat": "每席位",
    "person": "每人|人均",
    "trip": "每次出差",
    "request": "每次请求",
}
# "Annual leave" is a thing of its own, not leave per year: only amounts and limits fold their adjective away.
_FOLDED_HEADS = frozenset(
    "limit cap allowance rate fee price budget cost maximum quota 上限 限额 费用 预算 价格".split()
)
PERIODS = "|".join(period for period in _PERIOD_WORDS)
_PER = regex(rf"(?: ?/ ?| ?\b(?:per|a|an|each|every) )({PERIODS})\b")
_ADJECTIVES = {
    period: regex("|".join(rf"\b{word}\b ?" if word.isascii() else word for word in words.split("|")))
    for period, words in _PERIOD_WORDS.items()
}
PLACES = {
    "德国": "germany",
    "法国": "france",
    "中国": "china",
    "美国": "us",
    "英国": "uk",
    "日本": "japan",
    "新加坡": "singapore",
    "香港": "hong kong",
    "北京": "beijing",
    "上海": "shanghai",
    "深圳": "shenzhen",
    "欧洲": "europe",
    "the united states": "us",
    "usa": "us",
    "the us": "us",
    "the uk": "uk",
    "united kingdom": "uk",
}
_PUNCTUATION = regex(r"[^\w\s%&+/.-]|(?<!\w)[.-]|[.-](?!\w)")
_NEW = regex(r"^(?:[Tt]he |[Oo]ur )?[Nn]ew (?=[a-z])")  # never the New of New York
_PATH = regex(r"/|\w\.[a-z]")
_HAN = regex(r"[\u4e00-\u9fff]")


def normal_attribute(words: str) -> str | None:
    """None where the words are too many, too vague, or no attribute at all."""
    return _normal(words, _MAX_WORDS)


def normal_phrase(words: str) -> str | None:
    """The same of a formal text, which names things by whole clauses."""
    return _normal(words, _MAX_PHRASE)


def _normal(words: str, most: int) -> str | None:
    words = _NEW.sub("", words).casefold()
    kept = [_singular(word) for word in _PUNCTUATION.sub(" ", words).split() if word not in _ARTICLES]
    attribute = FOLD.get(" ".join(kept), " ".join(kept))
    if not kept or _PATH.search(attribute) or len(kept) > most or len(_HAN.findall(attribute)) > _MAX_HAN:
        return None
    if attribute in _VAGUE_ALONE or kept[-1] in _VAGUE or kept[0][0].isdigit() or is_period(attribute):
        return None
    return attribute if len(attribute) > 1 else None


def take_period(words: str) -> tuple[str, str | None]:
    """The words without their period, and the period: nightly limit, limit per night and 每晚上限 are one."""
    if match := _PER.search(words.casefold()):
        return (words[: match.start()] + words[match.end() :]).strip(), f"per {match[1]}"
    if not is_limit(words):
        return words, None
    for period, pattern in _ADJECTIVES.items():
        if match := pattern.search(words.casefold()):
            return (words[: match.start()] + words[match.end() :]).strip(), f"per {period}"
    return words, None


def is_limit(attribute: str) -> bool:
    """Whether the attribute bounds something, so that saying "at most" adds nothing."""
    last = attribute.casefold().split()[-1:] or [""]
    return _singular(last[0]) in _FOLDED_HEADS or attribute.endswith(("上限", "限额", "费用", "预算", "价格"))


def _singular(word: str) -> str:
    if word in _NOT_PLURAL or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
