"""A folder that holds one export and is made the next one.

Files are staged beside those that are there, and take their places by renaming when all are written: whoever
reads meanwhile finds each file old or new, never half. What a crash left in the last step, the next export
finishes first. Files that are the same stay untouched, their times aside, so that version control shows what
changed.
"""

from __future__ import annotations

import fcntl
import filecmp
import json
import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from muniment.domain.errors import Malformed, Unavailable, Usage
from muniment.domain.regex import regex
from muniment.domain.values import Json
from muniment.export.sheet import unstamped

__all__ = ["STATE", "Tree", "staged"]

STATE: Final = ".muniment-export.json"
_STAGED: Final = ".muniment-export.partial"
_KNOWN: Final = {"format": "muniment-wiki", "version": 1}
_PATH: Final = regex(r"([a-z0-9-]+/)?[A-Za-z0-9-]+\.(md|jsonl)")
_BESIDE: Final = frozenset({".git", ".gitattributes", ".gitignore", ".obsidian", _STAGED})  # of what is new


@dataclass(frozen=True, slots=True)
class _State:
    """What an export left: for whom and for when it was asked, and its files."""

    request: Mapping[str, Json]
    files: tuple[str, ...]

    def text(self) -> str:
        value = {**_KNOWN, "request": dict(self.request), "files": list(self.files)}
        return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


class Tree:
    """The next export while it is made. `written`, `unchanged` and `removed` count its files."""

    def __init__(self, root: Path, earlier: _State | None) -> None:
        self.root = root
        self._earlier = earlier
        self._request: Mapping[str, Json] = {}
        self._files: list[str] = []
        self._keeps_stamps = False
        self.written = self.unchanged = self.removed = 0

    def begin(self, request: Mapping[str, Json]) -> None:
        """Say for whom it is. Usage where the folder holds what somebody else may read."""
        if self._earlier is not None:
            for name in ("reader", "agent", "hearers"):
                if self._earlier.request.get(name) != request[name]:
                    raise Usage(
                        f"folder {str(self.root)!r} holds the export of another reader, agent or hearers; "
                        "export into a folder of its own"
                    )
            self._keeps_stamps = self._earlier.request == request
        self._request = request

    def add(self, path: str, parts: Iterable[bytes]) -> None:
        """One more file, its place relative to the root."""
        staged = self.root / _STAGED / path
        staged.parent.mkdir(exist_ok=True)
        with staged.open("wb") as file:
            for part in parts:
                file.write(part)
        self._files.append(path)
        self._refuse_foreign(path)
        if self._is_there(self.root / path, staged):
            staged.unlink()
            self.unchanged += 1
        else:
            self.written += 1

    def publish(self) -> None:
        """Put everything in its place."""
        state = _State(self._request, tuple(sorted(self._files)))
        gone = set() if self._earlier is None else {*self._earlier.files} - {*self._files}
        self.removed = len(gone)
        plan = self.root / _STAGED / STATE
        _write(plan.with_suffix(".half"), json.dumps({"state": state.text(), "gone": sorted(gone)}))
        plan.with_suffix(".half").replace(plan)
        _place(self.root)

    def _refuse_foreign(self, path: str) -> None:
        _refuse_linked(self.root, path)
        ours = self._earlier is not None and path in self._earlier.files
        if not ours and os.path.lexists(self.root / path):
            raise Usage(f"file {str(self.root / path)!r} is none of ours; move it away, and export again")

    def _is_there(self, old: Path, new: Path) -> bool:
        if not old.is_file():
            return False
        if filecmp.cmp(old, new, shallow=False):
            return True
        if not self._keeps_stamps or new.suffix != ".md":
            return False
        return unstamped(old.read_bytes()) == unstamped(new.read_bytes())


@contextmanager
def staged(folder: Path) -> Generator[Tree]:
    """A tree to be filled, put in place when that succeeded. Usage for a folder that holds something else."""
    _refuse_other(folder)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        if (folder / _STAGED / STATE).is_file():
            _place(folder)
        shutil.rmtree(folder / _STAGED, ignore_errors=True)
        (folder / _STAGED).mkdir()
        tree = Tree(folder, _earlier(folder))
        try:
            yield tree
            tree.publish()
        finally:
            if not (folder / _STAGED / STATE).is_file():
                shutil.rmtree(folder / _STAGED, ignore_errors=True)
            if is_new and not any(folder.iterdir()):
                folder.rmdir()


def _refuse_other(folder: Path) -> None:
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise Usage(f"path {str(folder)!r} is no folder; name a new or empty one")
    names = {one.name for one in folder.iterdir()}
    if STATE not in names and not (folder / _STAGED / STATE).is_file() and names - _BESIDE:
        raise Usage(
            f"folder {str(folder)!r} holds something else; "
            "name a new or empty one, or that of an earlier export"
        )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Unavailable(f"another export into {str(folder)!r} is going on; try again later") from None
    finally:
        os.close(descriptor)


def _earlier(folder: Path) -> _State | None:
    file = folder / STATE
    if not file.is_file():
        return None
    try:
        value = json.loads(file.read_bytes())
        request, files = dict(value["request"]), tuple(value["files"])
        is_known = all(value[name] == known for name, known in _KNOWN.items())
    except (ValueError, KeyError, TypeError):
        is_known, request, files = False, {}, ()
    if not is_known or not all(isinstance(one, str) and _PATH.fullmatch(one) for one in files):
        raise Malformed(
            f"{str(file)!r} is not what an export of this version leaves; export into a new folder"
        )
    return _State(request, files)


def _place(root: Path) -> None:
    """Do what was planned, or the rest of it."""
    plan = json.loads((root / _STAGED / STATE).read_bytes())
    for staged_file in sorted((root / _STAGED).rglob("*")):
        path = staged_file.relative_to(root / _STAGED).as_posix()
        if staged_file.is_file() and _PATH.fullmatch(path):
            _refuse_linked(root, path)
            (root / path).parent.mkdir(exist_ok=True)
            staged_file.replace(root / path)
    _take_away(root, plan["gone"])
    _write(root / _STAGED / "state.half", plan["state"])
    (root / _STAGED / "state.half").replace(root / STATE)
    shutil.rmtree(root / _STAGED)


def _refuse_linked(root: Path, path: str) -> None:
    folder = (root / path).parent
    if folder != root and folder.is_symlink():
        raise Usage(f"folder {str(folder)!r} is a link to another place; remove it, and export again")


def _take_away(root: Path, gone: Sequence[str]) -> None:
    for path in gone:
        if _PATH.fullmatch(path) and not (root / path).parent.is_symlink():
            (root / path).unlink(missing_ok=True)
    for folder in {(root / path).parent for path in gone} - {root}:
        if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
            folder.rmdir()


def _write(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
