"""The `git` program, asked about a repository: it reads objects, and runs nothing the repository asks for."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from muniment.domain.errors import Unavailable

__all__ = ["Change", "Repository"]

_SECONDS = 600
# What a repository's own configuration could have run or fetched.
_QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.directory=*",
    "diff.external=",
    "core.quotePath=false",
)
_ASIDE = {
    "PATH": os.defpath,
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
_FILES = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class Change:
    """A path as a commit leaves it: the file it was and the file it is, None where there is none."""

    path: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository and the branch that is read."""

    path: Path
    branch: str

    def head(self) -> str:
        """The commit the branch stands at."""
        asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{self.branch}^{{commit}}"]
        return self._ask(asked).decode().strip()

    def line(self, head: str, most: int) -> list[tuple[str, str | None]]:
        """The branch's own commits, oldest first, each with what it followed. The last `most` of them."""
        asked = ["rev-list", "--first-parent", "--parents", "--reverse", f"--max-count={most}", head]
        rows = (row.split() for row in self._ask(asked).decode().splitlines())
        return [(row[0], row[1] if len(row) > 1 else None) for row in rows]

    def length(self, head: str) -> int:
        """How many commits the branch's own line has."""
        return int(self._ask(["rev-list", "--first-parent", "--count", head]))

    def commits(self, head: str, since: str | None, most: int) -> list[str]:
        """Every commit that led here, merged branches' too, oldest first."""
        without = [] if since is None else [f"^{since}"]
        asked = ["rev-list", "--topo-order", "--reverse", f"--max-count={most}", head, *without]
        return self._ask(asked).decode().split()

    def changes(self, line: Sequence[tuple[str, str | None]]) -> Iterator[tuple[str, list[Change]]]:
        """For each commit of the line, what it changed."""
        asked = ["diff-tree", "--stdin", "-r", "--root", "-z", "--raw", "--no-renames", "--no-abbrev"]
        wanted = "".join(f"{commit} {parent}\n" if parent else f"{commit}\n" for commit, parent in line)
        tokens = iter(self._ask([*asked, "--no-ext-diff", "--no-textconv"], wanted.encode()).split(b"\0"))
        commit = ""
        found: list[Change] = []
        for token in tokens:
            if token.startswith(b":"):
                found += _change(token.decode(), next(tokens).decode("utf-8", "replace"))
            elif token.strip():
                if commit:
                    yield commit, found
                commit, found = token.decode().strip().split()[0], []
        if commit:
            yield commit, found

    def tree(self, commit: str) -> list[Change]:
        """Every file a commit holds, as if it had made them all."""
        rows = (row for row in self._ask(["ls-tree", "-r", "-z", commit]).split(b"\0") if row)
        parts = (row.decode("utf-8", "replace").partition("\t") for row in rows)
        split = ((head.split(" "), path) for head, _, path in parts)
        return [Change(path, None, head[2]) for head, path in split if head[0] in _FILES]

    def objects(self, names: Iterable[str], most: int) -> Iterator[bytes | None]:
        """The contents of objects by name, in order; None for one that is larger than this, or missing."""
        wanted = list(names)
        sizes = self._ask(
            ["cat-file", "--batch-check=%(objectsize)"], "".join(f"{n}\n" for n in wanted).encode()
        )
        fits = [row.isdigit() and int(row) <= most for row in sizes.decode("utf-8", "replace").splitlines()]
        asked = "".join(f"{name}\n" for name, fit in zip(wanted, fits, strict=True) if fit)
        given = _contents(self._ask(["cat-file", "--batch"], asked.encode())) if asked else iter(())
        for fit in fits:
            yield next(given) if fit else None

    def _ask(self, words: Sequence[str], given: bytes = b"") -> bytes:
        program = shutil.which("git")
        if program is None:
            raise Unavailable("the program git is not installed: install it to read repositories")
        settings = [part for one in _QUIET for part in ("-c", one)]
        command = [program, "--no-pager", "-C", str(self.path), *settings, *words]
        try:
            done = subprocess.run(
                command, input=given, capture_output=True, timeout=_SECONDS, env=_ASIDE, check=False
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(f"git took longer than {_SECONDS} seconds in {str(self.path)!r}") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:200]
            reason = said or f"it has no branch {self.branch!r}"
            raise Unavailable(f"git cannot read {str(self.path)!r}: {reason}")
        return done.stdout


def _change(raw: str, path: str) -> list[Change]:
    """Regular files only: what a link or a submodule leads to is not this repository's."""
    old_mode, new_mode, old, new, _ = raw[1:].split(" ")
    was, now = (old if old_mode in _FILES else None), (new if new_mode in _FILES else None)
    return [Change(path, was, now)] if was or now else []


def _contents(batch: bytes) -> Iterator[bytes]:
    """Each object of a batch: a line with its size, then that many bytes."""
    at = 0
    while at < len(batch):
        end = batch.index(b"\n", at)
        size = int(batch[at:end].rsplit(b" ", 1)[1])
        yield batch[end + 1 : end + 1 + size]
        at = end + size + 2
