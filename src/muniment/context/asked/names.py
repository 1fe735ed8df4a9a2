"""Names in a question as candidates, and the question without them.

Which of them are people is decided against the record, among what the reader may see. Sentences begin with a
capital whatever their first word is, and Chinese has none: what is read there is marked as unsure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muniment.context.question import capitalised
from muniment.domain.han import simplified
from muniment.domain.regex import regex
from muniment.index.words import STOP_WORDS, content_lexemes

__all__ = ["Name", "names", "without"]

_LONGEST = 8_000  # characters that are read

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SENTENCE = regex(r"(?:\A|[.!?。！？\n:：;；]|\b(?:and|but|so),? )[ \t\"'“‘(\[]*(?=[A-Z])")
_FIRST = regex(
    r"(?P<name>[A-Z][\w-]+(?: & [A-Z][\w-]+"
    r"| [A-Z][\w-]+){0,3})(?P<own>['’]s?(?!\w))? ?(?P<next>[a-z]+)?"
)
# Words that begin a sentence and are no name, even before what may be a verb.
_NO_NAME = frozenset(
    "summarise summarize list tell show give name explain describe find get please can could would "
    "should will do does did has have had is are was were am be let lets remind compare count check "
    "compute calculate recall everything everyone everybody someone somebody anyone anybody nobody "
    "nothing something anything people there here this that these those it they we you he she who what "
    "which when where why how whose whom yesterday today tomorrow tonight recently lately currently "
    "now then also and but so or if because although after before since until during while once both "
    "each every all any some many most no not never always only according regarding concerning about "
    "besides despite given considering hello hi hey thanks thank ok okay sorry well actually really "
    "maybe perhaps yes one two three first second last next other another".split()
)  # fmt: skip
_VERBS = frozenset(
    "is was has had does did will would can could should may might must says said wants went got gave "
    "made took came told wrote sent saw knew thought felt found left lost met paid ran sold spoke "
    "bought brought built chose drew drove ate fell flew forgot held kept led meant put read set sang "
    "sat slept spent stood taught threw won wore agreed likes loves plans owes needs keeps lives "
    "works".split()
)
# The commonest family names; a guess, for the record to confirm.
_FAMILY = (
    "欧阳|司马|上官|诸葛|司徒|东方|皇甫|尉迟|慕容|令狐|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何"
    "高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦"
    "付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍"
    "庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝"
    "路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席"
    "卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝]"
)
_AFTER_NAME = (
    r"(?:的|说|在|是|有|和|跟|与|给|对|把|要|想|会|将|去|来|做|从|向|让|负责|提到|答应|承诺|告诉"
    r"|认为|同意|决定|什么|何时|为什么|怎么|为何|最近|昨天|上|今|几|多|曾|还|也|都|没|不|[，,、？?。\s]|\Z)"
)
_HAN_NAME = regex(
    rf"(?<![{_HAN}])(?P<name>(?:{_FAMILY})[{_HAN}]{{1,2}}?)(?={_AFTER_NAME})"
    rf"|(?<=[和跟与、给对向让请问被由找])(?P<name2>(?:{_FAMILY})[{_HAN}]{{1,2}}?)(?={_AFTER_NAME})"
    rf"|(?P<name3>[小老阿][{_HAN}](?={_AFTER_NAME})|(?:{_FAMILY})(?:总监|总|经理|老师|工|姐|哥|主任|博士"
    rf"|律师|医生|教授|处长|局长|先生|女士|董))"
    rf"|(?:\A|(?<=[，。？！；：,.?!;:\s]))(?P<name4>[{_HAN}]{{2,4}}?)(?=说(?!明|法|服)|提到|告诉|答应|承诺"
    rf"|认为)"
)
_COMMON_HAN = frozenset(
    "我们 你们 他们 她们 它们 大家 公司 客户 经理 老板 同事 领导 团队 部门 有人 没人 谁 小时 小组 小区 "
    "老师 老家 小明天 高级 方面 方案 成本 时间 时候 全部 明天 安全 管理 包括 任何 任务 文件 文档 金额 "
    "章程 路线 关于 由于 对于 于是 何时 何人 向谁 应该 单位 项目 连接 解决 全年 史上 成员 成功 季度 "
    "华为 万一 江苏 江西 云南 和谁 白天 高峰 石油 农历 温度 易用 师傅 游戏 商店 商品 牛奶 马上 车间 "
    "麦克 景区 阳光 最近 昨天 今天 上次 去年 后来 还有 另外 现在 目前 什么".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A name as the question writes it. `is_sure`: its letters or quotes say that it is one."""

    surface: str
    is_sure: bool


def names(text: str) -> tuple[Name, ...]:
    """Every candidate, in order of first use; what stands for certain is not repeated as a guess."""
    read = text[:_LONGEST]
    sure = list(dict.fromkeys(capitalised(read)))
    guesses = [one for one in (*_first_words(read), *_han_names(read)) if one not in sure]
    found = [Name(one, is_sure=True) for one in sure] + [
        Name(one, is_sure=False) for one in dict.fromkeys(guesses)
    ]
    return tuple(sorted(found, key=lambda one: text.find(one.surface)))


def _first_words(text: str) -> Iterator[str]:
    """Caroline's, Melanie went: a sentence's first word that owns or does something."""
    for start in _SENTENCE.finditer(text):
        match = _FIRST.match(text, start.end())
        if match is None or match["name"].split()[0].casefold() in (_NO_NAME | STOP_WORDS):
            continue
        if match["own"] or _is_verb(match["next"] or "") or (match["next"] == "and" and " " in match["name"]):
            yield match["name"]


def _is_verb(word: str) -> bool:
    return word in _VERBS or (len(word) > 3 and word.endswith("ed"))


def _han_names(text: str) -> Iterator[str]:
    for match in _HAN_NAME.finditer(simplified(text)):
        if match[0] not in _COMMON_HAN:
            yield text[match.start() : match.end()]


_JOINS = regex(r"\b(?:and|or|with|by|from|between|both) \Z|[和跟与、]\Z")
_HAN_JOINS = frozenset("和跟与、")
_OWNS = regex(r"(?:['’]s?(?!\w))?(?: ?的)?")
_WITHIN = regex(rf"[^\W_{_HAN}]{{2}}")


def without(text: str, surfaces: Iterable[str]) -> str:
    """The question with the names taken out, for its meaning alone; as it was where nothing else is asked."""
    wanted = sorted({one for one in surfaces if one.strip()}, key=lambda one: (-len(one), one))
    if not wanted:
        return text
    bare = text
    for surface in wanted:
        bare = _cut(bare, surface)
    plain = _tidy(bare)
    return plain if content_lexemes(plain) else text


def _cut(text: str, surface: str) -> str:
    """The text without the surface wherever it is a word of its own, nor what joins or owns through it."""
    kept, at = [], 0
    for match in re.finditer(re.escape(surface), text, re.IGNORECASE):
        start, end = match.span()
        if start < at or not (_is_edge(text, start) and _is_edge(text, end)):
            continue
        joins = _JOINS.search(text, max(at, start - 8), start)
        owns = None if joins and joins[0] in _HAN_JOINS else _OWNS.match(text, end)
        kept += [text[at : joins.start() if joins else start], " "]
        at = owns.end() if owns else end
    return "".join((*kept, text[at:]))


def _is_edge(text: str, at: int) -> bool:
    """Whether no Latin word goes on across the place; Chinese has no such edges."""
    return _WITHIN.match(text[max(0, at - 1) : at + 1]) is None


def _tidy(text: str) -> str:
    """No doubled spaces, no space before a mark or inside Chinese, no joining word that joins nothing."""
    plain = re.sub(r"\s+", " ", text)
    plain = re.sub(r"\b(did|does|do|is|are|was|were|has|have|will|would) (?:and|or) ", r"\1 ", plain)
    plain = re.sub(r" (?=[,.?!;:)，。？！；：、）])", "", plain)
    plain = re.sub(rf"(?<=[{_HAN}，。？！；：、]) | (?=[{_HAN}，。？！；：、])", "", plain)
    plain = re.sub(r"\A[\s,.;:，。；：、和跟与]+", "", plain)
    return plain.strip()
