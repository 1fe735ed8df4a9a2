"""A sentence's kind, or none: most of what people write states nothing worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from muniment.assertions import cues_en, cues_zh
from muniment.assertions.cues import Cue
from muniment.assertions.reading import Sentence
from muniment.domain.assertions import Kind
from muniment.domain.regex import regex

__all__ = ["kind_of"]

_MIN_QUESTION_WORDS = 3
_MIN_QUESTION_HAN = 5
_MIN_WORDS = 3
_MIN_STEP_WORDS = 4
# Documents describe, and ask what they answer next: "we will use the highest bit", "was considered too
# complicated", "pods are restarting when …".
_TALK = frozenset({Kind.ARRANGEMENT, Kind.COMMITMENT, Kind.OBJECTION, Kind.OBSERVATION})

_QUESTION_END = regex(r"[?？][\s\"'”’)）\]?？!！]*$|[吗么][。！!～~]?$")
# Greetings and tags ask nothing: "how are you?", "…, right?", 在吗.
_IDLE_QUESTION = regex(
    r"\b(?:how are you|how(?:['’]s| is) it going|what['’]s up|you (?:there|ok|okay)|makes? sense"
    r"|sounds good|know what i mean|who knows|why not|really|is that (?:ok|okay|right))\?|(?:right|ok|okay"
    r"|no|yes|eh|huh|correct)\?\W*$|在吗|好吗|行吗|可以吗|是吧|对吧|ok吧|好不好|怎么样？?$|懂吗"
)
_EXAMPLE = regex(r"(?:for example|for instance|example|e\.g\.|eg|imagine|suppose)\b|例如|比如")
_HAN = regex(r"[\u4e00-\u9fff]")
_TOKEN = regex(r"[a-z]+(?:['’][a-z]+)?")


def _by_trigger(cues: Iterable[Cue]) -> dict[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for place, cue in enumerate(cues):
        for trigger in cue.triggers:
            index[trigger] = (*index.get(trigger, ()), place)
    return index


_EN = _by_trigger(cues_en.CUES)
_EN_WORDS = frozenset(_EN)
_ZH = _by_trigger(cues_zh.CUES)
# At every place the longest trigger that begins there; it stands for those that it begins with, too.
_ZH_TRIGGER = regex(f"(?=({'|'.join(sorted(map(re.escape, _ZH), key=len, reverse=True))}))")
_ZH_BEGUN = {one: [other for other in _ZH if one.startswith(other)] for one in _ZH}


def kind_of(sentence: Sentence) -> Kind | None:
    """The first cue that holds decides; a question is only ever a question."""
    if _QUESTION_END.search(sentence.lowered, max(0, len(sentence.lowered) - 8)):
        return Kind.QUESTION if not sentence.document and _asks(sentence) else None
    if (len(sentence.words) < _MIN_WORDS and not sentence.han) or _EXAMPLE.match(sentence.lowered):
        return None
    for cue in _candidates(sentence):
        if sentence.document and cue.kind in _TALK:
            continue
        if cue.pattern.search(sentence.lowered) and not (cue.unless and cue.unless.search(sentence.lowered)):
            return cue.kind
    return Kind.PROCEDURE if _is_step(sentence) else None


def _asks(sentence: Sentence) -> bool:
    if _IDLE_QUESTION.search(sentence.lowered):
        return False
    return len(sentence.words) >= _MIN_QUESTION_WORDS or len(_HAN.findall(sentence.text)) >= _MIN_QUESTION_HAN


def _candidates(sentence: Sentence) -> Iterator[Cue]:
    hits = sentence.words & _EN_WORDS
    if hits:
        for place in sorted({place for word in hits for place in _EN[word]}):
            yield cues_en.CUES[place]
    if sentence.han:
        longest = set(_ZH_TRIGGER.findall(sentence.lowered))
        found = {trigger for one in longest for trigger in _ZH_BEGUN[one]}
        for place in sorted({place for trigger in found for place in _ZH[trigger]}):
            yield cues_zh.CUES[place]


_ZH_IMPERATIVE = regex(
    "^(?:请|先|再|然后)?(?:点击|打开|运行|执行|选择|填写|提交|登录|进入|检查|重启|确认|上传|下载|联系"
    "|输入|删除|创建|修改|设置|停止|启动|查看|回滚|通知|切换)"
)


def _is_step(sentence: Sentence) -> bool:
    """A numbered imperative tells how to do something."""
    if not sentence.numbered or (len(sentence.words) < _MIN_STEP_WORDS and not sentence.han):
        return False
    first = _TOKEN.match(sentence.lowered)
    return bool((first and first[0] in cues_en.IMPERATIVES) or _ZH_IMPERATIVE.match(sentence.text))
