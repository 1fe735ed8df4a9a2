"""Comments in source code, told from strings by a scanner that knows how each language marks them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from muniment.domain.regex import regex

__all__ = ["comments", "is_code", "worth_reading"]

_SLASHES = "c cc cpp cs cxx dart go h hpp java js jsx kt m mjs php proto rs scala swift ts tsx zig".split()
_HASHES = "bash cr ex exs jl nix pl pm ps1 py pyi r rb sh tf zsh".split()
_DASHES = "hs lua sql".split()
_NAMED = {"Dockerfile": "#", "Makefile": "#", "Justfile": "#"}
_STYLE = {
    **dict.fromkeys(_SLASHES, "/"),
    **dict.fromkeys(_HASHES, "#"),
    **dict.fromkeys(_DASHES, "-"),
}
# Whatever is not closed is passed over to a bound, and never looked into again: no file takes quadratic time.
_STRING = r"\"(?:\\.|[^\"\\\n])*+\"?|'(?:\\.|[^'\\\n]){0,200}+'"
_TICKED = r"`(?:\\.|[^`\\]){0,20000}+`?"
_FINDS = {
    "/": regex(rf"{_STRING}|`(?:\\.|[^`\\])*`|(?P<line>//[^\n]*)|(?P<block>/\*.*?(?:\*/|\Z))", re.DOTALL),
    "#": regex(rf"{_STRING}|(?P<line>(?<![^\s])#[^\n]*)|(?P<block>(?!))", re.DOTALL),
    "-": regex(rf"{_STRING}|(?P<line>--[^\n]*)|(?P<block>/\*.*?(?:\*/|\Z))", re.DOTALL),
}
_MARKS = regex(r"^[ \t]*(?:/{2,}!?|/\*+!?|\*+(?!/)|#+!?|-{2,}|\*+/)[ \t]?|[ \t]*\*+/[ \t]*$", re.MULTILINE)
_LEGAL = regex(
    r"copyright|SPDX-License|licen[sc]ed under|all rights reserved|permission is hereby", re.IGNORECASE
)
_FOR_TOOLS = regex(
    r"\s*(?:noqa|type:\s*ignore|pragma|pylint|mypy:|ruff:|isort|fmt:|eslint|tslint|prettier|@ts-|nolint|"
    r"clang-format|istanbul|coverage:|-\*-|vim?:|go:|\+build|region\b|endregion\b)",
    re.IGNORECASE,
)
_RUN_BY = regex(r"\A#![^\n]*\n?")
_WORD = regex(r"[^\W\d_]{2,}")
_FEWEST = 3  # words that say something


def is_code(path: str) -> bool:
    """Whether a file is source code in a language whose comments are known."""
    return _style(path) is not None


def _style(path: str) -> str | None:
    name = PurePosixPath(path)
    return _NAMED.get(name.name) or _STYLE.get(name.suffix.lower().removeprefix("."))


def comments(source: str, path: str) -> Iterator[str]:
    """Comments worth reading, those on lines that follow each other as one."""
    gathered: list[str] = []
    end = -2
    for start, stop, text in _found(source, _FINDS[_style(path) or "#"]):
        if gathered and source[end:start].strip() == "" and source.count("\n", end, start) <= 1:
            gathered.append(text)
        else:
            yield from worth_reading("\n".join(gathered))
            gathered = [text]
        end = stop
    yield from worth_reading("\n".join(gathered))


def _found(source: str, finds: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    for match in finds.finditer(source):
        text = match["line"] or match["block"]
        if text:
            yield match.start(), match.end(), text


def worth_reading(comment: str) -> Iterator[str]:
    """A comment's words without its marks, where they are meant for people and say something of their own."""
    lines = (line.rstrip() for line in _MARKS.sub("", _RUN_BY.sub("", comment)).split("\n"))
    text = "\n".join(line for line in lines if not _FOR_TOOLS.match(line)).strip()
    if len(_WORD.findall(text)) >= _FEWEST and not _LEGAL.search(text[:600]):
        yield text
