"""An export as its files, be it a folder or an archive, with archives in it unpacked within limits."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from muniment.sources.folder import walk
from muniment.sources.parsed import Unread

__all__ = ["Held", "files", "names"]

_MOST_FILES = 200_000
_LARGEST = 256 * 1024 * 1024  # bytes of one file
_MOST_BYTES = 8 * 1024**3  # bytes of all files together
_DEEPEST = 2  # archives within archives: a large export comes in numbered parts
_FAULTS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError)


@dataclass(frozen=True, slots=True)
class Held:
    """One file of an export: where it stands, what is in it, and when it was changed."""

    path: str
    data: bytes
    at: datetime

    @property
    def parts(self) -> tuple[str, ...]:
        """Its folders and its name."""
        return tuple(self.path.split("/"))


def names(path: Path) -> list[str]:
    """The files of an export by name, without opening any; none where it is no archive."""
    if path.is_dir():
        return [one.relative_to(path).as_posix() for one in walk(path)]
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()[:_MOST_FILES]
    except _FAULTS:
        return []


def files(path: Path) -> Iterator[Held | Unread]:
    """Every file in the order of its name; what cannot be read says why."""
    if path.is_dir():
        yield from _of_folder(path)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _of_archive(archive, path.name, _DEEPEST)
    except _FAULTS as error:
        yield Unread(str(path), path.name, f"is no archive that can be read: {error}")


def _of_folder(root: Path) -> Iterator[Held | Unread]:
    for file in walk(root):
        name = file.relative_to(root).as_posix()
        try:
            stat = file.stat()
            if stat.st_size > _LARGEST:
                yield Unread(name, name, f"is {stat.st_size} bytes; {_LARGEST} is the limit")
                continue
            yield Held(name, file.read_bytes(), datetime.fromtimestamp(stat.st_mtime, UTC))
        except OSError as error:
            yield Unread(name, name, f"cannot be read: {error.strerror}")


def _of_archive(archive: zipfile.ZipFile, where: str, deep: int) -> Iterator[Held | Unread]:
    listed = [one for one in archive.infolist() if not one.is_dir()]
    whole = sum(one.file_size for one in listed)
    if len(listed) > _MOST_FILES or whole > _MOST_BYTES:
        yield Unread(where, where, f"holds {len(listed)} files of {whole} bytes, more than is unpacked")
        return
    for one in sorted(listed, key=lambda info: info.filename):
        yield from _member(archive, one, where, deep)


def _member(archive: zipfile.ZipFile, one: zipfile.ZipInfo, where: str, deep: int) -> Iterator[Held | Unread]:
    name = posixpath.normpath(one.filename.replace("\\", "/")).lstrip("/")
    if name.startswith("../") or "/." in f"/{name}":
        return
    if one.file_size > _LARGEST and not name.lower().endswith(".zip"):
        yield Unread(f"{where}, {name}", name, f"is {one.file_size} bytes; {_LARGEST} is the limit")
        return
    try:
        data = archive.read(one)
        if deep and name.lower().endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as inner:
                yield from _of_archive(inner, f"{where}, {name}", deep - 1)
            return
    except _FAULTS as error:
        yield Unread(f"{where}, {name}", name, f"cannot be unpacked: {error}")
        return
    yield Held(name, data, _when(one))


def _when(one: zipfile.ZipInfo) -> datetime:
    """An archive's times have no zone; they are taken for UTC."""
    try:
        return datetime(*one.date_time, tzinfo=UTC)
    except ValueError:
        return datetime(1980, 1, 1, tzinfo=UTC)
