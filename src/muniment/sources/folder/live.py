"""A folder as a live source: what changed in it, and what it still holds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from muniment.domain.audience import Audience
from muniment.domain.errors import Unavailable
from muniment.sources.connector import Configured, ConnectorKind, Cursor, Listing, Page, Setting
from muniment.sources.folder.decode import Unreadable, decode
from muniment.sources.folder.exclude import Excluded
from muniment.sources.folder.header import split_header
from muniment.sources.folder.reach import audience_setting, for_readers
from muniment.sources.folder.read import MOST_OFFICE_BYTES, is_text, read_document
from muniment.sources.folder.references import document_id
from muniment.sources.folder.upsert import document_event
from muniment.sources.folder.walk import walk
from muniment.sources.parsed import Parsed, Unread

__all__ = ["FOLDER", "Folder", "folder"]

_A_PAGE = 50  # changed files after which the cursor is kept
_DIGEST = 12

Mark = tuple[int, int, str]  # when it was changed, in nanoseconds; bytes; what its bytes hash to


@dataclass(frozen=True, slots=True)
class _File:
    """A file that is there, and where it stands in the folder."""

    path: Path
    name: str

    def mark(self, before: Mark | None) -> tuple[Mark, bytes | None]:
        """How it stands, and its bytes where they changed. Not read where time and size are as they were."""
        stat = self.path.stat()
        if before is not None and before[:2] == (stat.st_mtime_ns, stat.st_size):
            return before, None
        if stat.st_size > MOST_OFFICE_BYTES:
            return (stat.st_mtime_ns, stat.st_size, "large"), b""
        data = self.path.read_bytes()
        digest = hashlib.blake2b(data, digest_size=_DIGEST).hexdigest()
        same = before is not None and before[2] == digest
        return (stat.st_mtime_ns, stat.st_size, digest), None if same else data


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder, asked."""

    source: str
    root: Path
    excluded: Excluded
    audience: Audience | None
    clock: Callable[[], datetime] = field(repr=False)

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """Files that are new or changed, in the order of their names; the last page says through when."""
        started = self.clock()
        held = _held(cursor)
        files, passed = self._files()
        parsed = passed if cursor is None else []
        now: dict[str, Mark] = {one.name: held[one.name] for one in files if one.name in held}
        seen = 0
        for file in files:
            seen += 1
            parsed += self._changed(file, held.get(file.name), now)
            if len(parsed) >= _A_PAGE:
                yield Page(parsed, _cursor(now), None, seen)
                parsed, seen = [], 0
        yield Page(parsed, _cursor(now), started, seen)

    def sweep(self) -> Iterator[Listing]:
        """Every document by its id. Complete only where each file told its own and there was any at all:
        a disk that is not there looks like an empty folder.
        """
        at = self.clock()
        files, _ = self._files()
        ids = [_id(file) for file in files]
        sure = bool(ids) and None not in ids
        yield Listing("", frozenset(one for one in ids if one is not None), at, complete=sure)

    def _files(self) -> tuple[list[_File], list[Parsed]]:
        """The files to read, and what was passed over that nobody excluded."""
        if not self.root.is_dir():
            raise Unavailable(f"folder {str(self.root)!r} is not there: mount it, or connect another")
        passed: list[Parsed] = []

        def skipped(path: Path, why: str) -> None:
            if not self.excluded.holds(self._name(path)):
                passed.append(Unread(str(path), path.name, why))

        found = [_File(path, self._name(path)) for path in walk(self.root, skipped=skipped)]
        return [one for one in found if not self.excluded.holds(one.name)], passed

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _changed(self, file: _File, before: Mark | None, now: dict[str, Mark]) -> Iterator[Parsed]:
        try:
            mark, data = file.mark(before)
        except OSError as error:
            yield Unread(str(file.path), file.name, f"cannot be read: {error.strerror}")
            return
        now[file.name] = mark
        if data is not None:
            yield self._read(file, data, mark, before)

    def _read(self, file: _File, data: bytes, mark: Mark, before: Mark | None) -> Parsed:
        if mark[2] == "large":
            return Unread(str(file.path), file.name, f"is {mark[1]} bytes; {MOST_OFFICE_BYTES} is the limit")
        document = read_document(data, file.name)
        if isinstance(document, Unreadable):
            return Unread(str(file.path), file.name, document.reason)
        made = document_event(document, source=self.source, path=file.name, at=self._at(mark, before))
        try:
            return for_readers(made, self.audience)
        except ValueError as error:
            return Unread(str(file.path), file.name, f"front matter: {error}")

    def _at(self, mark: Mark, before: Mark | None) -> datetime:
        """When the file was changed; now, where its time is no later than that of what it replaces."""
        now = self.clock()
        if before is not None and mark[0] <= before[0]:
            return now
        return min(datetime.fromtimestamp(mark[0] / 1e9, UTC), now)


def _held(cursor: Cursor | None) -> dict[str, Mark]:
    files = (cursor or {}).get("files")
    if not isinstance(files, dict):
        return {}
    return {str(name): (int(one[0]), int(one[1]), str(one[2])) for name, one in files.items()}


def _cursor(now: dict[str, Mark]) -> Cursor:
    return {"files": {name: list(mark) for name, mark in sorted(now.items())}}


def _id(file: _File) -> str | None:
    """What the file's document is called; None where that cannot be known just now."""
    if not is_text(file.name):
        return file.name
    try:
        decoded = decode(file.path.read_bytes())
    except OSError:
        return None
    if isinstance(decoded, Unreadable):
        return file.name
    header = split_header(decoded.text)
    return None if isinstance(header, Unreadable) else document_id(file.name, header.fields)


def folder(configured: Configured) -> Folder:
    """The folder that somebody connected."""
    said = configured.settings
    return Folder(
        configured.source,
        Path(configured.require("path")).expanduser(),
        Excluded.read(said.get("exclude") or ""),
        audience_setting(said.get("audience")),
        configured.clock,
    )


FOLDER = ConnectorKind(
    "folder",
    "the documents in a folder, as they change",
    (
        Setting("path", "the folder"),
        Setting("exclude", "what to leave out, as in a .gitignore: drafts/, *.tmp", required=False),
        Setting("audience", "who may read: group:staff, user:ann; & between clauses", required=False),
    ),
    folder,
    None,
    (
        "Reads every document in the folder and below; not hidden folders, nor links that leave it.",
        "Who may read: those the setting `audience` names, else whoever connects it; a header may narrow.",
        "Needs to be allowed to read the folder's files.",
        "Cannot know who changed a file, or who may open it in the file system.",
    ),
)
