"""Granola's notes, as its interface gives them and its export holds them: one reading for both.

It tells the microphone from the system's sound. The microphone is the owner's; everybody else is the system,
and who of them speaks is not known and not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from muniment.domain.times import parse_instant
from muniment.sources.meetings.meeting import Meeting
from muniment.sources.meetings.people import Person
from muniment.sources.meetings.said import Utterance
from muniment.sources.meetings.sharing import Sharing
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["meeting_of", "notes_in"]


def notes_in(value: object) -> Iterator[object]:
    """The notes of an export: a list of them, an object with one, or one alone."""
    if isinstance(value, list):
        yield from value
    elif isinstance(value, dict):
        inside = next((value[key] for key in ("notes", "documents", "data") if key in value), None)
        yield from inside if isinstance(inside, list) else (value,)


def meeting_of(note: Object, sharing: Sharing) -> Meeting | str:
    """The meeting a note is of, or why it is none."""
    id_ = told.name(note, "id")
    changed = told.instant(note, "updated_at") or told.instant(note, "created_at")
    if id_ is None or id_.startswith("@") or changed is None:
        return "it has no id, or no time with a zone"
    owner = _person(told.part(note, "owner"))
    people = [_person(one) for one in told.listed(note, "attendees")]
    began = told.instant(note, "calendar_event", "scheduled_start_time") or told.instant(
        note, "calendar_event", "start_time"
    )
    started = began or told.instant(note, "created_at")
    folders = [folder for one in told.listed(note, "folder_membership") if (folder := _folder(one))]
    return Meeting(
        id=id_,
        title=told.text(note, "title") or told.text(note, "calendar_event", "event_title"),
        seen=parse_instant(changed),
        changed=parse_instant(changed),
        started=parse_instant(started) if started else None,
        owner=owner,
        people=_with(owner, people),
        utterances=tuple(_spoken(note, owner)),
        readers=sharing.readers(owner, people, folders),
        url=told.text(note, "web_url"),
        summary=told.text(note, "summary_markdown") or told.text(note, "summary_text"),
        metadata={"recorder": "granola", **({"folders": folders} if folders else {})},
    )


def _folder(folder: Object) -> str | None:
    return told.name(folder, "name") or told.name(folder, "id")


def _person(said: Object) -> Person:
    address = told.name(said, "email")
    is_address = address is not None and "@" in address and len(address) < 200
    return Person(told.name(said, "name"), address.casefold() if address and is_address else None)


def _with(owner: Person, people: list[Person]) -> list[Person]:
    known = {one.address for one in people if one.address}
    return people if owner.address in known or owner == Person() else [owner, *people]


def _spoken(note: Object, owner: Person) -> Iterator[Utterance]:
    lines = told.listed(note, "transcript")
    begun = next((at for one in lines if (at := _at(one, "start_time", "start_timestamp"))), None)
    for one in lines:
        text = " ".join((told.text(one, "text") or "").split())
        if text:
            yield Utterance(_speaker(one, owner), text, *_times(one, begun))


def _speaker(line: Object, owner: Person) -> str | None:
    source = told.text(line, "speaker", "source") or told.text(line, "source")
    return (owner.name or owner.address) if source == "microphone" else None


def _times(line: Object, begun: datetime | None) -> tuple[float | None, float | None]:
    start, end = _at(line, "start_time", "start_timestamp"), _at(line, "end_time", "end_timestamp")
    if begun is None or start is None:
        return None, None
    return (start - begun).total_seconds(), ((end or start) - begun).total_seconds()


def _at(line: Mapping[str, object], *names: str) -> datetime | None:
    found = next((at for name in names if (at := told.instant(line, name))), None)
    return parse_instant(found) if found else None
