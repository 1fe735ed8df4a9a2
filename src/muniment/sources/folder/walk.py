"""The files under a path, in one order on every machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

__all__ = ["walk"]


def _unheard(path: Path, reason: str) -> None:
    """Nobody asked what was passed over."""


def walk(path: Path, *, skipped: Callable[[Path, str], None] = _unheard) -> Iterator[Path]:
    """The file, or the files in the folder and below, sorted by name. Opens none of them.

    Folders whose name begins with a dot (`.muniment`, `.git`) are passed over. A symbolic link is followed
    where it leads to a file inside the folder; one that leaves the tree would read what nobody pointed at.
    A folder that cannot be listed is given as itself, so that whoever reads it meets the error. `skipped`
    hears of links, pipes and devices that were left out.
    """
    if not path.is_dir():
        yield path
        return
    root = path.resolve()
    waiting = _listing(path)
    while waiting:
        found = waiting.pop()
        if found.is_dir() and not found.is_symlink():
            below = _listing(found)
            waiting += below
            if not below and not os.access(found, os.R_OK | os.X_OK):
                yield found
        elif (reason := _unfit(found, root)) is not None:
            skipped(found, reason)
        else:
            yield found


def _listing(folder: Path) -> list[Path]:
    """What the folder holds, last name first; nothing where it may not be listed."""
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: os.fsencode(entry.name), reverse=True)
    except OSError:
        return []
    return [entry for entry in entries if not (entry.name.startswith(".") and entry.is_dir())]


def _unfit(path: Path, root: Path) -> str | None:
    """Why the path is not a file to read; a pipe or a device would never end."""
    if path.is_symlink() and not _stays(path, root):
        return "a symbolic link that leaves the folder, or leads to no file in it"
    if path.exists() and not path.is_file():
        return "not a regular file"
    return None


def _stays(link: Path, root: Path) -> bool:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    if not target.is_relative_to(root) or not target.is_file():
        return False
    return not any(part.startswith(".") for part in target.relative_to(root).parts[:-1])
