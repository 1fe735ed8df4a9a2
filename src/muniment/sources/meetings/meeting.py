"""A meeting, however it came, as an item: what was said, who was there, and who may read it.

Who was there took part; that alone makes nobody a reader. Readers are the owner and those it was shared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from muniment.domain.times import format_instant
from muniment.sources.meetings.cues import Dropped
from muniment.sources.meetings.people import Person, named
from muniment.sources.meetings.said import Utterance
from muniment.sources.parsed import Event
from muniment.sources.wire import told
from muniment.sources.wire.stamps import of_text

__all__ = ["UNKNOWN", "Meeting", "events_of"]

NOBODY: Final = Person()
UNKNOWN: Final = "Unknown speaker"
_STRUCTURE: Final = frozenset(("header", "id of a cue"))
_MOST_DROPPED: Final = 200  # lines that the metadata repeats; the others are counted
_MOST_NAMES: Final = 500


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a recorder or a file says of one meeting.

    `started` None where nobody says when it was; `seen` is then when the file was written. `changed` orders
    the versions of it. `readers` None leaves them to whoever hands it in.
    """

    id: str
    title: str | None
    seen: datetime
    utterances: Sequence[Utterance]
    changed: datetime
    kind: str = "meeting"
    started: datetime | None = None
    owner: Person = NOBODY
    people: Sequence[Person] = ()
    readers: Sequence[str] | None = None
    url: str | None = None
    summary: str | None = None
    dropped: Sequence[Dropped] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)


def events_of(meeting: Meeting, source: str, account: str | None = None) -> Iterator[Event]:
    """What was said, where anything was, and what the recorder made of it, as an item of its own."""
    about = {"account": account} if account else {}
    if meeting.utterances or not meeting.summary:
        said = {**_common(meeting, source, about), **_transcript(meeting)}
        yield _stamped(said, meeting)
    if meeting.summary:
        summary, is_cut = told.clipped(meeting.summary)
        note = {
            **_common(meeting, source, about), "id": f"{meeting.id}/summary", "kind": "note", "body": summary,
            "media": "text/markdown", "labels": {"made_by": "recorder"},
            "metadata": {"truncated": True} if is_cut else {},
        }  # fmt: skip
        if meeting.utterances:
            note["derived_from"] = [meeting.id]
        # What a program made of it is nobody's word, its owner's included.
        note.pop("author", None)
        note.pop("author_name", None)
        yield _stamped(note, meeting)


def _stamped(event: dict[str, object], meeting: Meeting) -> Event:
    present = {key: value for key, value in event.items() if value is not None and value != {}}
    return {**present, "version": of_text(format_instant(meeting.changed), present)}


def _common(meeting: Meeting, source: str, about: Mapping[str, str]) -> dict[str, object]:
    owner = meeting.owner
    return {
        "source": source,
        "id": meeting.id,
        "op": "upsert",
        "kind": meeting.kind,
        "at": format_instant(meeting.started or meeting.seen),
        "title": meeting.title,
        "author": f"user:{owner.address}" if owner.address else None,
        "author_name": owner.name,
        "participants": _names(meeting.people),
        "url": meeting.url,
        "audience": None if meeting.readers is None else [list(dict.fromkeys(meeting.readers))],
        **about,
    }


def _names(people: Iterable[Person]) -> list[str]:
    found = (f"user:{one.address}" if one.address else one.name for one in people)
    return list(dict.fromkeys(name for name in found if name))[:_MOST_NAMES]


def _transcript(meeting: Meeting) -> dict[str, object]:
    lines, badges = _lines(meeting.utterances)
    body, is_cut = told.clipped("\n".join(lines))
    metadata: dict[str, object] = {
        **meeting.metadata,
        **({} if meeting.started else {"start": "unknown"}),
        **({"badges": badges} if badges else {}),
        **({"truncated": True} if is_cut else {}),
        **_timed(meeting.utterances),
        **_told_dropped(meeting.dropped),
    }
    return {"body": body, "metadata": metadata}


def _lines(utterances: Sequence[Utterance]) -> tuple[list[str], dict[str, list[str]]]:
    """A line for each utterance, and which badges stood beside whose name.

    Words of nobody we know would be read as the speaker's before them, or as those of whom they name, so
    that they are said to be an unknown speaker's.
    """
    badges: dict[str, list[str]] = {}
    lines = []
    is_marked = any(one.speaker for one in utterances) or any(":" in one.text[:70] for one in utterances)
    for one in utterances:
        who = named(one.speaker) if one.speaker else None
        if who is not None and who.badges:
            badges[who.name] = sorted({*badges.get(who.name, ()), *who.badges})
        text = " ".join(one.text.split())
        name = who.name if who is not None else UNKNOWN if is_marked else None
        lines.append(text if name is None else f"{name}: {text}")
    return lines, badges


def _timed(utterances: Sequence[Utterance]) -> dict[str, object]:
    """When each line of the text was said, so that a citation leads to the moment."""
    if not utterances or any(one.start is None for one in utterances):
        return {}
    length = max(one.end or one.start or 0.0 for one in utterances)
    return {"starts": [round(one.start or 0.0, 1) for one in utterances], "seconds": round(length, 1)}


def _told_dropped(dropped: Sequence[Dropped]) -> dict[str, object]:
    """What was not words: counted by reason; what may have been words is told line by line."""
    if not dropped:
        return {}
    telling = [[one.line, one.reason, one.text[:300]] for one in dropped if one.reason not in _STRUCTURE]
    counts: dict[str, object] = dict(sorted(Counter(one.reason for one in dropped).items()))
    return {"dropped": counts, **({"dropped_lines": telling[:_MOST_DROPPED]} if telling else {})}
