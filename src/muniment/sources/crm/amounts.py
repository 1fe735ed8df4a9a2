"""Amounts with their currency, and dates, as exports write them. What can be read two ways stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, time, tzinfo
from decimal import Decimal
from typing import Final, NamedTuple

from muniment.domain.regex import regex
from muniment.domain.times import format_instant, local_instant
from muniment.sources.wire import told

__all__ = ["Amount", "amount_of", "date_of", "day_of"]

_SIGNS: Final[Mapping[str, str]] = {
    "€": "EUR",
    "£": "GBP",
    "CN¥": "CNY",
    "US$": "USD",
    "人民币": "CNY",
    "₹": "INR",
}
_CODE: Final = regex(r"(?<![A-Z])([A-Z]{3})(?![A-Z])")
_PLAIN: Final = regex(r"-?\d{1,15}(?:\.\d{1,2}0{0,6})?\Z", re.ASCII)
_ENGLISH: Final = regex(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z", re.ASCII)
_CONTINENTAL: Final = regex(r"-?\d{1,3}(?:[.\u00a0\u202f ']\d{3})+(?:,\d+)?\Z|-?\d+,\d{1,2}\Z", re.ASCII)


class Amount(NamedTuple):
    """As it is told, its number where it can be read in one way alone, and its currency where it has one."""

    said: str
    number: Decimal | None
    currency: str | None


def amount_of(said: str, currency: str | None = None) -> Amount:
    """An amount: `184000`, `€184,000.00`, `184.000,00 EUR`. `1.234` may be either and stays as it is."""
    text = said.strip()
    code = (currency or "").strip().upper() or None
    code = code if code and re.fullmatch(r"[A-Z]{3}", code) else None
    for sign, meant in _SIGNS.items():
        if sign in text:
            text, code = text.replace(sign, "").strip(), code or meant
            break
    if (found := _CODE.search(text)) is not None:
        text, code = (text[: found.start()] + text[found.end() :]).strip(), code or found[1]
    number = _number(text)
    told_as = f"{number:,f}" if number is not None else text
    return Amount(f"{code} {told_as}" if code else told_as, number, code)


def _number(text: str) -> Decimal | None:
    if _PLAIN.match(text):
        plain = text
    elif _ENGLISH.match(text) and (text.count(",") > 1 or "." in text or len(text.replace(",", "")) > 5):
        plain = text.replace(",", "")
    elif _CONTINENTAL.match(text) and ("," in text or len(re.findall(r"[.\s']", text)) > 1):
        plain = re.sub(r"[.\s']", "", text).replace(",", ".")
    else:
        return None
    number = Decimal(plain)
    whole = number == number.to_integral_value()
    return number.quantize(Decimal(1)) if whole else number.quantize(Decimal("0.01"))


_DAY_FIRST: Final = ("%d.%m.%Y", "%d.%m.%y")
_YEAR_FIRST: Final = ("%Y-%m-%d", "%Y/%m/%d", "%Y年%m月%d日")
_CLOCKS: Final = ("", " %H:%M:%S", " %H:%M", " %I:%M %p", ", %H:%M", " %I:%M:%S %p")
_SLASHED: Final = regex(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?!\d)", re.ASCII)


def date_of(said: str | None, zone: tzinfo, order: str | None) -> str | None:
    """The instant a date and clock name; None where they name none, or one of two.

    `order` is `dmy` or `mdy`, for dates such as 03/06/2026.
    """
    text = " ".join((said or "").split())[:60]
    if not text:
        return None
    for form in (*_YEAR_FIRST, *_DAY_FIRST, *_slashed(text, order)):
        for clock in _CLOCKS:
            try:
                wall = datetime.strptime(text, form + clock)  # noqa: DTZ007  # its zone is the export's
                return format_instant(local_instant(wall.date(), wall.time(), zone)[0])
            except (ValueError, OverflowError):
                continue
    return told.instant({"at": _as_instant(text)}, "at")


def _as_instant(text: str) -> str | int:
    """Salesforce's exports write a blank and no colon; HubSpot's properties are milliseconds since 1970."""
    if text.isascii() and text.isdecimal() and 11 <= len(text) <= 14:
        return int(text)
    return text.replace(" ", "T", 1) if re.match(r"\d{4}-\d\d-\d\d \d", text) else text


def _slashed(text: str, order: str | None) -> tuple[str, ...]:
    match = _SLASHED.match(text)
    if match is None:
        return ()
    first, second = int(match[1]), int(match[2])
    if order is None and first <= 12 and second <= 12 and first != second:
        return ()
    day_first = order == "dmy" if first <= 12 and second <= 12 else first > 12
    mark, year = text[len(match[1])], "%Y" if len(match[3]) == 4 else "%y"
    return (mark.join(("%d", "%m", year) if day_first else ("%m", "%d", year)),)


def day_of(said: str, zone: tzinfo, order: str | None) -> str:
    """A date as it is told in a text: its day, where no clock is said and it can be read in one way alone."""
    found = date_of(said, zone, order)
    if found is None:
        return said.strip()
    wall = datetime.fromisoformat(found).astimezone(zone)
    return (
        f"{wall:%Y-%m-%d}" if wall.time() == time(0) or said.strip().isdecimal() else f"{wall:%Y-%m-%d %H:%M}"
    )
