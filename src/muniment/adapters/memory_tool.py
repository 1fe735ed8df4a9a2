"""A directory for Anthropic's memory tool: six commands on `/memories`, kept in the record.

`/memories/notes/…` are files of the person's own, private to them. `/memories/wiki/…` are the pages they may
read, made as they are read, and cannot be written. A path means one of these or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from muniment.app import View
from muniment.domain.errors import Refused, Usage

__all__ = ["MemoryDirectory"]

ROOT: Final = "/memories"
NOTES: Final = f"{ROOT}/notes/"
WIKI: Final = f"{ROOT}/wiki/"
Said = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MemoryDirectory:
    """The commands of the tool, over one view. `run` takes its input and gives its reply, errors included."""

    view: View

    def run(self, said: Said) -> str:
        """What a command gives, in words for the model; what it puts wrongly is told, not raised."""
        commands: Mapping[str, Callable[[Said], str]] = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }
        does = commands.get(str(said.get("command")))
        if does is None:
            return f"Error: unknown command: use {', '.join(commands)}"
        try:
            return does(said)
        except Usage as error:
            return f"Error: {error}"
        except Refused:
            return f"Error: The path {said.get('path', said.get('old_path'))} does not exist"

    # ── looking ──

    def _view(self, said: Said) -> str:
        path = _path(said.get("path"))
        if f"{path}/" in (f"{ROOT}/", NOTES, WIKI):
            return self._listed(f"{path}/")
        if path.startswith(WIKI):
            return _numbered(path, self._page(path), said.get("view_range"))
        files = self.view.shelf.files()
        name = path.removeprefix(NOTES)
        if name not in files:
            return self._listed(f"{path}/", files)
        return _numbered(path, files[name], said.get("view_range"))

    def _listed(self, folder: str, files: Mapping[str, str] | None = None) -> str:
        """What is in a folder; Refused for one that is none."""
        own = self.view.shelf.files() if files is None else files
        each = [f"{NOTES}{name}" for name in own] if not folder.startswith(WIKI) else []
        each += self._wiki() if not folder.startswith(NOTES) else []
        found = sorted(one for one in each if one.startswith(folder))
        if not found and folder not in (f"{ROOT}/", NOTES, WIKI):
            raise Refused(f"no path {folder!r}")
        folders = [NOTES, WIKI] if folder == f"{ROOT}/" else []
        return "\n".join([f"Files in {folder.rstrip('/')}:", *folders, *found])

    def _wiki(self) -> list[str]:
        return [f"{WIKI}{quote(one.entity, safe='')}.md" for one in self.view.pages()]

    def _page(self, path: str) -> str:
        """The page whose file this is, among those that are listed: a path is never unquoted."""
        for one in self.view.pages():
            if f"{WIKI}{quote(one.entity, safe='')}.md" == path:
                return self.view.page(one.entity).markdown
        raise Refused(f"no path {path!r}")

    # ── writing ──

    def _create(self, said: Said) -> str:
        name = _own(said.get("path"))
        self.view.shelf.keep(name, _text(said, "file_text"))
        return f"File created successfully at: {NOTES}{name}"

    def _replace(self, said: Said) -> str:
        name, old, new = _own(said.get("path")), _text(said, "old_str"), _text(said, "new_str", "")
        text = self._held(name)
        if not old or text.count(old) != 1:
            raise Usage(
                f"old_str occurs {text.count(old) if old else 0} times in {NOTES}{name}; it has to once"
            )
        self.view.shelf.keep(name, text.replace(old, new))
        return "The memory file has been edited."

    def _insert(self, said: Said) -> str:
        name, line = _own(said.get("path")), said.get("insert_line")
        lines = self._held(name).split("\n")
        if not isinstance(line, int) or isinstance(line, bool) or not 0 <= line <= len(lines):
            raise Usage(f"insert_line is a number from 0 to {len(lines)}")
        lines[line:line] = _text(said, "insert_text").removesuffix("\n").split("\n")
        self.view.shelf.keep(name, "\n".join(lines))
        return f"The file {NOTES}{name} has been edited."

    def _delete(self, said: Said) -> str:
        name = _own(said.get("path"))
        within = [one for one in self.view.shelf.files() if one == name or one.startswith(f"{name}/")]
        if not within:
            raise Refused(f"no file {name!r}")
        for one in within:
            self.view.shelf.drop(one)
        return f"Successfully deleted {NOTES}{name}"

    def _rename(self, said: Said) -> str:
        old, new = _own(said.get("old_path")), _own(said.get("new_path"))
        self.view.shelf.move(old, new)
        return f"Successfully renamed {NOTES}{old} to {NOTES}{new}"

    def _held(self, name: str) -> str:
        text = self.view.shelf.files().get(name)
        if text is None:
            raise Refused(f"no file {name!r}")
        return text


def _path(said: object) -> str:
    """A path that means what it says: below the root, and no way out of it."""
    path = said.rstrip("/") if isinstance(said, str) else ""
    parts = path.split("/")[1:]
    wrong = any(part in ("", ".", "..") or "\\" in part or "%2e" in part.lower() for part in parts)
    if not f"{path}/".startswith(f"{ROOT}/") or wrong or not path.isprintable():
        raise Usage(f"a path begins with {ROOT}/ and has no way out of it")
    return path


def _own(said: object) -> str:
    """The name of a file that may be written."""
    path = _path(said)
    if not path.startswith(NOTES):
        raise Usage(f"only files below {NOTES} can be written; pages are made of what the record holds")
    return path.removeprefix(NOTES)


def _text(said: Said, key: str, usual: str | None = None) -> str:
    text = said.get(key, usual)
    if not isinstance(text, str):
        raise Usage(f"{key} has to be a text")
    return text


def _numbered(path: str, text: str, wanted: object) -> str:
    """Lines with their numbers, all or those from one to another; -1 is the last."""
    lines = text.split("\n")
    first, last = 1, len(lines)
    match wanted:
        case None:
            pass
        case [int(start), int(end)] if 1 <= start <= len(lines) and (end == -1 or start <= end):
            first, last = start, len(lines) if end == -1 else min(end, len(lines))
        case _:
            raise Usage(f"view_range is two line numbers from 1 to {len(lines)}, the second may be -1")
    each = [f"{number:6}\t{line}" for number, line in enumerate(lines[first - 1 : last], first)]
    return "\n".join([f"Here's the content of {path} with line numbers:", *each])
