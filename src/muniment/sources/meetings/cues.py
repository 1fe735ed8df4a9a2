"""Cues of WebVTT and SubRip, as Zoom, Teams, YouTube and people write them, read as who said what when.

Every line of the text is a timing, is blank, stands in an utterance, or is in `dropped` with its reason: no
line goes missing. Files break every rule of their formats, so that none is trusted: a comma before the
milliseconds, no header, a blank line between a timing and its words, arrows in what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from muniment.domain.regex import regex
from muniment.sources.meetings.rollup import without_repeats
from muniment.sources.meetings.said import Piece, Utterance
from muniment.sources.meetings.voices import plain, prefixed, voices

__all__ = ["Cues", "Dropped", "read_cues"]

_STAMP: Final = r"(?:(\d{1,3}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})"
_TIMING: Final = regex(rf"\s*{_STAMP}[ \t]*-->[ \t]*{_STAMP}(?=\s|\Z)(.*)", re.ASCII | re.DOTALL)
_SETTING: Final = regex(r"(?:vertical|line|position|size|align|region|[XY][12]):\S*", re.IGNORECASE)
_COMMENT: Final = regex(r"(?:NOTE|STYLE|REGION)(?:[ \t]|\Z)")
_SERIAL: Final = regex(r"\s*(\d{1,7})\s*\Z", re.ASCII)
_NAMED: Final = regex(r"\s*(?=\S*\d)(?=\S*[-/_])[\w{][\w/{}-]{2,99}\s*\Z", re.ASCII)
_GUID: Final = regex(
    r"\s*\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?[\w/-]{0,40}\s*\Z", re.ASCII
)
_LINE_END: Final = regex(r"\r\n|\n|\r")


class Dropped(NamedTuple):
    """A line that is nobody's words: its number from 1, why, and the line."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Cues:
    """What a file of cues says. `timings` and `blank` number the lines that are neither words nor dropped."""

    utterances: tuple[Utterance, ...]
    dropped: tuple[Dropped, ...]
    timings: frozenset[int]
    blank: frozenset[int]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Cue:
    start: float
    end: float
    lines: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """Where we are: `serial` is the last number that a cue bore, `inside` what block we pass over."""

    cues: list[_Cue] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    timings: set[int] = field(default_factory=set)
    blank: set[int] = field(default_factory=set)
    serial: int | None = None
    inside: str | None = None
    after_blank: bool = True

    def drop(self, number: int, reason: str, line: str) -> None:
        self.dropped.append(Dropped(number, reason, line))


def read_cues(text: str, *, named: bool = False) -> Cues:
    """Who said what when. `named` says that the speaker stands before a colon, as Zoom writes it."""
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    reading = _Reading()
    matches = [_TIMING.match(line) if "-->" in line else None for line in lines]
    for at, line in enumerate(lines):
        follows = matches[at + 1] is not None if at + 1 < len(lines) else False
        _line(reading, at + 1, line, matches[at], is_before_timing=follows)
    pieces = list(_pieces(reading))
    kept, repeats = without_repeats(pieces)
    for piece in repeats:
        reading.drop(piece.line, "repeats the line before it, as captions that roll up do", piece.text)
    spoken = [piece for piece in kept if piece.text]
    for piece in kept:
        if not piece.text:
            reading.drop(piece.line, "nothing but marks", piece.raw)
    notes = ("captions that roll up were read once",) if repeats else ()
    return Cues(
        tuple(_joined(prefixed(spoken, always=named))),
        tuple(sorted(_lines_without_words(reading.dropped, spoken))),
        frozenset(reading.timings),
        frozenset(reading.blank),
        notes,
    )


def _lines_without_words(dropped: Iterable[Dropped], spoken: Iterable[Piece]) -> Iterator[Dropped]:
    """A line of several voices of which one says nothing is not dropped: the others are heard."""
    heard = {piece.line for piece in spoken}
    seen: set[tuple[int, str]] = set()
    for one in dropped:
        if (one.reason != "nothing but marks" or one.line not in heard) and one[:2] not in seen:
            seen.add(one[:2])
            yield one


def _line(
    reading: _Reading, number: int, line: str, timing: re.Match[str] | None, *, is_before_timing: bool
) -> None:
    if timing is not None:
        _begin(reading, number, timing)
    elif not line.strip():
        reading.blank.add(number)
        reading.inside, reading.after_blank = None, True
    elif (reason := _no_words(reading, number, line, is_before_timing=is_before_timing)) is not None:
        reading.drop(number, reason, line)
        reading.after_blank = False
    else:
        reading.cues[-1].lines.append((number, line))
        reading.after_blank = False


def _begin(reading: _Reading, number: int, timing: re.Match[str]) -> None:
    cue = _Cue(_seconds(timing.groups()[:4]), _seconds(timing.groups()[4:8]))
    beside = " ".join(word for word in timing[9].split() if not _SETTING.fullmatch(word))
    if beside:
        cue.lines.append((number, beside))
    reading.timings.add(number)
    reading.cues.append(cue)
    reading.inside, reading.after_blank = None, False


def _no_words(reading: _Reading, number: int, line: str, *, is_before_timing: bool) -> str | None:
    """Why a line is nobody's words; None where it is somebody's."""
    if number == 1 and line.startswith("WEBVTT"):
        reading.inside = "header"
    elif reading.inside is None and reading.after_blank and _COMMENT.match(line):
        reading.inside = "comment"
    if reading.inside is None and is_before_timing and _is_id(reading, line):
        return "id of a cue"
    if reading.inside is None and not reading.cues:
        return "stands before the first cue"
    return reading.inside


def _is_id(reading: _Reading, line: str) -> bool:
    """Whether a line right before a timing names the cue, and is not what was said in the one before it."""
    serial = _SERIAL.match(line)
    is_unsaid = not reading.cues or bool(reading.cues[-1].lines)
    if serial is None:
        is_named = reading.after_blank and is_unsaid and _NAMED.match(line) is not None
        return is_named or _GUID.match(line) is not None
    is_next = reading.serial is not None and int(serial[1]) == reading.serial + 1
    if not is_next and not (reading.after_blank and is_unsaid):
        return False
    reading.serial = int(serial[1])
    return True


def _seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds, fraction = parts
    return (
        int(hours or 0) * 3600
        + int(minutes or 0) * 60
        + int(seconds or 0)
        + int((fraction or "0").ljust(3, "0")) / 1000
    )


def _pieces(reading: _Reading) -> Iterator[Piece]:
    """Each line of each cue, by voice; a voice speaks until the cue ends or another is named."""
    for number, cue in enumerate(reading.cues):
        speaker: str | None = None
        for line, raw in cue.lines:
            for voice, words in voices(raw, speaker):
                speaker = voice
                yield Piece(number, line, cue.start, cue.end, voice, plain(words), raw)


def _joined(pieces: Iterable[Piece]) -> Iterator[Utterance]:
    """Utterances: what one person says on end, a new one where a sentence is over or a pause is long."""
    held: list[Piece] = []
    for piece in pieces:
        if held and not _goes_on(held[-1], piece):
            yield _utterance(held)
            held = []
        held.append(piece)
    if held:
        yield _utterance(held)


_LONGEST_PAUSE: Final = 20.0  # seconds within a sentence
_OVER: Final = tuple(".?!…。？！.\"”»'")


def _goes_on(before: Piece, piece: Piece) -> bool:
    if piece.speaker != before.speaker:
        return False
    if piece.cue == before.cue:
        return True
    return not before.text.endswith(_OVER) and piece.start - before.end <= _LONGEST_PAUSE


def _utterance(pieces: Sequence[Piece]) -> Utterance:
    text = " ".join(piece.text for piece in pieces)
    lines = tuple(dict.fromkeys(piece.line for piece in pieces))
    return Utterance(pieces[0].speaker, text, pieces[0].start, pieces[-1].end, lines)
