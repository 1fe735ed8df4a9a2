"""The stretches of time that a question names, read without a model: "in May", 上季度, "since March 5".

Each is found by itself, then what stands beside it is taken in: before, after, since, between, early, the
week of. What the words leave open, such as the year of "in May", stays open in the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from muniment.context.asked.chinese import chinese
from muniment.context.asked.english import NUMBER_PATTERN, NUMBERS, UNIT_PATTERN, WEEKDAY_PATTERN, english
from muniment.context.asked.when import DAY, Found, Place, When, edge_of, on
from muniment.domain.han import simplified
from muniment.domain.regex import regex

__all__ = ["LONGEST", "periods"]

LONGEST = 8_000  # characters that are read; a question that names its time later is no question
_FIRST, _LAST = date(1001, 1, 1), date(8999, 1, 1)  # 999 years ago is still a day, and so are 999 years on
_REACH = 40  # characters before a date in which a word about it may stand

_EDGE = regex(
    r"(?:the )?\b(?P<place>early|late|mid|middle of|beginning of|start of|end of)(?:[ -]|-| )(?:the )?\Z",
    re.IGNORECASE,
)
_PLACES: dict[str, Place] = {
    "early": "early",
    "beg": "early",
    "sta": "early",
    "mid": "mid",
    "lat": "late",
    "end": "late",
}
_BESIDE = regex(
    rf"\b(?:the )?(?:(?P<n>{NUMBER_PATTERN}) (?P<counted>{UNIT_PATTERN})s?|(?P<unit>week|weekend|day|month"
    rf"|year)"
    rf"|(?P<weekday>{WEEKDAY_PATTERN})) (?P<way>before|prior to|after|following|of)(?: the)? \Z",
    re.IGNORECASE,
)
_OPEN = regex(
    r"(?:\b(?P<since>since|starting(?: on| in| from)?|ever since)|\b(?P<after>after|following)"
    r"|\b(?P<before>before|prior to|ahead of)|\b(?P<until>until|till|as of|up to|up until|by|no later than)"
    r"|(?P<han_since>自从?)|(?P<han_until>截至|截止到?))(?: the)? ?\Z",
    re.IGNORECASE,
)
_CLOSED = regex(
    r"(?P<since>以来|起(?!草|诉|码|点)|开始|至今|到现在|到目前)|(?P<after>以后|之后|过后"
    r"|后(?![续来端台勤期面天]))"
    r"|(?P<before>以前|之前|前(?![端台期往提景瞻沿任面天年]))|(?P<until>为止|止)| (?P<onward>on(?:wards?)?"
    r"|forward)\b"
)
_BETWEEN = regex(r"\b(?:between|from)(?: the)? \Z|[从由自在] ?\Z", re.IGNORECASE)
_JOIN = regex(r" ?(?:to|until|till|through|thru|and|[-–—~～至到]|一直到|和|与)(?: the)? ?", re.IGNORECASE)
_SURE_JOIN = regex(r" ?(?:through|thru|[-–—~～至到]|一直到) ?", re.IGNORECASE)


def periods(text: str, today: date) -> tuple[When, ...]:
    """Every stretch of time the question names, in order; one that may be either of two days is two.

    today: the day of asking, from which relative words count.
    """
    read, day = simplified(text[:LONGEST]), min(max(today, _FIRST), _LAST)
    found = _apart([*english(read, day), *chinese(read, day)])
    taken: list[Found] = []
    at = 0
    while at < len(found):
        joined = _range(read, found, at)
        taken.append(joined or _single(read, found[at]))
        at += 2 if joined else 1
    # Words about a date may hold a weekday of their own: the Friday before 15 July.
    whole = [one for one, after in pairwise(taken) if one.end <= after.start] + taken[-1:]
    return tuple(
        dict.fromkeys(
            replace(one, words=text[each.start : each.end].strip()) for each in whole for one in _meant(each)
        )
    )


def _meant(found: Found) -> Iterator[When]:
    yield found.when
    if found.other is not None:
        yield found.other


def _apart(found: Sequence[Found]) -> list[Found]:
    """The longest of those that overlap, earliest first."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end - one.start > kept[-1].end - kept[-1].start:
            kept[-1] = one
    return kept


def _range(text: str, found: Sequence[Found], at: int) -> Found | None:
    """Between one and the next, from one to the next, one through the next."""
    if at + 1 >= len(found):
        return None
    first, last = (_edged(text, one) for one in found[at : at + 2])
    gap = text[first.end : last.start]
    opened = _BETWEEN.search(text, max(0, first.start - _REACH), first.start)
    closed = text.startswith(("之间", "期间", " 之间"), last.end)
    if not (_SURE_JOIN.fullmatch(gap) or (_JOIN.fullmatch(gap) and (opened or closed))):
        return None
    when = _joined(first.when, last.when)
    return None if when is None else Found(opened.start() if opened else first.start, last.end, when)


def _joined(first: When, last: When) -> When | None:
    """From the first day of one to the last of the other; what is open in one is taken from the other."""
    begin, end = first, last
    if last.repeats != "never" and first.repeats == "never" and first.first is not None:
        end = _moved(last, first.first, ahead=True)
    elif first.repeats != "never" and last.first is not None:
        begin = _moved(first, last.first, ahead=False)
    if begin.first is None or end.after is None or end.after <= begin.first:
        return None
    open_ends = first.repeats == last.repeats == "yearly"
    return When(begin.first, end.after, "between", "", "yearly" if open_ends else "never")


def _moved(when: When, beside: date, *, ahead: bool) -> When:
    """The stretch in the year or week in which it comes next after the day, or last before it."""
    if when.first is None or when.after is None:
        return when
    if when.repeats == "weekly":
        days = (when.first - beside).days % 7
        first = beside + timedelta(days=days if ahead else days - 7 if days else 0)
    else:
        passed = (when.first.month, when.first.day) < (beside.month, beside.day)
        year = beside.year + (
            passed if ahead else -((when.first.month, when.first.day) > (beside.month, beside.day))
        )
        first = on(when.first, "year", year - when.first.year)
    return replace(when, first=first, after=first + (when.after - when.first))


def _single(text: str, found: Found) -> Found:
    return _opened(text, _beside(text, _edged(text, found)))


def _edged(text: str, found: Found) -> Found:
    """Early May, the end of last year."""
    match = _EDGE.search(text, max(0, found.start - _REACH), found.start)
    if match is None:
        return found
    word = match["place"].lower()
    place = next(value for name, value in _PLACES.items() if word.startswith(name))
    return Found(match.start(), found.end, edge_of(found.when, place))


def _beside(text: str, found: Found) -> Found:
    """The week of a day, the Friday before it, two weeks after it."""
    match = _BESIDE.search(text, max(0, found.start - _REACH), found.start)
    first, after = found.when.first, found.when.after
    if match is None or first is None or after is None:
        return found
    when = _next_to(match, first, after, found.when)
    return found if when is None else Found(match.start(), found.end, when)


def _next_to(match: re.Match[str], first: date, after: date, when: When) -> When | None:
    way = -1 if match["way"].lower() in ("before", "prior to") else 0 if match["way"].lower() == "of" else 1
    if match["weekday"]:
        return _weekday_beside(match["weekday"].lower(), first, after, way, when) if way else None
    if match["n"]:
        number = match["n"].lower()
        count = int(number) if number.isdecimal() else NUMBERS[number][1]
        if not way or not count:
            return None
        day = on(first if way < 0 else after - DAY, match["counted"].lower(), way * count)
        slack = 0 if match["counted"].lower() == "day" else 3
        return When(
            day - slack * DAY, day + (slack + 1) * DAY, "day" if not slack else "days", "", when.repeats
        )
    return _unit_beside(match["unit"].lower(), first, after, way, when)


def _weekday_beside(weekday: str, first: date, after: date, way: int, when: When) -> When:
    number = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(weekday[:3])
    if way < 0:
        day = first - timedelta(days=(first.weekday() - number - 1) % 7 + 1)
    else:
        day = after - DAY + timedelta(days=(number - (after - DAY).weekday() - 1) % 7 + 1)
    return When(day, day + DAY, "day", "", when.repeats)


def _unit_beside(unit: str, first: date, after: date, way: int, when: When) -> When | None:
    """The week of a day is the calendar's; the week before it are the seven days that end at it."""
    if unit == "weekend":
        saturday = (
            first - timedelta(days=first.weekday() - 5) + way * 7 * DAY * (way >= 0 or first.weekday() < 5)
        )
        return When(saturday, saturday + 2 * DAY, "weekend", "", when.repeats)
    if way == 0:
        if unit != "week" or when.kind != "day":
            return None
        monday = first - timedelta(days=first.weekday())
        return When(monday, monday + 7 * DAY, "week", "", when.repeats)
    if way < 0:
        return When(on(first, unit, -1), first, "days", "", when.repeats)
    return When(after, on(after, unit, 1), "days", "", when.repeats)


def _opened(text: str, found: Found) -> Found:
    """Since, after, before, until it."""
    match = _OPEN.search(text, max(0, found.start - _REACH), found.start)
    closed = _CLOSED.match(text, found.end)
    if match is None and closed is None:
        return found
    names = {name for one in (match, closed) if one for name, value in one.groupdict().items() if value}
    when = _open_ended(found.when, names)
    if when is None:
        return found
    return Found(match.start() if match else found.start, closed.end() if closed else found.end, when)


def _open_ended(when: When, names: set[str]) -> When | None:
    if names & {"since", "han_since", "onward"}:
        return _from(when.first)
    if "after" in names:
        return _from(when.after)
    if "before" in names:
        return _to(when.first)
    # By Friday is by the coming one.
    ahead = 7 * DAY if when.repeats == "weekly" else 0 * DAY
    return _to(when.after and when.after + ahead)


def _from(day: date | None) -> When | None:
    return None if day is None else When(day, None, "since")


def _to(day: date | None) -> When | None:
    return None if day is None else When(None, day, "before")
