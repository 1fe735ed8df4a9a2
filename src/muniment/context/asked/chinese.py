"""Stretches of time as Chinese names them, each by itself; `times` joins what belongs together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

from muniment.assertions.calendar import resolve
from muniment.context.asked.when import (
    DAY,
    FEW,
    UNITS,
    Found,
    Kind,
    Place,
    When,
    ago,
    edge_of,
    latest_season,
    on,
    recent,
    rolling,
    season,
    span,
)
from muniment.domain.regex import regex

__all__ = ["chinese"]

_HAN = {han: number for number, han in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_YEARS = {"去": -1, "今": 0, "本": 0, "前": -2, "明": 1, "后": 2, "大前": -3}
_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_NAMED = {
    "大前天": -3, "前天": -2, "前晚": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1,
    "今天": 0, "今日": 0, "今晚": 0,
    "今早": 0, "今晨": 0, "明天": 1, "明日": 1, "明晚": 1, "明早": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_PLACES: Mapping[str, Place] = {
    "初": "early", "上旬": "early", "中": "mid", "中旬": "mid", "底": "late", "末": "late", "下旬": "late",
}  # fmt: skip
_HOLIDAYS = {
    "元旦": (1, 1, 1), "五一": (5, 1, 5), "劳动节": (5, 1, 5), "国庆": (10, 1, 7),
    "双十一": (11, 11, 1), "圣诞": (12, 24, 3),
}  # fmt: skip
_DIGITS = "零〇一二三四五六七八九"
# Of the same years as in figures: any other is a number, or no year that a calendar has.
_HAN_YEAR = rf"(?:一九|二[零〇])[{_DIGITS}]{{2}}"
_12 = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_31 = (
    r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?"
    r"|[一二三四五六七八九])"
)
_FULL_YEAR = rf"(?:(?P<y>(?:19|20)\d\d|{_HAN_YEAR}) ?|(?P<rel>大前|[去今本前明后]))年(?:度)?"
# Two digits are a year before a month.
_YEAR = (
    rf"(?:(?P<y>(?:19|20)\d\d|{_HAN_YEAR}|(?<!\d)\d\d(?=年 ?\d)) ?|(?P<rel>大前"
    rf"|[去今本前明后]))年(?:的|度)? ?"
)
_COUNT = r"(?:\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九半几数]|好几)"
_UNIT = r"(?P<unit>天|日|周|星期|礼拜|季度|年|(?<=个)月)"
_PLACE = "初|末|底|[上中下]旬|中(?![国文英学])"
# Without any of these a text names no time.
_ANY = regex("[天日周月年季晚早末来期近夜晨旦庆诞]|星期|礼拜|五一|双十一|劳动节|这段|前段|阵子")
_Read = Callable[[re.Match[str], date], "When | None"]


def chinese(text: str, today: date) -> Iterator[Found]:
    """Every stretch of time that Chinese words in the text name; they may overlap, the surest first."""
    if not _ANY.search(text):
        return
    for pattern, read in _READINGS.items():
        for match in pattern.finditer(text):
            when = read(match, today)
            if when is not None:
                yield Found(match.start(), match.end(), when)


def _number(written: str) -> int:
    """十二 is twelve, 二十 twenty, 三十一 thirty-one."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (_HAN[tens] if tens else 1 if ten else 0) * 10 + (_HAN[ones] if ones else 0)


def _year_of(match: re.Match[str], today: date) -> int | None:
    if match["rel"]:
        return today.year + _YEARS[match["rel"]]
    if match["y"] is None:
        return None
    year = int("".join(one if one.isdecimal() else str(_HAN[one]) for one in match["y"]))
    return year + 2000 if year < 100 else year


def _month(match: re.Match[str], today: date) -> When | None:
    """三月, 去年3月5日, 2024年3月底."""
    year, month = _year_of(match, today), _number(match["m"])
    value = f"{year or '-'}-{month:02}" + (f"-{_number(match['d']):02}" if match["d"] else "")
    when = span(value, today, "day" if match["d"] else "month", "never" if year else "yearly")
    return edge_of(when, _PLACES[match["place"]]) if when is not None and match["place"] else when


def _days_of(match: re.Match[str], today: date) -> When | None:
    """3月5日至8日."""
    year, month = _year_of(match, today), _number(match["m"])
    values = [f"{year or '-'}-{month:02}-{_number(match[name]):02}" for name in ("d", "d2")]
    first, last = (resolve(value, today, "behind") for value in values)
    if first is None or last is None or last.after <= first.first:
        return None
    return When(first.first, last.after, "between", "", "never" if year else "yearly")


def _year(match: re.Match[str], today: date) -> When | None:
    year = _year_of(match, today)
    if year is None:
        return None
    when = When(date(year, 1, 1), date(year + 1, 1, 1), "year")
    return edge_of(when, _PLACES[match["place"]]) if match["place"] else when


def _part_of_year(match: re.Match[str], today: date) -> When | None:
    """A quarter by its number, or a half: 第三季度, 去年上半年."""
    found = match.groupdict()
    length = 3 if found.get("q") else 6
    number = _number(found["q"]) if found.get("q") else 1 + "上下".index(match["half"])
    year = _year_of(match, today)
    first = date(year or today.year, 1 + length * (number - 1), 1)
    if year is None and first > today:
        first = first.replace(year=today.year - 1)
    kind: Kind = "quarter" if length == 3 else "half"
    return When(first, on(first, "month", length), kind, "", "yearly" if year is None else "never")


def _season(match: re.Match[str], today: date) -> When:
    year = _year_of(match, today)
    days = latest_season(match["season"], today) if year is None else season(match["season"], year)
    return When(days.first, days.after, "season", "", "yearly" if year is None else "never")


def _stepped(match: re.Match[str], today: date) -> When | None:
    """上季度, 本周, 上上个月, 下个月初."""
    step, unit = _STEPS[match["step"]], UNITS[match["unit"]]
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + 7 * step * DAY
        return When(monday, monday + 7 * DAY, "week")
    first = on(today.replace(day=1), "month", step * (3 if unit == "quarter" else 1))
    kind: Kind = "quarter" if unit == "quarter" else "month"
    if unit == "quarter":
        first = first.replace(month=first.month - (first.month - 1) % 3)
    when = When(first, on(first, unit, 1), kind)
    return edge_of(when, _PLACES[match["place"]]) if match["place"] else when


def _stepped_day(match: re.Match[str], today: date) -> When | None:
    """上个月5号."""
    month = on(today.replace(day=1), "month", _STEPS[match["step"]])
    return span(f"{month:%Y-%m}-{_number(match['d']):02}", today, "day")


def _weekday(match: re.Match[str], today: date) -> When | None:
    """上周五 is Friday of last week, 周五 the latest one."""
    weekday = "一二三四五六日天".index(match["weekday"])
    if not match["step"]:
        return span(f"relative:{match[0]}", today, "day", "weekly")
    day = today - timedelta(days=today.weekday() - min(weekday, 6)) + 7 * _STEPS[match["step"]] * DAY
    return When(day, day + DAY, "day")


def _weekend(match: re.Match[str], today: date) -> When:
    saturday = today - timedelta(days=today.weekday() - 5) + 7 * _STEPS[match["step"] or "这"] * DAY
    if not match["step"] and saturday > today:
        saturday -= 7 * DAY
    return When(saturday, saturday + 2 * DAY, "weekend", "", "never" if match["step"] else "weekly")


def _named(match: re.Match[str], today: date) -> When:
    day = today + timedelta(days=_NAMED[match[0]])
    return When(day, day + DAY, "day")


def _count(written: str) -> tuple[int, int]:
    return FEW if written[-1] in "几数" else (_number(written), _number(written))


def _ago(match: re.Match[str], today: date) -> When | None:
    """两周前, 三个月以前, 半年前, 几天前."""
    unit = UNITS[match["unit"]]
    if match["n"] == "半":
        months, days = (6, 6), (15, 15)
        return ago(today, "month", *months) if unit == "year" else ago(today, "day", *days)
    fewest, most = _count(match["n"])
    return ago(today, unit, fewest, most) if fewest else None


def _rolling(match: re.Match[str], today: date) -> When | None:
    unit, way = UNITS[match["unit"]], 1 if match["way"][0] in "未接" else -1
    if match["n"] == "半":
        return rolling(today, "month", 6 * way) if unit == "year" else rolling(today, "day", 15 * way)
    return rolling(today, unit, way * _count(match["n"])[1])


def _recent(match: re.Match[str], today: date) -> When:
    del match
    return recent(today)


def _of_this(match: re.Match[str], today: date) -> When | None:
    """月底, 年初, 季度末: this month's, year's, quarter's."""
    unit = UNITS[match["unit"]]
    when = span(f"relative:this {unit}", today, "days")
    return None if when is None else edge_of(when, _PLACES[match["place"]])


def _holiday(match: re.Match[str], today: date) -> When | None:
    month, day, length = _HOLIDAYS[match["holiday"]]
    year = _year_of(match, today)
    found = span(f"{year or '-'}-{month:02}-{day:02}", today, "day")
    if found is None or found.first is None:
        return None
    return When(found.first, found.first + length * DAY, "days", "", "never" if year else "yearly")


_STEP = r"(?P<step>上上|下下|[上本下]|(?<!到)这)"
_NO_NUMBER = rf"(?<![\d{_DIGITS}十第个每两几.])"
_READINGS: Mapping[re.Pattern[str], _Read] = {
    regex(rf"(?:{_YEAR})?{_NO_NUMBER}(?P<m>{_12}) ?月 ?(?P<d>{_31}) ?[日号]? ?(?:-|–|—|~|至"
        rf"|到) ?(?P<d2>{_31}) ?[日号]"): (
        _days_of
    ),
    regex(
        rf"(?:{_YEAR})?{_NO_NUMBER}(?P<m>{_12}) ?月(?:份|(?=\D|$))? ?(?:(?P<d>{_31}) ?[日号](?!楼|线|机"
        rf"|店))?(?P<place>{_PLACE})?"
    ): _month,
    regex(rf"(?:{_YEAR})?(?:第"
        rf"|(?<![{_DIGITS}十第个每两几])(?=[一二三四]))(?P<q>[一二三四1-4]) ?季度?"): _part_of_year,
    regex(rf"{_YEAR}Q(?P<q>[1-4])"): _part_of_year,
    regex(rf"(?:{_YEAR})?(?P<half>[上下])半年"): _part_of_year,
    regex(rf"(?:{_YEAR})?(?P<season>[春夏秋冬])[天季]"): _season,
    regex(rf"{_STEP}一?个?(?P<unit>周|星期|礼拜)(?!期|转|边"
        rf"|[一二三四五六日天末])(?P<place>)"): _stepped,
    regex(rf"{_STEP}一?个?(?P<unit>季度|月)(?!\d"
        rf"|[一二三四五六七八九十]+[日号])份?(?P<place>{_PLACE})?"): _stepped,
    regex(rf"{_STEP}一?个?月 ?(?P<d>{_31}) ?[日号]"): _stepped_day,
    regex(rf"(?:{_STEP}个?)?(?<!每)(?<!每个)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])(?!期|鸣"
        rf"|\d)"): _weekday,
    regex(rf"(?:{_STEP}一?个?)?(?<!每)(?<!每个)周末(?!考)"): _weekend,
    regex("|".join(sorted(_NAMED, key=len, reverse=True))): _named,
    regex(rf"(?P<n>{_COUNT}) ?多?个?{_UNIT}(?:之前|以前|前(?![端台期往提景瞻沿任]))"): _ago,
    regex(rf"(?P<way>最近|过去|近|未来|接下来|这)的?(?P<n>{_COUNT}) ?个?{_UNIT}"): _rolling,
    regex(rf"(?<!离我)(?<!离)(?<!距离)最近(?!一次|的?(?:地铁|医院|车站|办公|餐厅|机场|酒店|路|门店"
        rf"|银行|{_COUNT} ?个?[天日周星礼季年月]))|近期|近来|近日|(?:前|这)(?:段时间|阵子)"): (
        _recent
    ),
    regex(rf"(?:{_YEAR})?(?P<holiday>{'|'.join(_HOLIDAYS)})(?!路)"): _holiday,
    regex(rf"(?<![{_DIGITS}\d十上下本这去今明前])(?<!个)(?P<unit>月|年"
        rf"|季度)(?P<place>[初底末])"): _of_this,
    regex(rf"{_FULL_YEAR}(?!级|代|龄|会议室)年?(?P<place>[初底末]|中(?![国文英学]))?"): _year,
}  # fmt: skip
