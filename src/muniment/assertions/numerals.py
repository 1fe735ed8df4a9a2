"""Terms with a digit in them: amounts, percentages, durations, counts, numbers and identifiers."""

from __future__ import annotations

import re

from muniment.assertions.numbers import EDGE, HAN_NUMBER, NUMBER, RANGE, normal_range
from muniment.domain.regex import regex

__all__ = [
    "AMOUNT", "BARE", "COUNT", "DURATION", "IDENTIFIER", "PERCENT", "SPELLED_WORDS",
    "normal_amount", "normal_bare", "normal_count", "normal_duration", "normal_identifier", "normal_percent",
]  # fmt: skip

_CODES = {
    "EUR": "EUR",
    "USD": "USD",
    "GBP": "GBP",
    "CNY": "CNY",
    "RMB": "CNY",
    "JPY": "JPY",
    "CHF": "CHF",
    "INR": "INR",
    "SGD": "SGD",
    "HKD": "HKD",
    "AUD": "AUD",
    "CAD": "CAD",
    "SEK": "SEK",
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "人民币": "CNY",
    "EURO": "EUR",
    "EUROS": "EUR",
    "DOLLARS": "USD",
    "DOLLAR": "USD",
    "YUAN": "CNY",
    "欧元": "EUR",
    "美元": "USD",
    "英镑": "GBP",
    "日元": "JPY",
    "港元": "HKD",
    "元": "CNY",
    "块": "CNY",
}
_SCALES = {
    "k": 10**3,
    "thousand": 10**3,
    "千": 10**3,
    "万": 10**4,
    "m": 10**6,
    "mn": 10**6,
    "million": 10**6,
    "亿": 10**8,
    "bn": 10**9,
    "b": 10**9,
    "billion": 10**9,
}
_CODE = r"EUR|USD|GBP|CNY|RMB|JPY|CHF|INR|SGD|HKD|AUD|CAD|SEK"
_SCALE = r"(?: ?(?:k|thousand|mn|million|m|bn|billion|b)(?![A-Za-z])| ?[万亿千])"
_HAN_MONEY = r"欧元|美元|英镑|日元|港元|元(?![素件组数])|块(?=$|[，。钱])"
AMOUNT = regex(
    rf"(?<![A-Za-z0-9])(?P<c1>US\$|[$€£¥￥]|(?:{_CODE}|人民币)(?= ?\d)) "
    f"?(?P<n1>{RANGE})(?P<s1>{_SCALE})?(?:元)?(?![A-Za-z0-9])"
    f"|{EDGE}(?P<n2>{RANGE})(?P<s2>{_SCALE})? ?(?P<c2>(?:{_CODE}|euros?|dollars?|yuan|€)(?![A-Za-z])"
    f"|{_HAN_MONEY})",
    re.IGNORECASE,
)
PERCENT = regex(
    rf"{EDGE}(?P<n>{RANGE}) ?(?:[%％]|per ?cent\b)|百分之(?P<h>{NUMBER}|[一二两三四五六七八九十]{{1,3}})",
    re.IGNORECASE,
)
_UNITS = {
    "ms": "millisecond",
    "毫秒": "millisecond",
    "s": "second",
    "sec": "second",
    "秒": "second",
    "min": "minute",
    "mins": "minute",
    "分钟": "minute",
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "小时": "hour",
    "天": "day",
    "周": "week",
    "星期": "week",
    "月": "month",
    "年": "year",
    "季度": "quarter",
    "工作日": "business day",
    "working day": "business day",
}
_SPELLED = "one|two|three|four|five|six|seven|eight|nine|ten|twelve"
DURATION = regex(
    rf"{EDGE}(?P<n1>{RANGE}|(?<![-'])\b(?:{_SPELLED})\b)[ -]?"
    r"(?:(?:calendar|consecutive|full)[ -])?(?P<u1>milliseconds?|ms"
    "|seconds?|secs?"
    "|minutes?|mins?"
    "|hours?|hrs?|(?:(?:business|working)[ -])?days?|weeks?|months?|quarters?|years?"
    r"|(?<=\d)[sh])(?![A-Za-z0-9])"
    rf"|(?<![\d.第])(?P<n2>{RANGE}|(?<![十一二三四五六七八九周期]){HAN_NUMBER}) ?个?(?P<u2>毫秒|秒|分钟"
    "|小时|工作日|天(?!气)"
    r"|周(?![一二三四五六日末年])|星期(?![一二三四五六日])|(?<=个)月|季度|年(?![级底代\d]))",
    re.IGNORECASE,
)
# Names of standards look like ticket keys.
_NOT_KEYS = frozenset(
    "UTF SHA ISO COVID UTC GMT MD HTTP TLS AES GPT RSA IEEE RFC TOP CP ASCII LATIN EN US P ANSI FIPS NIST "
    "EO SF GS".split()
)
IDENTIFIER = regex(
    r"(?<![\w/.-])(?P<key>[A-Z][A-Z0-9]{1,9}-\d{1,7}(?:-\d{1,7})?)(?![\w-])"
    r"|\b(?P<paper>(?:PEP|RFC|CVE) \d{1,5})\b"
    r"|(?<![\w/.-])(?P<version>v\d{1,4}(?:\.\d{1,5}){0,3}|\d{1,4}\.\d{1,5}\.\d{1,5})(?:[-.]?(?:rc|beta"
    r"|alpha)\.?\d{0,3})?(?![\w.-]*\d)"
    r"|(?<![\w/.-])(?P<code>[EX]\d{3,6})(?!\w)"
    r"|(?<![\w/.#-])(?P<issue>#\d{1,7})(?!\w)"
    r"|(?<![\w/.@-])(?P<host>[a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){1,4}(?<=\d))(?![\w-])"
    r"|(?<![\w/.-])(?P<hash>(?=[0-9a-f]{0,40}[a-f])(?=[a-f]{0,40}\d)[0-9a-f]{7,40})(?!\w)"
)
_NOT_UNITS = (
    "is|was|has|this|its|as|us|does|times|plus|minus|per|thus|versus|always|perhaps|across|besides|towards"
    "|unless|less"
)
COUNT = regex(
    rf"{EDGE}(?P<n1>-?{RANGE}) (?P<u1>(?!(?:{_NOT_UNITS})\b)(?:[a-z]{{2,18}}s|people|staff|MB|GB|TB|KB|rps"
    "|qps|[KMGT]iB))(?![A-Za-z-])"
    "(?P<r1>(?:/| per | a | an | each )(?:second|minute|hour|day|night|week|month|quarter|year|user|seat"
    r"|person|request)\b|/s\b|/min\b)?"
    rf"|{EDGE}(?P<n3>{NUMBER})(?P<u3>MB|GB|TB|KB|rps|qps|[KMGT]iB)(?![A-Za-z])"
    rf"|{EDGE}(?P<n2>{RANGE}) ?(?P<u2>[个条次人台件份笔项名套页][^\W\d_]?)",
)
BARE = regex(rf"{EDGE}-?{NUMBER}(?![\w%°)）]|[.,:/-]\d)")
SPELLED_WORDS = frozenset(_SPELLED.split("|"))
_HAN = regex(r"[\u4e00-\u9fff]")
_RATE = {"/s": "/second", "/min": "/minute"}
_RATE_WORD = regex(r" per | an? | each ")


def normal_amount(match: re.Match[str]) -> str:
    """Currency code, space, number."""
    written = (match["c1"] or match["c2"]).upper()
    scale = (match["s1"] or match["s2"] or "").strip().lower()
    # ¥ is yuan in a Chinese sentence; elsewhere it may be yen, and stays as written.
    currency = ("CNY" if _HAN.search(match.string) else "¥") if written in "¥￥" else _CODES[written]
    return f"{currency} {normal_range(match['n1'] or match['n2'], _SCALES.get(scale, 1))}"


def normal_percent(match: re.Match[str]) -> str:
    """The number and a percent sign."""
    return f"{normal_range(match['n'] or match['h'])}%"


def normal_duration(match: re.Match[str]) -> str:
    """The number and its unit in full: weeks stay weeks, for five of them may be 25 working days."""
    unit = (match["u1"] or match["u2"]).lower().replace("-", " ")
    unit = _UNITS.get(unit, unit)
    unit = _UNITS.get(unit.removesuffix("s"), unit.removesuffix("s"))
    number = normal_range(match["n1"] or match["n2"])
    return f"{number} {unit}{'' if number == '1' else 's'}"


def normal_identifier(match: re.Match[str]) -> str | None:
    """As written, a version without its v; None for the names of standards."""
    if match["key"] and match["key"].partition("-")[0] in _NOT_KEYS:
        return None
    return match[0].removeprefix("v") if match["version"] else match[0]


def normal_count(match: re.Match[str]) -> str:
    """The number, what is counted, and per what."""
    if match["u3"]:
        return f"{normal_range(match['n3'])} {match['u3']}"
    rate = _RATE_WORD.sub("/", match["r1"] or "")
    return f"{_signed(match['n1'] or match['n2'])} {match['u1'] or match['u2']}{_RATE.get(rate, rate)}"


def normal_bare(match: re.Match[str]) -> str:
    """The number alone."""
    return _signed(match[0])


def _signed(number: str) -> str:
    return f"-{normal_range(number[1:])}" if number[0] == "-" else normal_range(number)
