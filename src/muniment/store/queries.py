"""Named statements from `sql/queries/<room>.sql`, so that SQL is read, reviewed and tested as SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, LiteralString

from muniment.domain.regex import regex

__all__ = ["load", "parse"]

_NAME: Final = regex(r"^-- name:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_VALID: Final = regex(r"[a-z][a-z0-9_]*")
_INDENT: Final = regex(r"^[ \t]+", re.MULTILINE)
_WHY: Final = regex(r"\A(?:[ \t]*(?:--[^\n]*)?\n)+")


class _Statements(dict[str, LiteralString]):
    """The statements of one file by name. A name it does not have is an error that names the file."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def __missing__(self, name: str) -> LiteralString:
        raise KeyError(f"no statement {name!r} in {self._path}")


@cache
def load(room: str) -> Mapping[str, LiteralString]:
    """The statements of a room, read once."""
    path = f"sql/queries/{room}.sql"
    return parse(path, (files("muniment") / path).read_text(encoding="utf-8"))


def parse(path: str, text: str) -> Mapping[str, LiteralString]:
    """Split a file at its `-- name:` lines; what is above the first is about the file."""
    statements = _Statements(path)
    _, *blocks = _NAME.split(text)
    for name, body in zip(blocks[::2], blocks[1::2], strict=True):
        if not _VALID.fullmatch(name):
            raise ValueError(
                f"statement name {name!r} in {path} is not lowercase letters, digits and underscores"
            )
        if name in statements:
            raise ValueError(f"statement name {name!r} is used twice in {path}")
        # The text is shipped with the program and never assembled, which is what LiteralString means.
        # What is said above it stays here, and so does its shape: psycopg looks statements of more than 4,096
        # characters over anew for every call.
        statements[name] = _INDENT.sub("", _WHY.sub("", body)).strip()
    return statements
