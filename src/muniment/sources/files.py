"""Files a person hands in: exports by their kind, event JSONL line by line, anything else as documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from muniment.domain.audience import Audience, parse_audience
from muniment.domain.errors import Usage
from muniment.sources import registry
from muniment.sources.arrived import Arrived
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.folder import Document, Unreadable, document_event, read_document, walk
from muniment.sources.folder.reach import narrowed
from muniment.sources.parsed import Event, Parsed, Unread

__all__ = ["KINDS", "Gathering", "arrived", "gather"]

KINDS = ("events", "documents")
FILE_LIMIT = 64 * 1024 * 1024  # bytes of one document; larger ones are refused with their size
_OF_NO_CONTAINER = frozenset(("entity", "topology"))
LINE_LIMIT = 32 * 1024 * 1024  # bytes of one line of JSONL
_JSONL = frozenset((".jsonl", ".ndjson"))


@dataclass(frozen=True, slots=True)
class Gathering:
    """What was said on the command line about the files.

    `kind` is `events`, `documents`, the name of a kind of export, or None where each file tells its own.
    `audience` fills a missing one and never widens one given. `options` are those of the kind.
    """

    source: str | None
    kind: str | None
    importer: str
    audience: Audience | None
    account: str | None
    options: Mapping[str, str] = field(default_factory=dict)
    kinds: Sequence[FileKind] = field(default_factory=registry.file_kinds)

    @classmethod
    def read(
        cls,
        source: str | None,
        kind: str | None,
        importer: str,
        audience: Sequence[Sequence[str]] | Sequence[str] | None,
        account: str | None,
        options: Mapping[str, str] | None = None,
    ) -> Gathering:
        """Checked; Usage says what is wrong."""
        try:
            who = None if audience is None else parse_audience(_listed(audience))
        except ValueError as error:
            raise Usage(str(error)) from None
        return cls(source, kind, importer, who, account, dict(options or {}))

    def handed(self, kind: FileKind) -> Handed:
        """What a kind of export is told; of the options, its own."""
        own = {name: value for name, value in self.options.items() if name in kind.options}
        return Handed(self.source or kind.source, self.importer, self.account, own)

    def check(self) -> None:
        """Usage for a kind that nobody knows, and for an option that no kind meant here has."""
        names = [one.name for one in self.kinds]
        if self.kind is not None and self.kind not in (*KINDS, *names):
            raise Usage(f"kind {self.kind!r} is unknown: use {', '.join((*KINDS, *names))}")
        meant = [one for one in self.kinds if self.kind in (None, one.name)]
        known = sorted({name for one in meant for name in one.options})
        for name in self.options:
            if name not in known:
                takes = f"use {', '.join(known)}" if known else "there is none for this"
                raise Usage(f"option {name!r} is unknown: {takes}")

    def named(self) -> FileKind | None:
        """The kind of export that was said."""
        return next((one for one in self.kinds if one.name == self.kind), None)

    def recognised(self, path: Path) -> FileKind | None:
        """The kind that says a path is one of its own."""
        return next((one for one in self.kinds if one.recognises(path)), None)


def _listed(audience: Sequence[Sequence[str]] | Sequence[str]) -> list[object]:
    return [one if isinstance(one, str) else list(one) for one in audience]


def gather(path: Path, said: Gathering) -> Iterator[Arrived]:
    """Everything under the path, one thing handed in at a time. Usage where it was put wrongly."""
    said.check()
    if not path.exists():
        raise Usage(f"path {str(path)!r} does not exist")
    return _gather(path, said)


def _gather(path: Path, said: Gathering) -> Iterator[Arrived]:
    whole = _kind_of_all(path, said)
    if whole is not None:
        yield from _exported(whole, path, said)
        return
    root = path if path.is_dir() else path.parent
    passed_by: list[Arrived] = []
    for file in walk(path, skipped=lambda file, why: passed_by.append(_skipped(file, why))):
        yield from _file(file, root, said)
    yield from passed_by


def _kind_of_all(path: Path, said: Gathering) -> FileKind | None:
    """The kind that reads the path as one export; None where each file under it is looked at by itself."""
    if said.kind in KINDS:
        return None
    kind = said.named()
    if kind is None:
        return said.recognised(path)
    each = path.is_dir() and not kind.recognises(path) and any(map(kind.recognises, walk(path)))
    return None if each else kind


def _file(file: Path, root: Path, said: Gathering) -> Iterator[Arrived]:
    """One file, by what was said of it, else by what it is."""
    exported = said.recognised(file) if said.kind is None else said.named()
    if exported is not None:
        yield from _exported(exported, file, said)
    elif said.kind == "events" or (said.kind is None and file.suffix.lower() in _JSONL):
        yield from _lines(file, said)
    else:
        yield _document(file, root, said)


def _exported(kind: FileKind, path: Path, said: Gathering) -> Iterator[Arrived]:
    origin = str(path)
    try:
        for one in kind.read(path, said.handed(kind)):
            yield arrived(one, origin, said.audience, said.account)
    except OSError as error:
        yield Arrived(origin, None, origin, f"cannot be read: {error.strerror}")


def arrived(one: Parsed, origin: str, audience: Audience | None, account: str | None) -> Arrived:
    """What a parser made of a source's bytes, as the front door takes it."""
    if not isinstance(one, Unread):
        try:
            event, audience = narrowed(_labelled(one, audience), audience)
        except ValueError as error:
            return Arrived(str(one.get("id")), None, origin, f"its own audience: {error}")
        return Arrived(event, None, origin, None, audience, account)
    # As bytes: what could not be read names nothing by its words, but by where it stood.
    said = one.said if isinstance(one.said, bytes) else one.said.encode("utf-8", "surrogatepass")
    return Arrived(said, None, f"{origin}: {one.origin}", one.reason, audience, account)


def _labelled(one: Event, audience: Audience | None) -> Event:
    """What leans on what, and who is what, for whom the file is handed in where it does not say."""
    if audience is None or one.get("op") not in _OF_NO_CONTAINER or one.get("audience") is not None:
        return one
    return {**one, "audience": audience.as_lists()}


def _skipped(file: Path, why: str) -> Arrived:
    return Arrived(file.name, None, str(file), why)


def _lines(file: Path, said: Gathering) -> Iterator[Arrived]:
    origin = str(file)
    try:
        for number, line in _numbered(file):
            too_long = f"is longer than {LINE_LIMIT} bytes" if len(line) >= LINE_LIMIT else None
            yield Arrived(line, number, origin, too_long, said.audience, said.account)
    except OSError as error:
        yield Arrived(origin, None, origin, f"cannot be read: {error.strerror}")


def _numbered(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1; of one that is too long, only its beginning."""
    with file.open("rb") as lines:
        for number, line in enumerate(iter(lambda: _line(lines), b""), 1):
            if text := line.strip():
                yield number, text


def _line(lines: BinaryIO) -> bytes:
    """The next line, at most LINE_LIMIT of it; the rest of a longer one is passed over."""
    line = rest = lines.readline(LINE_LIMIT)
    while len(rest) == LINE_LIMIT and not rest.endswith(b"\n"):
        rest = lines.readline(LINE_LIMIT)
    return line


def _document(file: Path, root: Path, said: Gathering) -> Arrived:
    name = file.relative_to(root).as_posix()
    try:
        stat = file.stat()
        if stat.st_size > FILE_LIMIT:
            return Arrived(name, None, str(file), f"is {stat.st_size} bytes; {FILE_LIMIT} is the limit")
        document = read_document(file.read_bytes(), file.name)
    except OSError as error:
        return Arrived(name, None, str(file), f"cannot be read: {error.strerror}")
    match document:
        case Unreadable(reason=reason):
            return Arrived(name, None, str(file), reason)
        case Document():
            at = datetime.fromtimestamp(stat.st_mtime, UTC)
            return _documented(document, name, at, file, said)


def _documented(document: Document, name: str, at: datetime, file: Path, said: Gathering) -> Arrived:
    source = said.source or "files"
    made = document_event(document, source=source, path=name, at=at)
    try:
        audience = _audience(made.narrow, said)
    except ValueError as error:
        return Arrived(name, None, str(file), f"front matter: {error}")
    event = {**made.event, "audience": audience.as_lists()}
    if said.account is not None and event.get("account") is None:
        event["account"] = said.account
    chosen = said.audience is not None
    return Arrived(event, None, str(file), private=not chosen, insists=chosen)


def _audience(narrow: object, said: Gathering) -> Audience:
    """The importer's choice, narrowed by the file's own word; whoever imports a file by hand may read it."""
    chosen = said.audience or Audience.of(said.importer)
    if narrow is not None:
        chosen &= parse_audience(narrow)
    return chosen.or_also(said.importer)
