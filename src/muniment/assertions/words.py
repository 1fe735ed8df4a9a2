"""Terms without a digit: states, owners, links."""

from __future__ import annotations

import re

from muniment.domain.regex import regex

__all__ = [
    "EMAIL",
    "HAN_OWNER",
    "OWNER",
    "OWNER_WORDS",
    "STATE",
    "STATE_WORDS",
    "URL",
    "normal_link",
    "normal_owner",
    "normal_state",
]  # fmt: skip

_STATES = {
    "closed": "closed",
    "open": "open",
    "approved": "approved",
    "rejected": "rejected",
    "blocked": "blocked",
    "draft": "draft",
    "done": "done",
    "completed": "done",
    "complete": "done",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "resolved": "resolved",
    "merged": "merged",
    "paused": "paused",
    "active": "active",
    "inactive": "inactive",
    "deprecated": "deprecated",
    "withdrawn": "withdrawn",
    "final": "final",
    "accepted": "accepted",
    "signed": "signed",
    "expired": "expired",
    "pending": "pending",
    "in progress": "in progress",
    "on hold": "on hold",
    "enabled": "enabled",
    "disabled": "disabled",
    "superseded": "superseded",
    "deferred": "deferred",
    "reopened": "open",
    "关闭": "closed",
    "批准": "approved",
    "通过": "approved",
    "拒绝": "rejected",
    "驳回": "rejected",
    "阻塞": "blocked",
    "完成": "done",
    "取消": "cancelled",
    "解决": "resolved",
    "合并": "merged",
    "暂停": "paused",
    "签署": "signed",
    "过期": "expired",
    "上线": "live",
    "启用": "enabled",
    "禁用": "disabled",
    "打开": "open",
    "进行中": "in progress",
}
_STATE_EN = "|".join(
    spelling
    for word in _STATES
    if word.isascii()
    for spelling in (rf"{word}(?![\w-])", rf"{word.capitalize()}(?![\w-])")
)
_STATE_ZH = "|".join(word for word in _STATES if not word.isascii())
# Alone, "open" and "done" are verbs and adjectives: a state stands after a copula, 已, or the word status.
_LEADS = (
    "is ", "are ", "was ", "been ", "now ", "still ", "not ", "remains ", "n't ", "n’t ", " as ",
    "status ", "status: ", "state: ", "状态：",
    "状态: ", "| ", "状态:", "状态是", "状态为", "已", "已经", "已被",
)  # fmt: skip
STATE = regex(rf"{_STATE_EN}|{_STATE_ZH}")
STATE_WORDS = frozenset(word for state in _STATES if state.isascii() for word in state.split()[-1:])
_NAME = r"@[\w.-]{2,30}|[A-Z][\w'’.-]{1,20}(?: [A-Z][\w'’-]{1,20}){0,2}(?: team)?"
OWNER = regex(
    r"(?:\b(?:[Oo]wner|[Aa]ssignee|DRI|[Ll]ead|[Cc]ontact|[Aa]pprover|[Mm]anager)(?: (?:of"
    r"|for) (?:the )?[\w-]{2,30}(?: [\w-]{2,20}){0,2}?)?(?: is| is now|:)"
    r"|\b(?:owned|led|approved|maintained) by|\b(?:assigned"
    rf"|handed over) to) (?P<en>(?:the [\w-]{{2,20}} team|{_NAME}))"
    r"|(?:负责人|对接人|联系人|审批人|经理)(?:[是为]|改为|：|: ?) ?(?P<zh>@?[A-Z][\w.-]{1,20}"
    r"|[\u4e00-\u9fff]{2,4})(?=$"
    r"|[\s，。；、,;.])"
    r"|由(?P<zh2>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]{1,20})负责"
    r"|(?<![\w.@/])(?P<handle>@[A-Za-z][\w-]{1,30})(?![\w@]|\.\w)"
)
EMAIL = regex(r"(?<![\w.+-])[\w+-]{1,40}(?:\.[\w+-]{1,40}){0,4}@[\w-]{1,40}(?:\.[\w-]{2,30}){1,4}", re.ASCII)
URL = regex(r"https?://[^\s<>()\"'，。；）】]{3,300}(?<![.,;:!?])", re.ASCII)
OWNER_WORDS = frozenset(
    "owner assignee dri lead contact approver manager owned led approved maintained assigned handed".split()
)
HAN_OWNER = regex("负责|对接人|联系人|审批人|经理")


def normal_state(match: re.Match[str]) -> str | None:
    """One word for each state in either language; None where the word is no state."""
    before = match.string[max(0, match.start() - 9) : match.start()].lower()
    return _STATES[match[0].lower()] if f" {before}".endswith(_LEADS) else None


def normal_owner(match: re.Match[str]) -> str:
    """The name without its sign, and without regard to case."""
    name = match["en"] or match["zh"] or match["zh2"] or match["handle"]
    return name.removeprefix("@").removeprefix("the ").casefold()


def normal_link(match: re.Match[str]) -> str:
    """An address as written; a mail address without regard to case."""
    return match[0] if "//" in match[0] else match[0].casefold()
