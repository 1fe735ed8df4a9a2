"""Meetings and calls: transcripts in files, Granola and Fireflies. Speakers are never invented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment.sources.connector import Configured, Connector, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.meetings import files
from muniment.sources.parsed import Parsed

__all__ = ["CONNECTORS", "FILES"]


def _read_audio(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.meetings.audio import read_audio  # noqa: PLC0415  # only sound needs a transcriber

    return read_audio(path, handed)


def _is_audio(path: Path) -> bool:
    from muniment.sources.meetings.audio import is_audio  # noqa: PLC0415  # as above

    return is_audio(path)


def _granola(configured: Configured) -> Connector:
    from muniment.sources.meetings.asked_granola import Granola  # noqa: PLC0415  # only who asks needs it

    return Granola.of(configured)


def _fireflies(configured: Configured) -> Connector:
    from muniment.sources.meetings.asked_fireflies import Fireflies  # noqa: PLC0415  # as above

    return Fireflies.of(configured)


def _fireflies_hook(configured: Configured) -> Hook:
    from muniment.sources.meetings.asked_fireflies import FirefliesHook  # noqa: PLC0415  # as above

    return FirefliesHook(configured)


FILES: tuple[FileKind, ...] = (
    FileKind(
        name="zoom",
        source="meetings",
        summary="a transcript of Zoom (.vtt), with who speaks before a colon",
        read=files.read_zoom_files,
        recognises=files.is_zoom,
        options=files.CUE_OPTIONS,
    ),
    *(
        FileKind(
            name=name,
            source="meetings",
            summary=summary,
            read=files.read_cue_files,
            recognises=files.is_cues,
            options=files.CUE_OPTIONS,
        )
        for name, summary in (
            ("vtt", "a transcript in WebVTT, with or without its header"),
            ("srt", "a transcript in SubRip"),
            ("teams", "a transcript of Teams (.vtt)"),
        )
    ),
    FileKind(
        name="otter",
        source="meetings",
        summary="a transcript of Otter as text: a line with who and when, then what they said",
        read=files.read_otter_files,
        recognises=files.is_otter_file,
        options=files.CUE_OPTIONS,
    ),
    FileKind(
        name="granola",
        source="granola",
        summary="notes of Granola as JSON, with their transcripts",
        read=files.read_granola,
        recognises=files.is_granola,
        options=files.JSON_OPTIONS,
    ),
    FileKind(
        name="fireflies",
        source="fireflies",
        summary="transcripts of Fireflies as JSON",
        read=files.read_fireflies,
        recognises=files.is_fireflies,
        options=files.JSON_OPTIONS,
    ),
    FileKind(
        name="audio",
        source="meetings",
        summary="a recording (.mp3, .m4a, .wav, .ogg, .webm, .mp4), by a transcriber that you set up",
        read=_read_audio,
        recognises=_is_audio,
        options=files.CUE_OPTIONS,
    ),
)
_AUDIENCE = Setting("audience", "who reads beside the owner: owner (nobody) or attendees", required=False)
_READERS = (
    "a meeting is for its owner; attendees took part and read it only where the setting audience says so"
)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="granola",
        summary="notes and transcripts of Granola",
        settings=(
            Setting("key", "a key of Granola's interface, grn_…", secret=True),
            _AUDIENCE,
            Setting("folders", "who reads what lies in a folder: Sales=group:sales", required=False),
            Setting("api", "another address of it", required=False),
        ),
        connect=_granola,
        hook=None,
        knows=(
            "reads the notes that the key sees, with transcript and summary; a summary is an item of its own",
            _READERS,
            "the microphone is the owner's; everybody else is an unknown speaker, since it does not say who",
            "what is gone there is found by listing; who is in a folder it does not tell",
        ),
    ),
    ConnectorKind(
        name="fireflies",
        summary="transcripts of Fireflies",
        settings=(
            Setting("key", "a key of Fireflies' interface", secret=True),
            Setting("webhook_secret", "what Fireflies signs deliveries with", secret=True, required=False),
            _AUDIENCE,
            Setting("api", "another address of it", required=False),
        ),
        connect=_fireflies,
        hook=_fireflies_hook,
        knows=(
            "reads the transcripts that the key sees, with summary; a summary is an item of its own",
            _READERS,
            "a change of a transcript that was read is not told by it: export it and add the file",
            "what is gone there is found by listing",
        ),
    ),
)
