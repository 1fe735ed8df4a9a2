"""The files of an export, be it a zip as Slack hands it out or the folder it was unpacked into."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol
from zipfile import BadZipFile, ZipFile, is_zipfile

__all__ = ["FILE_LIMIT", "LISTINGS", "Archive", "Damaged", "opened", "recognises"]

FILE_LIMIT = 256 * 1024 * 1024  # bytes of one file, unpacked; the longest real day is below 20 million
LISTINGS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_USERS = "users.json"


class Damaged(Exception):
    """A file of the archive that cannot be read, and why. Named by whoever reads on without it."""


class Archive(Protocol):
    """Names relative to the export's own top, and their bytes."""

    @property
    def names(self) -> frozenset[str]:
        """Those of its files that an export is made of."""
        ...

    def read(self, name: str) -> bytes:
        """One file whole; Damaged where that cannot be."""
        ...


@dataclass(frozen=True, slots=True)
class _Zip:
    archive: ZipFile
    inside: Mapping[str, str]
    names: frozenset[str]

    def read(self, name: str) -> bytes:
        try:
            size = self.archive.getinfo(self.inside[name]).file_size
            if size > FILE_LIMIT:
                raise Damaged(f"is {size} bytes; {FILE_LIMIT} is the limit")
            with self.archive.open(self.inside[name]) as file:
                # What the listing says of its size may be a lie, so no more than the limit is unpacked.
                return _limited(file.read(FILE_LIMIT + 1))
        except (BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError, zlib.error) as error:
            raise Damaged(f"cannot be unpacked: {error}") from None


@dataclass(frozen=True, slots=True)
class _Folder:
    top: Path
    names: frozenset[str]

    def read(self, name: str) -> bytes:
        try:
            with (self.top / name).open("rb") as file:
                return _limited(file.read(FILE_LIMIT + 1))
        except OSError as error:
            raise Damaged(f"cannot be read: {error.strerror}") from None


def _limited(read: bytes) -> bytes:
    if len(read) > FILE_LIMIT:
        raise Damaged(f"is longer than {FILE_LIMIT} bytes")
    return read


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """The export at a path; Damaged where there is none to be read."""
    if path.is_dir():
        yield _folder(path)
        return
    try:
        archive = ZipFile(path)
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Damaged(f"is no zip that can be read: {error}") from None
    with archive:
        yield _zip(archive)


def _zip(archive: ZipFile) -> _Zip:
    top = _top(archive.namelist())
    inside = {name.removeprefix(top): name for name in archive.namelist() if name.startswith(top)}
    names = {name for name in inside if _is_read(name)}
    return _Zip(archive, {name: inside[name] for name in names}, frozenset(names))


def _folder(path: Path) -> _Folder:
    names = {file.relative_to(path).as_posix() for file in _files(path)}
    return _Folder(path, frozenset(name for name in names if _is_read(name)))


def _files(path: Path) -> Iterator[Path]:
    """The files of a folder and of those in it; a link that leads elsewhere is not followed."""
    for depth in ("*.json", "*/*.json"):
        yield from (file for file in path.glob(depth) if file.is_file() and not file.is_symlink())


def _is_read(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return name.endswith(".json") and len(parts) <= 2 and ".." not in parts and not name.startswith("/")


def _top(names: list[str]) -> str:
    """What stands before every name where the export was packed again as a folder."""
    found = [name.removesuffix(_USERS) for name in names if PurePosixPath(name).name == _USERS]
    found += [name.removesuffix(one) for name in names for one in LISTINGS if name.split("/")[-1] == one]
    return min(found, key=len, default="")


def recognises(path: Path) -> bool:
    """Whether it looks like an export: users, and at least one listing of conversations."""
    if path.is_dir():
        return _looks_right(frozenset(name for name in (_USERS, *LISTINGS) if (path / name).is_file()))
    if path.suffix.lower() != ".zip" or not is_zipfile(path):
        return False
    try:
        with ZipFile(path) as archive:
            return _looks_right(_zip(archive).names)
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def _looks_right(names: frozenset[str]) -> bool:
    return _USERS in names and not names.isdisjoint(LISTINGS)
