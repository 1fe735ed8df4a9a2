"""Who speaks where in a transcript: `Name: …`, `[00:01:02] Name: …`, `Name 00:12`, `<v Name>`.

A word and a colon is also how notes label a line, so a name must earn it: by a time, by speaking twice, or by
most lines of the text looking like turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muniment.domain.passages import Section
from muniment.domain.regex import regex
from muniment.items.lines import Line

__all__ = ["by_speaker"]

_TIME = r"(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?(?:[ ]?[AaPp][Mm])?"
_NAME = r"[^\W\d_][^\n:：\[\]<>|/\\#*]{0,59}?"
_CLOCK = rf"[\[(（]?{_TIME}[\])）]?"
_TURN = regex(
    rf"\s{{0,3}}(?P<before>{_CLOCK}[ \t]*[-–—]?[ \t]*)?(?:\*\*)?(?P<name>{_NAME})[ \t]*"
    rf"(?P<after>{_CLOCK})?[ \t]*(?:\*\*)?[:：](?!//)"
)
_ALONE = regex(rf"(?P<name>{_NAME})[ \t]*{_CLOCK}[ \t]*\Z")
_CUE = regex(r"<v(?:\.[\w.]+)?[ \t]+(?P<name>[^>\n]{1,60})>")
_PART = r"(?:[A-Z][\w.'’-]*|de|van|von|der|la|bin|\(.{1,40}\)|\d{1,3})"
_PROPER = regex(rf"{_PART}(?:[ \t]+{_PART})*\Z")
_HAN = regex(r"[\u4e00-\u9fff·]{1,8}(?:[（(].{1,20}[）)])?\Z")
_LONGEST_NAME = 6  # words

_LABELS = frozenset(
    "note notes action actions agenda attendees participants present absent apologies date time "
    "location where when subject topic topics summary decision decisions next steps todo to do re "
    "from to cc bcc "
    "sent warning tip important example background context risks risk question answer http https "
    "status owner "
    "due outcome outcomes result results conclusion title link links ps p.s update updates".split()
) | frozenset(
    {"action items", "action item", "next steps", "next step", "to do", "open questions", "key points"}
)
_LABELS_ZH = frozenset(
    "时间 日期 地点 参会人 参会人员 与会人员 出席 缺席 主题 议题 议程 结论 决议 备注 待办 待办事项 注 "
    "注意 记录人 记录 纪要 会议纪要 会议主题 会议时间 下一步 行动项 背景 "
    "风险 问题 总结 摘要 标题 负责人 截止".split()
)
_MOSTLY = 0.5  # of the lines with words, where a text of turns is one


class _Turn(NamedTuple):
    """`sure` where a time stands with the name; `bare` where the line is nothing more."""

    start: int
    name: str
    sure: bool
    bare: bool


def by_speaker(rows: Sequence[Line], sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections, divided where the speaker changes; unchanged where nobody is seen to speak."""
    turns = _turns(rows)
    found: list[Section] = []
    at = 0
    for section in sections:
        inside = []
        while at < len(turns) and turns[at].start < section.end:
            inside.append(turns[at])
            at += 1
        found.extend(_divided(section, inside))
    return tuple(found)


def _divided(section: Section, turns: Sequence[_Turn]) -> Iterable[Section]:
    start, speaker = section.start, section.speaker
    for turn in turns:
        if turn.name != speaker and turn.start > start:
            yield Section(start, turn.start, section.heading, speaker)
            start = turn.start
        speaker = turn.name
    yield Section(start, section.end, section.heading, speaker)


def _turns(rows: Sequence[Line]) -> list[_Turn]:
    """Lines at which somebody begins to speak; none where fewer than two do."""
    seen = [turn for row in rows if (turn := _turn(row)) is not None]
    spoken = Counter(turn.name for turn in seen)
    sure = {turn.name for turn in seen if turn.sure}
    worded = sum(1 for row in rows if row.text.strip())
    mostly = len(seen) >= _MOSTLY * worded
    turns = [
        turn
        for turn in seen
        if turn.name in sure or spoken[turn.name] > 1 or _would_be_a_name(turn, mostly=mostly)
    ]
    return turns if len(turns) > 1 else []


def _turn(row: Line) -> _Turn | None:
    match = _CUE.match(row.text)
    if match is not None:
        return _Turn(row.start, match["name"].strip(), sure=True, bare=False)
    if ":" not in row.text[:100] and "：" not in row.text[:100]:
        return None
    match = _ALONE.match(row.text) or _TURN.match(row.text)
    if match is None or not _could_be_a_name(match["name"].strip()):
        return None
    bare = match.re.pattern == _ALONE.pattern
    return _Turn(
        row.start, match["name"].strip(), sure=not bare and bool(match["before"] or match["after"]), bare=bare
    )


def _could_be_a_name(name: str) -> bool:
    if name.casefold() in _LABELS or name in _LABELS_ZH or len(name.split()) > _LONGEST_NAME:
        return False
    return not any(mark in name for mark in (". ", "?", "!", "。", "，", "；", "？", "！", ";", '"'))


def _would_be_a_name(turn: _Turn, *, mostly: bool) -> bool:
    proper = _PROPER.match(turn.name) is not None or _HAN.match(turn.name) is not None
    return proper and (mostly or (" " in turn.name and not turn.bare))
