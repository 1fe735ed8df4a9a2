"""How a Chinese sentence says that its own text relates to the texts it names. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from muniment.domain.references import ReferenceKind
from muniment.domain.regex import regex
from muniment.graph.relations import Relation
from muniment.graph.templates import OWN, REFS, Template, named_in

__all__ = ["chinese"]

_SUPERSEDES = "取代|代替|替代|替换|废止|废除"
_AMENDS = "修订|修改|修正|更新"
_KINDS: dict[str, ReferenceKind] = {
    **dict.fromkeys(f"{_SUPERSEDES}|失效|作废|停止执行".split("|"), "supersedes"),
    **dict.fromkeys(f"{_AMENDS}|补充".split("|"), "amends"),
}
_NOUN = (
    "办法|规定|制度|政策|文件|通知|公告|协议|合同|版本?|条例|细则|准则|指引|指南|手册|规范|标准|流程|方案|章程|决定|规则|附件"
    "|批单|补充协议|修正案|守则|须知|说明|计划|清单|意见|法|条款|附录|修订案|附表|规程|备忘录|文"
)
_SELF = (
    rf"(?:本(?:《[^》]*》|[^，。；：《》\x01]{{0,10}}?(?:{_NOUN}))(?:[(（][^()（）]{{0,20}}[)）])?"
    rf"|{OWN}|此(?:{_NOUN}))"
)
_BEFORE = regex(
    rf"(?:{_SELF}(?:[^。；]{{0,60}}[，,])?|(?:自|从)?[^，。；\x01]{{0,20}}\d[^，。；\x01]{{0,20}}[，,])?"
    rf"(?:{_SELF})?(?:并|同时|即|现|正式|全面|完全|一并|予以|用以|用于|已经?|将|自[^，。；\x01]{{1,24}}起|旨在)*[，,]?\s*\Z"
)
_OBJECT = (
    r"(?:了|原有?的?|旧的?|此前的?|之前的?|先前的?|现行的?|原来的?|发布的|以下文件[：:]|下列文件[：:]|：|:|\s"
    r"|\d{4}年(?:\d{1,2}月)?(?:发布|印发|施行)的|[^，。；《》\x01]{0,8}(?:签署|签订|发布|印发|公布)的)*"
)
_ACTIVE = regex(
    rf"(?P<verb>{_SUPERSEDES}|{_AMENDS}){_OBJECT}{REFS}(?!\s*(?:修订|修改|修正|的\s*(?:决定|通知|建议)))"
)
_PASSIVE = regex(
    rf"(?:被|由|为)\s*{_OBJECT}{REFS}\s*(?:所|予以|全面|正式|完全)*(?P<verb>{_SUPERSEDES}|{_AMENDS})"
)
_ENDED = regex(
    rf"{REFS}\s*(?:[(（][^()（）]{{0,30}}[)）])?\s*(?:自[^，。；]{{1,24}}起|从即日起|即日起)?[，,]?\s*"
    r"(?:同时|同日|相应|即行|予以|一并|随之|均|现予以?|现|应|即)*(?P<verb>废止|失效|作废|停止执行|废除)"
)
_CHANGED = regex(
    rf"(?:对|将|就)?\s*{REFS}\s*(?:中的?|部分条款|有关条款|的部分内容)?\s*(?:作出?了?如下|作以下|进行|予以|作了?|如下)+的?(?P<verb>修订|修改|修正"
    rf"|补充|更新)"
    r"|(?:对|将)\s*(?P<other>\x01\d+!?\x02)\s*(?:修订|修改|修正)(?:为|如下)"
)
_BY = regex(rf"(?:根据|依据|按照|经)\s*{REFS}\s*(?:进行|予以|第[一二三四五\d]次)*(?P<verb>修订|修改|修正)")
_ATTACHES = regex(
    rf"(?P<verb>附于|附属于|附加于|从属于|隶属于)\s*{REFS}|(?P<as>作为|是|为|系|构成)\s*(?P<refs_too>\x01\d+!?\x02)\s*的?"
    r"(?:有效|不可分割|重要|的|一)*(?:附件|附录|组成部分|补充协议|批单|附约|附表|补充)"
)
_DENIED = regex("不|未|并非|非|没有|无需|尚|而非|而不是")
_SUPPOSED = regex(
    "拟|可能|如果|若|假如|倘若|是否|建议|计划|打算|考虑|或许|也许|据说|听说|认为|希望|例如|比如|假设|一旦|草案"
    "|讨论|提议|要求|能否|可以"
)
_CONDITION = regex("如果|若|一旦|经批准后|获批后|通过后|方可|时方")
_FUTURE = regex("将(?!《|\x01)|即将")
_MARK = regex("\x01\\d+!?\x02")
_ANOTHER = regex(
    rf"(?P<verb>{_SUPERSEDES}|{_AMENDS}){_OBJECT}(?:(?P<a>(?:19|20)\d\d)\s?年?版|第"
    rf"(?P<b>[一二三四五六七八九十\d]{{1,3}})版)(?!的?\s*\x01)"
)
_BY_OTHERS = regex(r"[被由]\s*\Z")
_OTHERS = regex(r"(?:会议|总部|委员会|部门|公司|他们|她|他|法务|财务)[^，。；]{0,10}\Z")


def chinese(sentence: Template, *, says_when: bool) -> list[Relation]:
    """What the sentence says of its own text. `says_when`: the text says from when it holds."""
    text = sentence.text
    if sentence.asks or "吗" in text[-3:]:
        return []
    return list(_relations(text, says_when=says_when))


def _relations(text: str, *, says_when: bool) -> Iterator[Relation]:
    for pattern, applies, read in _PHRASES:
        for match in pattern.finditer(text):
            if applies(text, match) and (says_when or not _FUTURE.search(text[: match.start()])):
                yield from read(match)


def _ends(text: str, match: re.Match[str]) -> bool:
    """A text that says that another ends, ends it; one that tells by whom, only tells."""
    return _is_said(text, match) and not _BY_OTHERS.search(text[: match.start()])


def _changes(text: str, match: re.Match[str]) -> bool:
    return _is_said(text, match) and not _OTHERS.search(text[: match.start()])


def _is_own(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()].lstrip(" >#-*•|")
    return _BEFORE.match(before) is not None and _is_said(text, match)


def _is_said(text: str, match: re.Match[str]) -> bool:
    before, words = text[: match.start()], _MARK.sub("", match[0]).replace("不可分割", "")
    return not (
        _DENIED.search(before) or _SUPPOSED.search(before) or _DENIED.search(words) or _CONDITION.search(text)
    )


def _ended(match: re.Match[str]) -> list[Relation]:
    return [Relation(one, _KINDS[match["verb"]], False, match["verb"]) for one in named_in(match["refs"])]


def _after(match: re.Match[str]) -> list[Relation]:
    return [one._replace(inverse=True) for one in _ended(match)]


def _changed(match: re.Match[str]) -> list[Relation]:
    marks = match["refs"] or match["other"]
    return [Relation(one, "amends", False, match["verb"] or "修订") for one in named_in(marks)]


def _attached(match: re.Match[str]) -> list[Relation]:
    marks = match["refs"] or match["refs_too"]
    return [Relation(one, "attaches_to", False, match["verb"] or match["as"]) for one in named_in(marks)]


def _another(match: re.Match[str]) -> list[Relation]:
    return [Relation(None, _KINDS[match["verb"]], False, match["verb"], match["a"] or match["b"])]


_Applies = Callable[[str, re.Match[str]], bool]
_Reads = Callable[[re.Match[str]], list[Relation]]
_PHRASES: tuple[tuple[re.Pattern[str], _Applies, _Reads], ...] = (
    (_ENDED, _ends, _ended),
    (_CHANGED, _changes, _changed),
    (_PASSIVE, _is_own, _after),
    (_BY, _is_own, _after),
    (_ACTIVE, _is_own, _ended),
    (_ATTACHES, _is_own, _attached),
    (_ANOTHER, _is_own, _another),
)
