"""Which files of a folder are left out, in the words of a `.gitignore`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from muniment.domain.regex import regex

__all__ = ["Excluded"]

_PIECE = regex(r"\*\*/|\*\*|\*|\?|[^*?]+")
_MEANS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line: what it matches, whether that comes back in, and whether only folders are meant."""

    matches: re.Pattern[str]
    returns: bool
    folders: bool

    def holds(self, path: str) -> bool:
        """Whether it names the path, or a folder above it."""
        found = self.matches.match(path)
        return found is not None and (not self.folders or bool(found["below"]))


@dataclass(frozen=True, slots=True)
class Excluded:
    """Patterns in order; the last that names a path decides."""

    patterns: tuple[_Pattern, ...] = ()

    @classmethod
    def read(cls, said: str | Iterable[str]) -> Excluded:
        """From lines, or from one line with commas: `drafts/, *.tmp, /archive/**, !keep.tmp`."""
        lines = re.split(r"[,\n]", said) if isinstance(said, str) else said
        words = (line.strip() for line in lines)
        return cls(tuple(_pattern(word) for word in words if word and not word.startswith("#")))

    def holds(self, path: str) -> bool:
        """Whether the path, relative to the folder, is left out."""
        out = False
        for one in self.patterns:
            if one.holds(path):
                out = not one.returns
        return out


def _pattern(word: str) -> _Pattern:
    returns = word.startswith("!")
    bare = word.removeprefix("!")
    folders = bare.endswith("/")
    inner = bare.strip("/")
    anywhere = "" if "/" in bare.rstrip("/") else "(?:.*/)?"
    said = "".join(_MEANS.get(one) or re.escape(one) for one in _PIECE.findall(inner))
    return _Pattern(re.compile(rf"{anywhere}{said}(?P<below>/.*)?\Z", re.DOTALL), returns, folders)
