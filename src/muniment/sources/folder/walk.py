"""The files under a path, in one order on every machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Skipped", "walk"]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was not read, and why."""

    path: Path
    reason: str


def walk(path: Path) -> Iterator[Path | Skipped]:
    """The file, or the files in the folder and below, sorted by name; what cannot be read is reported.

    Hidden folders (`.muniment`, `.git`) are passed over. A symbolic link is followed where it leads to a file inside
    the folder; one that leaves the tree, or leads to a folder, would read what nobody pointed at.
    """
    if path.is_dir():
        yield from _below(path, path.resolve())
    else:
        yield _readable(path)


def _below(folder: Path, root: Path) -> Iterator[Path | Skipped]:
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        if path == folder or (path.is_dir() and not path.is_symlink()):
            listing = _listing(path)
            if isinstance(listing, Skipped):
                yield listing
            else:
                waiting += reversed(listing)
        elif path.is_symlink() and not _stays(path, root):
            yield Skipped(path, "a symbolic link that leaves the folder, or leads to a folder")
        else:
            yield _readable(path)


def _listing(folder: Path) -> list[Path] | Skipped:
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        return Skipped(folder, _why(error))
    return [entry for entry in entries if not (entry.name.startswith(".") and entry.is_dir())]


def _stays(link: Path, root: Path) -> bool:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    if not target.is_relative_to(root) or not target.is_file():
        return False
    return not any(part.startswith(".") for part in target.relative_to(root).parts[:-1])


def _readable(path: Path) -> Path | Skipped:
    """The path where it is a regular file that opens; a pipe or a device would never end."""
    try:
        if not path.is_file():
            return Skipped(path, "not a regular file" if path.exists() else "not there")
        with path.open("rb"):
            return path
    except OSError as error:
        return Skipped(path, _why(error))


def _why(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
