"""When a statement holds, by its own words; and what its dates mean, counted from when it was said. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from muniment.assertions.calendar import Lean, resolve
from muniment.domain.assertions import Assertion, Kind, Term
from muniment.domain.regex import regex
from muniment.domain.times import format_instant, local_instant

__all__ = ["ENDS_FIRST", "Bounds", "Said", "bounds_of", "dated", "over", "resolve_term"]

NO_ZONE = "no zone is given; read in UTC"
ENDS_FIRST = "it would end before it starts"
_UNTOLD = "it cannot be told which day is meant"
_NOTES = {
    "gap": "the clock was put on past that time; taken as much later",
    "overlap": "the clock showed that time twice; the first was taken",
}
_ZONES = {"UTC": 0, "GMT": 0, "CET": 1, "CEST": 2, "EST": -5, "EDT": -4, "PST": -8, "PDT": -7}
_CLOCK = regex(r"(?P<day>.+)T(?P<h>\d\d):(?P<m>\d\d)(?: (?P<zone>[A-Z]{3,4}))?")
_BACK = regex(r"\bsince\b", re.IGNORECASE)
# What is promised, asked or seen says when something is to be done or was, not when it is so.
_TIMELESS = frozenset(
    {Kind.COMMITMENT, Kind.QUESTION, Kind.ATTEMPT, Kind.OBSERVATION, Kind.OBJECTION, Kind.SENSITIVITY}
)


@dataclass(frozen=True, slots=True)
class Said:
    """When words were said, and in which zone; None where nobody declared one."""

    at: datetime
    zone: tzinfo | None = None

    @property
    def day(self) -> date:
        """The day it was there."""
        return self.at.astimezone(self.zone or UTC).date()


@dataclass(frozen=True, slots=True)
class Bounds:
    """From when and until when words say that something holds; None says nothing."""

    start: datetime | None = None
    end: datetime | None = None


def dated(said: Assertion, when: Said) -> tuple[Assertion, Bounds]:
    """The statement with its dates resolved, and its own bounds."""
    terms = tuple(resolve_term(term, when) for term in said.terms)
    roles = [term for term in terms if term.value != said.value and said.kind not in _TIMELESS]
    bounds = bounds_of(roles)
    if bounds is None:
        terms = tuple(
            replace(one, note=ENDS_FIRST) if one.kind in ("effective", "until") else one for one in terms
        )
    return replace(said, terms=terms), bounds or Bounds()


def bounds_of(terms: Iterable[Term]) -> Bounds | None:
    """The first beginning and the first end among terms; None where they contradict each other."""
    found: dict[str, datetime] = {}
    for term in terms:
        if term.kind in ("effective", "until") and term.resolved is not None:
            found.setdefault(term.kind, datetime.fromisoformat(term.resolved))
    start, end = found.get("effective"), found.get("until")
    return None if start is not None and end is not None and end <= start else Bounds(start, end)


def over(own: Bounds, outer: Bounds) -> Bounds:
    """Its own bounds, and its document's where it gives none; its own alone where they don't fit."""
    start, end = own.start or outer.start, own.end or outer.end
    return own if start is not None and end is not None and end <= start else Bounds(start, end)


def resolve_term(term: Term, when: Said) -> Term:
    """The term with the day it means; a beginning or an end with its instant."""
    if term.kind not in ("date", "when", "due", "effective", "until") or term.note is not None:
        return term
    if match := _CLOCK.fullmatch(term.value):
        return _at_time(term, match, when)
    days = resolve(term.value, when.day, _lean(term))
    if days is None:
        return replace(term, note=_UNTOLD)
    if term.kind in ("date", "when"):
        return term if term.value == days.text else replace(term, resolved=days.text)
    if term.kind == "due":
        return replace(term, resolved=days.last.isoformat())
    return _instant(term, days.first if term.kind == "effective" else days.after, time(), when.zone)


def _lean(term: Term) -> Lean:
    if term.kind != "effective":
        return "ahead"
    if _BACK.search(term.text):
        return "behind"
    return "near" if term.value.startswith("--") else "ahead"


def _at_time(term: Term, match: re.Match[str], when: Said) -> Term:
    days = resolve(match["day"], when.day, _lean(term))
    if days is None:
        return replace(term, note=_UNTOLD)
    zone = when.zone if match["zone"] is None else timezone(timedelta(hours=_ZONES[match["zone"]]))
    return _instant(term, days.first, time(int(match["h"]), int(match["m"])), zone)


def _instant(term: Term, day: date, clock: time, zone: tzinfo | None) -> Term:
    try:
        at, fold = local_instant(day, clock, zone or UTC)
    except (ValueError, OverflowError):
        return replace(term, note=_UNTOLD)
    note = NO_ZONE if zone is None else _NOTES.get(fold or "")
    return replace(term, resolved=format_instant(at), note=note)
