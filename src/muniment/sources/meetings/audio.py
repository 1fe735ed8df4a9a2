"""Recordings: sound that somebody set up a transcriber for, as the meeting that was heard in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from muniment.domain.errors import Unavailable, Usage
from muniment.sources.filekind import Handed
from muniment.sources.meetings.cues import Cues
from muniment.sources.meetings.files import cue_files, meeting_of
from muniment.sources.meetings.meeting import UNKNOWN, Meeting, events_of
from muniment.sources.meetings.transcriber import Transcriber, configured, heard
from muniment.sources.parsed import Parsed, Unread

__all__ = ["is_audio", "read_audio"]

MOST_BYTES: Final = 256 * 1024 * 1024
_SOUNDS: Final = (".mp3", ".m4a", ".wav", ".ogg", ".webm", ".mp4")
_SET_UP: Final = (
    "sound is not read: say MUNIMENT_TRANSCRIBER=URL of a server with /audio/transcriptions, "
    "or pip install 'muniment[audio]', then add it again"
)


def is_audio(path: Path) -> bool:
    """A recording by its name."""
    return path.suffix.lower() in _SOUNDS and path.is_file()


def read_audio(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Each recording there is under the path."""
    transcriber = configured()
    for file, origin in cue_files(path, _SOUNDS, handed):
        yield from _heard(file, origin, handed, transcriber)


def _heard(file: Path, origin: str, handed: Handed, transcriber: Transcriber | None) -> Iterator[Parsed]:
    if transcriber is None:
        yield Unread(origin, origin, _SET_UP)
        return
    if file.stat().st_size > MOST_BYTES:
        yield Unread(origin, origin, f"it is longer than {MOST_BYTES} bytes")
        return
    try:
        cues = heard(transcriber.transcribe(file))
    except (Unavailable, Usage, OSError) as error:
        yield Unread(origin, origin, f"it was not transcribed: {error}; add it again")
        return
    if not cues.utterances:
        yield Unread(origin, origin, "nobody says anything in it that was heard")
        return
    yield from events_of(_meeting(file, origin, cues, handed, transcriber), handed.source, handed.account)


def _meeting(file: Path, origin: str, cues: Cues, handed: Handed, transcriber: Transcriber) -> Meeting:
    """As of cues; what was heard is a program's word for what was said, and says so."""
    written = datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
    found = meeting_of(origin, file.read_bytes(), _marked(cues), written, handed)
    people = [one for one in found.people if one.name != UNKNOWN]
    return replace(found, people=people, metadata={**found.metadata, "transcribed_by": transcriber.name})


def _marked(cues: Cues) -> Cues:
    """Words of nobody who is named are an unknown speaker's."""
    said = (one if one.speaker else one._replace(speaker=UNKNOWN) for one in cues.utterances)
    return replace(cues, utterances=tuple(said))
