"""Chinese readings: X的Y是Z, Y为Z, Y：Z, X已Z."""

from __future__ import annotations

import re

from muniment.assertions.attributes import PLACES, normal_attribute, take_period
from muniment.assertions.dates import RELATIVE
from muniment.assertions.periods import is_period, normal_period
from muniment.assertions.reading import Sentence
from muniment.assertions.roles import NO_VALUES
from muniment.assertions.subjects import Said, join_qualifiers
from muniment.assertions.terms import Mention
from muniment.domain.regex import regex

__all__ = ["has_han", "is_key", "read_chinese"]

# 因为, 认为, 作为, 还是 and 但是 end in the copula without being one.
_VERB = regex(
    "(?<![因认作成称以行较分视即])(?:(?:调整|飙升|上升|下降|增加|减少|缩短|上调|下调|变更|修改|更新|设定"
    "|设置|提高|降低|延长|推迟|改|定|设|升|降)(?:为|到|至|成)"
    "|(?<![不还但可总要只于就都正凡若像])(?<!就算)(?<!都算)是|(?<![因认作成称以行较分视])应?为|不[得应能]?超过|不[得应]?高于"
    "|最多|至少|不[得应]?[少低]于|以(?=[^，。]{1,24}为限))(?P<bound>不超过|最多|至多|不少于|至少)? ?"
)
_UPPER = ("不超过", "最多", "至多", "得超过", "应超过", "能超过", "高于", "以")
_LOWER = ("少于", "低于", "至少")
_OF = regex(r"^(?P<entity>[^的，。]{1,20})的(?P<attribute>[^的，。]{1,16})$")
_LATIN_LED = regex(
    r"^(?P<entity>[A-Z][A-Za-z0-9&.-]*(?: [A-Z][A-Za-z0-9&.-]*){0,2}) ?(?P<attribute>[\u4e00-\u9fff]{2,12})$"
)
_PLACED = regex(
    rf"在?(?P<place>{'|'.join(name for name in PLACES if not name.isascii())})的?[，,]?(?=.{{2}})"
)
_ADJUNCT = regex(
    "^(?:目前|现在|当前|自[^，。]{2,14}起，?|从[^，。]{2,14}起，?|经讨论，?|我们?决定，?(?:将|把)?"
    "|本[^，。]{2,4}项下，?|除[^，。]{0,6}另有[^，。]{2,4}外，|(?:根据|依据|按照)[^，。]{2,24}，"
    "|会议决定，?(?:将|把)?|已?确认[，：:]?|更新[：:]"
    "|不对，|更正[：:，]|各位，|大家好，|提醒[：:，]|同意将?|本次|将|把)+"
)
_RATE = regex("每(?:晚|夜|天|日|周|月|季度|年|小时|人|位用户|席位|次)")
_TAIL = regex(r"(?:为限|[，。；！(（,.;]|$|每|/|起| (?!以[上下内前后]))")
_HAN = regex("[\u4e00-\u9fff]")
_KEY = regex(
    "[\u4e00-\u9fffA-Za-z0-9]{0,6}(?:日期|时间|日|金额|人|上限|下限|限额|状态|预算|价格|单价|总价|版本"
    "|级别|等级|期限|折扣|数量|人数|率|费|费用|额|期"
    "|编号|阈值|目标|周期|年限|地点|截止|优先级)"
)
_BAD_SUBJECT = regex(
    "[我你他她它这那谁哪]|如果|假如|要是|可能|因为|所以|但|而且|之后|的时候|希望|觉得|建议|应该|需要|据说"
    "|以前|原来|曾|大概|第[一二三]|竞争对手|竞品|友商"
)
_SUPPOSED = regex(
    "听说|据说|据称|传言|传闻|有人说|如果|假如|要是|假设|若是|万一|是否|例如|比如"
    "|可能|也许|原来|以前|曾经|大概|左右|大约|约(?=[ 0-9])"
)
_STATE = regex(r"^(?P<subject>[^，。：:]{2,24}?) ?(?P<neg>还?没有?|尚未|未)?已经?被?$")


def has_han(text: str) -> bool:
    """Whether any character is Chinese."""
    return not text.isascii() and _HAN.search(text) is not None


def is_key(words: str) -> bool:
    """Whether people keep records by it: 负责人 is a key, 我准备做两件事 is not."""
    return _KEY.fullmatch(words.strip()) is not None and not _BAD_SUBJECT.search(words)


def read_chinese(sentence: Sentence, mentions: tuple[Mention, ...]) -> Said | None:
    """None unless the sentence has Chinese in it, and says one value of one attribute."""
    if not sentence.han or _SUPPOSED.search(sentence.text):
        return None
    return _read_copula(sentence.text, mentions) or _read_state(sentence.text, mentions)


def _read_copula(text: str, mentions: tuple[Mention, ...]) -> Said | None:
    for verb in _VERB.finditer(text, 0, 60):
        rate = _RATE.match(text, verb.end())
        start = rate.end() if rate else verb.end()
        here = (one for one in mentions if one.start == start and one.term.kind not in NO_VALUES)
        value = next(here, None)
        if value and _TAIL.match(text, value.end):
            # 上限为每晚180欧元 is 每晚上限为180欧元.
            subject = (rate[0] if rate else "") + _ADJUNCT.sub("", _subject(text, verb))
            return _said(subject, _bounded(verb, value), text[value.end :])
    return None


def _subject(text: str, verb: re.Match[str]) -> str:
    """Back to the last comma: a topic before it is not part of the attribute."""
    before = text[: verb.start()]
    return before[before.rfind("。") + 1 :]


def _bounded(verb: re.Match[str], value: Mention) -> str:
    written = verb[0].strip()
    if written.endswith(_UPPER):
        return f"<= {value.term.value}"
    return f">= {value.term.value}" if written.endswith(_LOWER) else value.term.value


def _said(subject: str, value: str, tail: str) -> Said | None:
    subject = _ADJUNCT.sub("", subject).strip()
    if not subject or _BAD_SUBJECT.search(subject) or "：" in subject or ":" in subject:
        return None
    subject, place = _without_place(subject)
    subject, period = take_period(subject)
    entity, words = _entity_and_attribute(subject)
    if entity and RELATIVE.fullmatch(entity):
        return None  # next week is neither an entity nor the same week for everybody
    attribute = normal_attribute(words.replace("的", ""))
    if attribute is None or "，" in words:
        return None
    if attribute.endswith(("limit", "上限", "限额")):
        value = value.removeprefix("<= ")
    when = normal_period(entity) if entity and is_period(entity) else None
    qualifier = join_qualifiers(place, period or take_period(tail)[1], when)
    return Said(None if when else entity, attribute, qualifier, value)


def _without_place(subject: str) -> tuple[str, str | None]:
    """A place before the attribute narrows it; at the head of a longer name it belongs to the name."""
    match = _PLACED.match(subject)
    if match and ("的" not in subject[match.end() :]):
        return subject[match.end() :], PLACES[match["place"]]
    return subject, None


def _entity_and_attribute(subject: str) -> tuple[str | None, str]:
    match = _OF.match(subject) or _LATIN_LED.match(subject)
    if not match:
        return None, subject
    entity = match["entity"]
    if entity in ("公司", "客户", "项目", "合同", "本项目", "该项目", "团队", "该客户"):
        return None, match["attribute"]
    return entity, match["attribute"]


def _read_state(text: str, mentions: tuple[Mention, ...]) -> Said | None:
    value = next((mention for mention in mentions if mention.term.kind == "state"), None)
    if not value or not re.match(r"(?:了)?(?:[，。；！,]|$)", text[value.end :]):
        return None
    match = _STATE.match(text[: value.start])
    if not match or _BAD_SUBJECT.search(match["subject"]):
        return None
    subject = match["subject"].strip()
    if re.fullmatch(r"[A-Z][\w &.-]{1,24}|#\d{1,7}", subject):
        return Said(subject, "status", None, value.term.value)
    attribute = normal_attribute(subject.replace("的", ""))
    return Said(None, f"{attribute} status", None, value.term.value) if attribute else None
