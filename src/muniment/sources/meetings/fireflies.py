"""Fireflies' transcripts, as its GraphQL interface and its export give them: one reading for both."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from muniment.domain.times import parse_instant
from muniment.sources.meetings.meeting import Meeting
from muniment.sources.meetings.people import Person, apart, named
from muniment.sources.meetings.said import Utterance
from muniment.sources.meetings.sharing import Sharing
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["FIELDS", "meeting_of", "transcripts_in"]

FIELDS: Final = (
    "id title date duration host_email organizer_email participants transcript_url "
    "meeting_attendees { displayName email name } summary { overview action_items } "
    "sentences { index speaker_id speaker_name text start_time end_time }"
)


def transcripts_in(value: object) -> Iterator[object]:
    """The transcripts of an answer or export, however deep they lie."""
    for _ in range(4):
        if isinstance(value, dict):
            inside = [value[key] for key in ("data", "transcripts", "transcript") if key in value]
            if not inside or "id" in value:
                break
            value = inside[0]
    yield from value if isinstance(value, list) else (value,)


def meeting_of(found: Object, sharing: Sharing, changed: datetime) -> Meeting | str:
    """The meeting a transcript is of, or why it is none. When it changed it does not say."""
    id_ = told.name(found, "id")
    if id_ is None or id_.startswith("@"):
        return "it has no id"
    host = _address(told.text(found, "host_email")) or _address(told.text(found, "organizer_email"))
    people = _people(found)
    owner = next((one for one in people if one.address == host and host), Person(address=host))
    began = told.instant(found, "date") or told.instant(_number(found), "date")
    minutes = found.get("duration")
    length = (
        {"minutes": minutes}
        if isinstance(minutes, int | float) and not isinstance(minutes, bool) and math.isfinite(minutes)
        else {}
    )
    return Meeting(
        id=id_,
        title=told.text(found, "title"),
        seen=changed,
        changed=changed,
        started=parse_instant(began) if began else None,
        owner=owner,
        people=people,
        utterances=tuple(_spoken(found)),
        readers=sharing.readers(owner, people, ()),
        url=told.text(found, "transcript_url"),
        summary=_summary(found),
        metadata={"recorder": "fireflies", **length},
    )


def _number(found: Object) -> Object:
    """A date that is a number of milliseconds written as text."""
    said = told.text(found, "date") or ""
    return {"date": int(said)} if said.isascii() and said.isdecimal() and len(said) < 16 else {}


def _address(said: str | None) -> str | None:
    plain = (said or "").strip().casefold()
    return plain if "@" in plain and len(plain) < 200 and "\0" not in plain else None


def _people(found: Object) -> list[Person]:
    listed = [
        Person(told.name(one, "displayName") or told.name(one, "name"), _address(told.text(one, "email")))
        for one in told.listed(found, "meeting_attendees")
    ]
    known = {one.address for one in listed}
    raw = found.get("participants")
    others = raw if isinstance(raw, list) else []
    addresses = [
        address
        for one in others
        if isinstance(one, str)
        for part in one.split(",")
        if (address := _address(part)) and address not in known
    ]
    return [
        *(one for one in listed if one != Person()),
        *(Person(address=one) for one in dict.fromkeys(addresses)),
    ]


def _spoken(found: Object) -> Iterator[Utterance]:
    """Each sentence; who speaks is told apart by id where two go by one name."""
    lines = [one for one in told.listed(found, "sentences") if (told.text(one, "text") or "").strip()]
    called = apart((name, _voice(one)) for one in lines if (name := _name(one)))
    for one in lines:
        name = _name(one)
        speaker = called[name, _voice(one)] if name else None
        text = " ".join((told.text(one, "text") or "").split())
        yield Utterance(speaker, text, _seconds(one, "start_time"), _seconds(one, "end_time"))


def _name(line: Object) -> str | None:
    said = named(told.name(line, "speaker_name") or "")
    return said.name if said is not None else None


def _voice(line: Object) -> str:
    return told.name(line, "speaker_id") or ""


def _seconds(line: Object, name: str) -> float | None:
    found = line.get(name)
    try:
        value = float(found) if isinstance(found, int | float | str) and not isinstance(found, bool) else None
    except (ValueError, OverflowError):
        return None
    return value if value is not None and math.isfinite(value) and 0 <= value < 1e7 else None


def _summary(found: Object) -> str | None:
    parts = [told.text(found, "summary", name) for name in ("overview", "action_items")]
    return "\n\n".join(part for part in parts if part and part.strip()) or None
