"""An appointment as an item: when, where, how it repeats, who was asked and what they said.

A series is one item and each occurrence that differs is one of its own: nothing is unrolled without end.
A private appointment is for whoever called it and who was asked; no other word widens that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final, NamedTuple

from muniment.domain.times import format_instant, local_instant
from muniment.sources.calendar.repeating import in_words, occurrences
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.stamps import sortable_time

__all__ = ["Setting", "events_of"]

_FAULTS: Final = (ValueError, KeyError, TypeError, AttributeError, OverflowError)
_MOST_ATTENDEES: Final = 500
_MOST_DATES: Final = 50
_LONGEST_UID: Final = 300
_STATES: Final = {"CONFIRMED": "confirmed", "TENTATIVE": "tentative", "CANCELLED": "cancelled"}


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for all of a calendar: who hands it in, and the zone of times that name none."""

    source: str
    importer: str
    zone: tzinfo
    written: datetime
    attendees_read: bool
    method: str | None = None
    account: str | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """Somebody who was asked, or who asks."""

    name: str | None
    address: str | None
    answer: str | None = None

    @property
    def label(self) -> str:
        return self.name or self.address or "?"

    @property
    def principal(self) -> str:
        return f"user:{self.address}" if self.address else self.label


@dataclass(frozen=True, slots=True)
class _Moment:
    """A time on a clock, with the instant it is; a day where that is all that is said."""

    said: str
    at: datetime
    zone: str
    is_day: bool


class _Place(NamedTuple):
    """Which item it is, of which series, when it was changed, and what orders its versions."""

    id: str
    thread: str
    changed: str
    order: str


def events_of(event: Any, setting: Setting, origin: str) -> Iterator[Parsed]:
    """The item, and its state where that is more than that it stands."""
    uid = " ".join(_text(event, "UID").split())
    start = _moment(event, "DTSTART", setting)
    if not uid:
        yield Unread(origin, _shown(event), "it has no UID")
        return
    original = _moment(event, "RECURRENCE-ID", setting)
    id_ = _id(uid) if original is None else f"{_id(uid)}/{format_instant(original.at)}"
    changed, order = _order(event, setting)
    is_cancelled = setting.method == "CANCEL" or _text(event, "STATUS").upper() == "CANCELLED"
    if setting.method != "CANCEL":
        if start is None:
            yield Unread(origin, _shown(event), "it does not say when it begins")
            return
        yield _item(event, setting, _Place(id_, _id(uid), changed, order), start)
    state = "cancelled" if is_cancelled else _STATES.get(_text(event, "STATUS").upper())
    if is_cancelled or (state == "confirmed" and order[:6] != "000000"):
        yield {
            "source": setting.source, "id": id_, "op": "close", "at": changed, "state": state,
            "version": f"{order}~",
        }  # fmt: skip


def _item(event: Any, setting: Setting, place: _Place, start: _Moment) -> Event:
    organiser, asked = _people(event)
    end = _last_day(_moment(event, "DTEND", setting), start) or _after(event, start)
    title = _text(event, "SUMMARY").strip() or None
    body, is_cut = told.clipped("\n".join(_lines(event, setting, start, end, organiser, asked)))
    said: dict[str, object] = {
        "source": setting.source,
        "id": place.id,
        "op": "upsert",
        "kind": "calendar",
        "at": place.changed,
        "title": title,
        "body": body,
        "author": f"user:{organiser.address}" if organiser and organiser.address else None,
        "author_name": organiser.name if organiser else None,
        "thread": place.thread,
        "participants": list(
            dict.fromkeys(one.principal for one in (*([organiser] if organiser else []), *asked))
        ),
        "url": _text(event, "URL").strip() or None,
        "timezone": start.zone or None,
        "account": setting.account,
        "audience": _audience(event, setting, organiser, asked),
        "metadata": {
            **_metadata(event, start, end, asked, _dates(event, "EXDATE", setting)),
            **({"truncated": True} if is_cut else {}),
        },
    }
    present = {key: value for key, value in said.items() if value not in (None, [])}
    apart = {key: value for key, value in present.items() if key != "at"}
    print_ = hashlib.sha256(repr(sorted(apart.items())).encode("utf-8", "replace")).hexdigest()[:12]
    return {**present, "version": f"{place.order}.{print_}"}


def _lines(
    event: Any, setting: Setting, start: _Moment, end: _Moment | None, organiser: _Asked | None,
    asked: Sequence[_Asked],
) -> Iterator[str]:  # fmt: skip
    yield f"When: {_span(start, end)}"
    if where := " ".join(_text(event, "LOCATION").split()):
        yield f"Where: {where}"
    if rule := _rule(event):
        yield f"Repeats: {in_words(rule)}"
    if except_ := _dates(event, "EXDATE", setting):
        yield f"Except: {', '.join(except_)}"
    if also := _dates(event, "RDATE", setting):
        yield f"Also: {', '.join(also)}"
    if organiser is not None:
        yield f"Organiser: {organiser.label}"
    if asked:
        yield "Attendees: " + ", ".join(_answered(one) for one in asked)
    if description := _text(event, "DESCRIPTION").strip():
        yield ""
        yield description


def _answered(one: _Asked) -> str:
    return f"{one.label} ({one.answer})" if one.answer else one.label


def _span(start: _Moment, end: _Moment | None) -> str:
    zone = f" ({start.zone})" if start.zone else ""
    if end is None or end.at <= start.at or end.said == start.said:
        return f"{start.said}{zone}"
    same_day = not start.is_day and end.said[:10] == start.said[:10]
    return f"{start.said} to {end.said[11:] if same_day else end.said}{zone}"


def _metadata(
    event: Any, start: _Moment, end: _Moment | None, asked: Sequence[_Asked], never: Sequence[str]
) -> dict[str, object]:
    rule = _rule(event)
    next_ = [one for one in occurrences(rule, start.said) if one not in never] if rule else []
    answers = {one.address or one.label: one.answer for one in asked if one.answer}
    return {
        "start": format_instant(start.at),
        **({"end": format_instant(end.at)} if end is not None else {}),
        **({"all_day": True} if start.is_day else {}),
        **({"floating": True} if not start.zone and not start.is_day else {}),
        **({"answers": answers} if answers else {}),
        **({"rule": rule, "occurrences": next_} if rule else {}),
        **({"class": kept} if (kept := _text(event, "CLASS").strip().casefold()[:50]) else {}),
    }


def _audience(
    event: Any, setting: Setting, organiser: _Asked | None, asked: Sequence[_Asked]
) -> list[list[str]] | None:
    """Who called it and was asked, where it is private or somebody chose so; else the importer's choice."""
    is_private = _text(event, "CLASS").strip().upper() not in ("", "PUBLIC")
    if not is_private and not setting.attendees_read:
        return None
    people = [one for one in (organiser, *asked) if one is not None and one.address]
    return [list(dict.fromkeys(one.principal for one in people)) or [setting.importer]]


# Reading properties


def _text(event: Any, name: str) -> str:
    found = event.get(name)
    if isinstance(found, list):
        found = found[0] if found else None
    return "" if found is None else str(found).replace("\0", "").encode("utf-8", "replace").decode()


def _id(uid: str) -> str:
    if uid.startswith("@") or len(uid.encode()) > _LONGEST_UID:
        return f"uid-{hashlib.sha256(uid.encode()).hexdigest()[:32]}"
    return uid


def _order(event: Any, setting: Setting) -> tuple[str, str]:
    """When it was changed, and what orders its versions: the organiser's count, then that time."""
    try:
        sequence = min(max(int(_text(event, "SEQUENCE") or 0), 0), 999_999)
    except ValueError:
        sequence = 0
    # What exports stamp is when they were made; only a message's own stamp says when it was sent.
    names = (
        ("LAST-MODIFIED", "DTSTAMP", "CREATED") if setting.method else ("LAST-MODIFIED", "CREATED", "DTSTAMP")
    )
    found = next((at for name in names if (at := _moment(event, name, setting))), None)
    changed = format_instant(found.at if found is not None else setting.written)
    return changed, f"{sequence:06d}.{sortable_time(changed)}"


def _moment(event: Any, name: str, setting: Setting) -> _Moment | None:
    found = event.get(name)
    try:
        return _read(getattr(found[0] if isinstance(found, list) else found, "dt", None), setting)
    except (*_FAULTS, IndexError):
        return None


def _read(found: object, setting: Setting) -> _Moment | None:
    if isinstance(found, datetime):
        if found.tzinfo is None:
            at, _ = local_instant(found.date(), found.time(), setting.zone)
            return _Moment(f"{found:%Y-%m-%d %H:%M}", at, _zone(setting.zone), is_day=False)
        return _Moment(f"{found:%Y-%m-%d %H:%M}", _checked(found), _zone(found.tzinfo), is_day=False)
    if isinstance(found, date):
        at, _ = local_instant(found, time(), setting.zone)
        return _Moment(f"{found:%Y-%m-%d}", _checked(at), _zone(setting.zone), is_day=True)
    return None


def _checked(at: datetime) -> datetime:
    """ValueError for a time that has no instant in UTC, or is before anybody kept calendars."""
    if not 1600 < at.year < 9999:
        raise ValueError(f"the year {at.year} is no appointment's")
    return at


def _zone(zone: tzinfo) -> str:
    name = str(getattr(zone, "key", None) or getattr(zone, "zone", None) or "")
    return name or ("UTC" if zone.utcoffset(None) is not None and not zone.utcoffset(None) else "")


def _last_day(end: _Moment | None, start: _Moment) -> _Moment | None:
    """The end; of whole days the last of them, for what is written is the day after it."""
    if end is None or not end.is_day or not start.is_day or end.at <= start.at:
        return end
    day = date.fromisoformat(end.said) - timedelta(days=1)
    return _Moment(f"{day:%Y-%m-%d}", end.at, end.zone, is_day=True)


def _after(event: Any, start: _Moment) -> _Moment | None:
    found = getattr(event.get("DURATION"), "dt", None)
    try:
        length = found if found is not None and found.days < 3660 else None
        if length is None:
            return None
        wall = datetime.fromisoformat(start.said) + length
        return _Moment(f"{wall:%Y-%m-%d %H:%M}", start.at + length, start.zone, is_day=False)
    except _FAULTS:
        return None


def _rule(event: Any) -> str:
    found = event.get("RRULE")
    try:
        one = found[0] if isinstance(found, list) else found
        return "" if one is None else one.to_ical().decode("utf-8", "replace")[:500]
    except (*_FAULTS, IndexError):
        return ""


def _dates(event: Any, name: str, setting: Setting) -> list[str]:
    found = event.get(name)
    listed = found if isinstance(found, list) else [] if found is None else [found]
    moments: list[str] = []
    for one in listed:
        for value in getattr(one, "dts", ()):
            try:
                moment = _read(getattr(value, "dt", None), setting)
            except _FAULTS:
                continue
            moments += [moment.said] if moment is not None else []
    return sorted(dict.fromkeys(moments))[:_MOST_DATES]


def _people(event: Any) -> tuple[_Asked | None, list[_Asked]]:
    organiser = next(iter(_addresses(event, "ORGANIZER")), None)
    return organiser, _addresses(event, "ATTENDEE")[:_MOST_ATTENDEES]


def _addresses(event: Any, name: str) -> list[_Asked]:
    found = event.get(name)
    listed = found if isinstance(found, list) else [] if found is None else [found]
    return [person for one in listed if (person := _person(one)) is not None]


def _person(said: Any) -> _Asked | None:
    text = " ".join(str(said).replace("\0", "").split())
    address = text[7:] if text.lower().startswith("mailto:") else text
    parameters = getattr(said, "params", {})
    name = told.name({"at": str(parameters.get("CN", "")).strip('"')}, "at")
    answer = str(parameters.get("PARTSTAT", "")).casefold().replace("-", " ")[:40]
    is_address = "@" in address and " " not in address and len(address) < 200
    if not is_address and name is None:
        return None
    return _Asked(name, address.casefold() if is_address else None, answer or None)


def _shown(event: Any) -> str:
    return repr(dict(event))[:2_000]
