"""The part a date plays in its sentence: when something is due, from when it holds, until when."""

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.domain.assertions import Term
from muniment.domain.regex import regex

__all__ = ["NO_VALUES", "Mention", "clock_after", "role_of"]

# What a term may be besides a value: the part a date plays, a date nobody can read, a link.
NO_VALUES = frozenset({"due", "effective", "until", "when", "undated", "url"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A term at its place in the text."""

    start: int
    end: int
    term: Term


_LEADS = {
    "due": regex(
        r"\b(?:by|before|no later than|due(?: on| by)?|deadline(?: is|:)) (?:the )?(?P<edge>end of )?"
        r"(?:this )?$",
        re.IGNORECASE,
    ),
    "until": regex(
        r"(?:\b(?:until|till|through|up to and including|valid to|to) (?:the )?(?P<edge>end of )?"
        r"(?:this )?|(?:有效期[至到]|截至|截止[到至]?|直[到至]|持续[到至]) ?)$",
        re.IGNORECASE,
    ),
    "effective": regex(
        r"(?:\b(?:from|(?:effective|starting|beginning|valid|as)(?: on| from| as of| of)?|with effect from"
        r"|(?:applies|apply|holds) (?:from|as of)|in (?:force|effect) (?:from|as of|since)"
        r"|(?:takes|taking|take) effect(?: on| from)?|(?:comes|coming|come) into (?:force|effect)(?: on)?"
        r"|since)"
        r":? (?:the )?(?P<edge>(?:start|beginning) of )?(?:this )?)$",
        re.IGNORECASE,
    ),
}
# Moved from Monday to Tuesday: the first date is what no longer is.
_MOVED = regex(
    r"\b(?:moved|changed|postponed|rescheduled|pushed|shifted|slipped|delayed|extended|brought forward"
    r"|renamed|updated|went|goes|corrected)(?: \w+){0,3} from ",
    re.IGNORECASE,
)
_TO_DATE = regex(r"\bto (?:the )?(?:end of )?$", re.IGNORECASE)
_RANGED = regex(
    r"\b(?:from|between|effective|valid|starting) [^,.;]{3,40} to (?:the )?(?:end of )?$", re.IGNORECASE
)
_STARTS_LATE = regex(r" ?(?:起|开始(?:生效|执行|施行|实施)?|(?:正式)?(?:生效|施行|实施|执行))")
_HAN_RANGE = regex(r" ?(?:起?至|起?到|[—–~-]{1,2})")
_HAN_FROM = regex("[自从] ?$")
_HAN_TO = regex(r"(?:\d|[日号月年底末初起]) ?(?P<to>(?:至|到|[—–~-]{1,2}) ?)$")
_HAN_UNTIL_AFTER = regex(r" ?(?:为?止|前有效|之前有效)")
_HAN_AS_OF = regex(r"(?:^|[，。；])\s*(?:截至|截止[到至]?) ?$")
_DUE_AFTER = regex(r" ?(?:之前|以前|前)(?!端|有效)")
_AWAY = regex(
    r"\bin \d{1,3} (?:day|week|month|year)s?\b|\d{1,3} (?:day|week|month|year)s? ago\b"
    "|(?:\\d{1,3}|十[一二]?|[一二两三四五六七八九半]) ?个?(?:天|周|星期|月|年)"
    "(?:之|以)?(?:后(?![端台勤])|前(?!端))",
    re.IGNORECASE,
)
_HAN_EDGE = regex("[底末]")
_CLOCK = regex(
    r"(?:,? at |,? ?)(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?!\d|:\d)"
    r"(?P<z> (?:UTC|GMT|CET|CEST|EST|EDT|PST|PDT)\b)?"
)


def role_of(text: str, mention: Mention) -> Mention | None:
    """The role a date plays, with the words that say so; its value is the date's own, or its end's."""
    if mention.term.kind == "duration":
        return _counted(text, mention)
    if mention.term.kind not in ("date", "undated"):
        return None
    before = text[max(0, mention.start - 44) : mention.start]
    end = mention.end
    edge = _HAN_EDGE.match(text, end) if mention.term.value[-3:-2] == "-" else None
    end = edge.end() if edge else end
    for find in (_led, _han):
        if found := find(text, before, mention, end):
            kind, begin, stop, says_edge = found
            return _placed(text, mention, kind, (begin, stop), says_edge or ("end of " if edge else ""))
    return None


def _counted(text: str, mention: Mention) -> Mention | None:
    """In 10 days, 3 weeks ago, 三天后: a stretch counted from when it was said."""
    found = _AWAY.match(text, max(0, mention.start - 3)) or _AWAY.match(text, mention.start)
    if not found or found.end() < mention.end:
        return None
    return Mention(found.start(), found.end(), Term("when", found[0], f"relative:{found[0].casefold()}"))


_Found = tuple[str, int, int, str]


def _led(text: str, before: str, mention: Mention, end: int) -> _Found | None:
    for kind, pattern in _LEADS.items():
        lead = pattern.search(before)
        if not lead:
            continue
        if kind == "until" and _TO_DATE.search(before) and not _RANGED.search(before):
            return None
        if kind == "until" and _HAN_AS_OF.search(before) and text.startswith(("，", ","), end):
            kind = "effective"  # noqa: PLW2901  # 截至3月1日，…: how things stand at that day
        if _MOVED.search(before):
            return None
        return kind, mention.start - len(before) + lead.start(), end, lead["edge"] or ""
    return None


def _han(text: str, before: str, mention: Mention, end: int) -> _Found | None:
    start = mention.start
    if after := _DUE_AFTER.match(text, end):
        return "due", start, after.end(), ""
    if after := _HAN_UNTIL_AFTER.match(text, end):
        return "until", start, after.end(), ""
    led = _HAN_FROM.search(before)
    begin = start - len(before) + led.start() if led else start
    if after := _STARTS_LATE.match(text, end):
        return "effective", begin, after.end(), ""
    if led and _HAN_RANGE.match(text, end):
        return "effective", begin, end, ""
    to = None if text.isascii() else _HAN_TO.search(before)
    return ("until", start - len(before) + to.start("to"), end, "") if to else None


def _placed(text: str, mention: Mention, kind: str, place: tuple[int, int], edge: str) -> Mention:
    """The role as a mention of its own; one of an unreadable date stays unreadable."""
    start, end = place
    value = mention.term.value
    if mention.term.kind == "undated":
        return Mention(start, end, Term(kind, text[start:end], "undated", note=value))
    if edge:
        value = f"relative:{edge.strip().casefold()} {value.removeprefix('relative:')}"
    stop, clock = clock_after(text, mention.end)
    if clock and kind != "due" and "relative" not in value:
        end, value = max(end, stop), f"{value}{clock}"
    return Mention(start, end, Term(kind, text[start:end], value))


def clock_after(text: str, at: int) -> tuple[int, str]:
    """Where the time of day that follows a date ends, and the time; the same place where none follows."""
    clock = _CLOCK.match(text, at)
    return (clock.end(), f"T{int(clock['h']):02}:{clock['m']}{clock['z'] or ''}") if clock else (at, "")
