"""Transcripts in files: cues, Otter's text, and the JSON of Granola and Fireflies."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.errors import Malformed, Usage
from muniment.domain.regex import regex
from muniment.sources.filekind import Handed
from muniment.sources.meetings import fireflies, granola
from muniment.sources.meetings.cues import Cues, read_cues
from muniment.sources.meetings.meeting import Meeting, events_of
from muniment.sources.meetings.otter import is_otter, read_otter
from muniment.sources.meetings.people import Person, named
from muniment.sources.meetings.sharing import Sharing
from muniment.sources.meetings.when import named_start, said_start, stem_title, told_start, zone_of
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told

__all__ = [
    "CUE_OPTIONS", "JSON_OPTIONS", "cue_files", "is_cues", "is_fireflies", "is_granola", "is_otter_file",
    "is_zoom", "meeting_of", "read_cue_files", "read_fireflies", "read_granola", "read_otter_files",
    "read_zoom_files",
]  # fmt: skip

CUE_OPTIONS: Final = ("owner", "title", "start", "timezone", "attendees", "audience", "as")
JSON_OPTIONS: Final = ("audience", "folders")
MOST_BYTES: Final = 64 * 1024 * 1024
_BEGINNING: Final = 4096
_SHOWN: Final = 2_000
_CUES: Final = (".vtt", ".srt")
_ARROW: Final = re.compile(rb"\d[.,]\d{1,3}[ \t]*-->[ \t]*\d", re.ASCII)
_ZOOM: Final = regex(r"GMT\d{8}-\d{6}.*\.vtt\Z|.*\.transcript\.vtt\Z|.*\.cc\.vtt\Z", re.IGNORECASE)


# Recognising


def is_cues(path: Path) -> bool:
    """A file of cues by its name."""
    return path.suffix.lower() in _CUES and path.is_file()


def is_zoom(path: Path) -> bool:
    """A transcript by the names that Zoom gives."""
    return _ZOOM.match(path.name) is not None and path.is_file()


def is_otter_file(path: Path) -> bool:
    """A text that begins with who speaks and when."""
    return path.suffix.lower() == ".txt" and is_otter(_start(path).decode("utf-8", "replace"))


def is_granola(path: Path) -> bool:
    """JSON that begins as Granola's notes do."""
    start = _start(path) if path.suffix.lower() == ".json" else b""
    return b'"owner"' in start and any(
        word in start for word in (b'"folder_membership"', b'"summary_markdown"', b'"calendar_event"')
    )


def is_fireflies(path: Path) -> bool:
    """JSON that begins as Fireflies' transcripts do."""
    start = _start(path) if path.suffix.lower() == ".json" else b""
    return b'"transcript_url"' in start or (b'"sentences"' in start and b'"speaker_name"' in start)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_BEGINNING)
    except OSError:
        return b""


# Cues and texts


def read_cue_files(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Each file of cues there is under the path."""
    yield from _each(path, _CUES, handed, read_cues)


def read_zoom_files(path: Path, handed: Handed) -> Iterator[Parsed]:
    """As above, of a program that writes who speaks before a colon."""
    yield from _each(path, _CUES, handed, lambda text: read_cues(text, named=True))


def read_otter_files(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Each text there is under the path."""
    yield from _each(path, (".txt",), handed, read_otter)


def _each(
    path: Path, suffixes: Iterable[str], handed: Handed, reads: Callable[[str], Cues]
) -> Iterator[Parsed]:
    for file, origin in cue_files(path, suffixes, handed):
        yield from _file(file, origin, handed, reads)


def cue_files(path: Path, suffixes: Iterable[str], handed: Handed) -> Iterator[tuple[Path, str]]:
    """Each meeting under the path, and where it stood. Usage for an option that does not fit."""
    _check(handed, CUE_OPTIONS)
    files = [path] if path.is_file() else sorted(_under(path, tuple(suffixes)))
    if len(files) > 1 and {"start", "title"} & handed.options.keys():
        raise Usage(f"{str(path)!r} holds {len(files)} transcripts: start and title are said of one")
    for file in files:
        yield file, file.name if path.is_file() else file.relative_to(path).as_posix()


def _under(path: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    return (one for one in path.rglob("*") if one.suffix.lower() in suffixes and one.is_file())


def _file(file: Path, origin: str, handed: Handed, reads: Callable[[str], Cues]) -> Iterator[Parsed]:
    raw = _bytes(file, origin)
    if isinstance(raw, Unread):
        yield raw
        return
    cues = reads(_decoded(raw))
    if not cues.utterances:
        yield Unread(
            origin, raw[:_SHOWN], "nobody says anything in it: there is no timing with words under it"
        )
        return
    written = datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
    yield from events_of(meeting_of(origin, raw, cues, written, handed), handed.source, handed.account)


def _bytes(file: Path, origin: str) -> bytes | Unread:
    try:
        if file.stat().st_size > MOST_BYTES:
            return Unread(origin, origin, f"it is longer than {MOST_BYTES} bytes")
        return file.read_bytes()
    except OSError as error:
        return Unread(origin, origin, f"cannot be read: {error.strerror}")


def _decoded(raw: bytes) -> str:
    """As the mark at its beginning says, else UTF-8, else what Windows writes in the west."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace").replace("\0", "")
    try:
        return raw.decode("utf-8-sig").replace("\0", "")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace").replace("\0", "")


def meeting_of(origin: str, raw: bytes, cues: Cues, written: datetime, handed: Handed) -> Meeting:
    """The meeting of a file of cues, by what was said of it, what stands in it, and its name."""
    options = handed.options
    stem = _stem(origin)
    by_name = named_start(stem.rpartition("/")[2], zone_of(options))
    comments = (one.text for one in cues.dropped if one.reason in ("comment", "header"))
    exactly = said_start(options) or told_start(comments)
    owner, people = _person(options.get("owner")), _people(options)
    day_only = exactly is None and by_name is not None and not by_name[1]
    return Meeting(
        id=_id(stem, raw, dated=by_name is not None),
        title=options.get("title") or stem_title(stem.rpartition("/")[2]),
        seen=written,
        changed=written,
        kind="call" if options.get("as") == "call" else "meeting",
        started=exactly or (by_name[0] if by_name is not None else None),
        owner=owner,
        people=people or [Person(name) for name in _speakers(cues)],
        utterances=cues.utterances,
        readers=Sharing.read(options).readers(owner, people, ()),
        dropped=cues.dropped,
        metadata={
            **({"start": "the day alone is known"} if day_only else {}),
            **({"notes": list(cues.notes)} if cues.notes else {}),
        },
    )


def _stem(origin: str) -> str:
    """The file's name without what says that it is a transcript."""
    stem = origin.rpartition(".")[0]
    for ending in (".transcript", ".cc", ".en", ".de", ".fr", ".zh"):
        stem = stem.removesuffix(ending)
    return stem


def _id(stem: str, raw: bytes, *, dated: bool) -> str:
    """By its name where that has a date; names such as `transcript.vtt` are many meetings' names."""
    plain = stem.lstrip("@")
    print_ = hashlib.sha256(raw).hexdigest()[:12]
    is_long = len(plain.encode()) > 300
    if dated and not is_long:
        return plain
    return f"{plain[:60].encode('utf-8', 'replace').decode()}#{print_}"


def _person(said: str | None) -> Person:
    if said is None:
        return Person()
    name, address = parseaddr(said)
    if "@" in address and not is_principal(said):
        return Person(name or None, address.casefold())
    return Person(None, said.removeprefix("user:")) if said.startswith("user:") else Person(said)


def _people(options: Mapping[str, str]) -> list[Person]:
    return [_person(one.strip()) for one in options.get("attendees", "").split(",") if one.strip()]


def _speakers(cues: Cues) -> list[str]:
    found = (named(one.speaker) for one in cues.utterances if one.speaker)
    return list(dict.fromkeys(who.name for who in found if who is not None))


# JSON


def read_granola(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Granola's notes in a file."""
    sharing = _sharing(handed)
    yield from _json(path, handed, granola.notes_in, lambda one, _: granola.meeting_of(one, sharing))


def read_fireflies(path: Path, handed: Handed) -> Iterator[Parsed]:
    """Fireflies' transcripts in a file."""
    sharing = _sharing(handed)
    yield from _json(
        path, handed, fireflies.transcripts_in, lambda one, at: fireflies.meeting_of(one, sharing, at)
    )


def _sharing(handed: Handed) -> Sharing:
    _check(handed, JSON_OPTIONS)
    return Sharing.read(handed.options)


def _check(handed: Handed, known: tuple[str, ...]) -> None:
    if unknown := handed.options.keys() - set(known):
        raise Usage(f"option {min(unknown)!r} is unknown: use {', '.join(known)}")
    if handed.options.get("as", "meeting") not in ("call", "meeting"):
        raise Usage(f"as {handed.options['as']!r} is unknown: use meeting or call")


def _json(
    path: Path,
    handed: Handed,
    listed: Callable[[object], Iterator[object]],
    reads: Callable[[told.Object, datetime], Meeting | str],
) -> Iterator[Parsed]:
    files = [path] if path.is_file() else sorted(_under(path, (".json",)))
    for file in files:
        raw = _bytes(file, file.name)
        if isinstance(raw, Unread):
            yield raw
            continue
        written = datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
        try:
            found = list(listed(told.read(raw)))
        except Malformed as error:
            yield Unread(file.name, raw[:_SHOWN], str(error))
            continue
        for number, one in enumerate(found, 1):
            made = reads(told.as_object(one), written)
            if isinstance(made, str):
                yield Unread(f"{file.name}, meeting {number}", told.written(one), made)
            else:
                yield from events_of(made, handed.source, handed.account)
