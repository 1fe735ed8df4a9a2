"""What a later sentence does to an earlier promise: done, failed, called off, let go, passed on. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from muniment.domain.regex import regex

__all__ = ["WORDS", "Move", "MoveKind", "read_move"]

MoveKind = Literal["satisfied", "violated", "cancelled", "released", "delegated"]

# Only passages with one of these are read at all. As PostgreSQL writes it; case is ignored.
WORDS: Final = (
    r"\y(done|sent|shipped|delivered|completed?|finished|signed|paid|deployed|attached|received"
    r"|arrived|published|fixed|released|submitted|provided|resolved|uploaded|granted|credited|live"
    r"|went|came|got|seen|missing|here is|here are|please find|thanks for|thank you for"
    r"|still waiting|haven.?t|hasn.?t|have not|has not|not been|never|missed|overdue|late|deadline"
    r"|didn.?t|not sent|not delivered|not done|not paid|not shipped|cancel\w*|no longer|not going to"
    r"|won.?t|unable|drop\w*|called off|scrapped|withdrawn|decided|agreed|don.?t need|do not need"
    r"|not needed|no need|forget about|never mind|worry about|have to|skip|leave out|take over"
    r"|taking over|took over|takes|took|take|taking|taken|handed|passed|given|reassigned|moved)\y"
    "|已|完成|搞定|发出|寄出|交付|上线|收到|[发寄交签付做提改修]好了|[发寄交签付做改修]完了|出去?了"
    "|还没|没有?收|没有?按时|没收到|逾期|拖了|取消|作废|不做了|做不了了|不再|不用|不需要|不必|免了"
    "|交给|转给|接手|移交"
)
_QUESTION = regex(r"[?？]\s*$|[吗么]\W*$")
_UNSURE = regex(
    r"\b(?:if|when|once|until|unless|will|would|should|could|might|may|must|whether|let me know|i['’]ll"
    r"|we['’]ll|please|needs? to|to be|has to|have to|going to be)\b"
    r"|如果|等|会|将|要是|是否|请|需要|应该|可能|希望",
    re.IGNORECASE,
)
_CANCELLED = regex(
    r"\b(?:(?:we|i)(?:['’]re| are|['’]m| am) (?:no longer|not) going to|no longer (?:planning|going|able) to"
    r"|(?:is|are|was|were|has been|have been) (?:cancel+ed|called off|dropped|scrapped|withdrawn)"
    r"|(?:we|i)(?: have|['’]ve)? (?:decided|agreed) (?:not to|against)|(?:we|i)(?: have|['’]ve)? "
    r"(?:cancel+ed|dropped|scrapped|called off)|cannot deliver|can['’]t deliver|won['’]t be able to)\b"
    r"|取消了?|作废|不做了|不再(?:提供|做|发|交付)|做不了了",
    re.IGNORECASE,
)
_RELEASED = regex(
    r"\b(?:(?:we|i) (?:no longer need|do not need|don['’]t need)|(?:is|are) (?:no longer|not) needed"
    r"|no need (?:for|to)|(?:forget|never mind|don['’]t worry) about|you can (?:skip|drop|leave out)"
    r"|you (?:do not|don['’]t) (?:have|need) to)\b|不用[^，。]{0,12}了|不需要[^，。]{0,12}了|就不必了|免了",
    re.IGNORECASE,
)
_DELEGATED = regex(
    r"\b(?P<to>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?) (?:will take|is taking|takes|took|has taken) (?:this |that "
    r"|it |the [^.]{2,50} )?over\b"
    r"|\b(?:handed|passed|given|reassigned|moved)(?: (?:this|that|it|the [^.]{2,50}?))?(?: over)? to "
    r"(?P<to2>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?)"
    r"|(?:交给|转给|移交给)了?(?P<to3>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)|由(?P<to4>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)接手"
)
_VIOLATED = regex(
    r"\b(?:still (?:waiting (?:for|on)|have(?:n['’]t| not)|missing)|(?:have|has)(?:n['’]t| not) (?:yet )?"
    r"(?:received|got|seen|arrived|been (?:sent|delivered|done|signed|paid|shipped))|never (?:arrived|came"
    r"|got|received|sent)|(?:was|is|were) not (?:sent|delivered|done|paid|shipped)|missed the (?:deadline"
    r"|date)"
    r"|(?:is|are) (?:now )?(?:overdue|late)|didn['’]t (?:send|deliver|ship|get|arrive|pay|sign))\b"
    r"|还没有?(?:收到|发|给|交付|完成|看到)|没有?收到|逾期|没有?按时|拖了",
    re.IGNORECASE,
)
_SATISFIED = regex(
    r"\b(?:(?:is|are|was|were|has been|have been|been|now|just|already|i|we|they|it['’]s|['’]ve|have|has|all"
    r"|[A-Z]\w+) (?:now |just |already |all )*(?:done|sent|shipped|delivered|completed?|finished|signed|paid"
    r"|deployed|attached|received|got|published|fixed|submitted|provided|resolved|uploaded|granted|credited"
    r"|live))\b|^\W*(?:done|sent|shipped|delivered|finished|attached|completed|signed|paid|fixed)\b"
    r"|\b(?:here (?:is|are)|please find|attached (?:is|are)|thanks for (?:sending|the|getting)"
    r"|thank you for (?:sending|the)|(?:arrived|went out|went live|came in))\b"
    r"|已经?(?:发|寄|交|完成|上线|签|付|提交|上传|修|搞|给|部署|发布|处理|收到|开通)|(?:发|寄|交|签|付|做|提交|修|搞)(?:好|完|定|出去?)了"
    r"|收到了?(?:[，。！!]|$|你|您|贵|合同|报|安|文)|搞定",
    re.IGNORECASE,
)
_NOT = regex(
    r"\b(?:not|n['’]t|never|no|without|nearly|almost|half|partly|before)\b|没|未|尚|不(?!过)|差点|一半",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Move:
    """What a sentence says became of something; `to` is who has it now."""

    kind: MoveKind
    to: str | None = None


def read_move(sentence: str) -> Move | None:
    """None where it says nothing became of anything, or only asks, wishes or supposes it."""
    if _QUESTION.search(sentence):
        return None
    if found := _DELEGATED.search(sentence):
        return Move("delegated", next(one for one in found.groups() if one))
    for kind, pattern in _PLAIN:
        if pattern.search(sentence):
            return Move(kind)
    done = _SATISFIED.search(sentence)
    if done is None or _UNSURE.search(sentence) or _NOT.search(sentence):
        return None
    return Move("satisfied")


_PLAIN: Final[tuple[tuple[MoveKind, re.Pattern[str]], ...]] = (
    ("released", _RELEASED),
    ("cancelled", _CANCELLED),
    ("violated", _VIOLATED),
)
