"""Whose words they are, as the marks of a cue say, and the words without marks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.regex import regex
from muniment.sources.meetings.said import Piece

__all__ = ["INLINE_TIME", "plain", "prefixed", "voices"]

_VOICE: Final = regex(r"<v(?:\.[\w.-]{1,80})?(?:[ \t]+([^<>]{0,200}))?>|</v>", re.IGNORECASE)
INLINE_TIME: Final = regex(r"<(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}>", re.ASCII)
_MARK: Final = regex(
    r"</?(?:c|i|b|u|s|ruby|rt|lang|v|font|span)(?:[.\s][^<>]{0,200})?>"
    r"|<(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}>|\{\\an?\d{1,2}\}",
    re.IGNORECASE,
)
_PREFIX: Final = regex(r"([^\W\d_][^:：<>\[\]|\n]{0,59})[:：](?!//)[ \t]*(?=\S)")
_NOBODY: Final = frozenset("note notes http https re ps time date topic question answer warning".split())
_MOSTLY: Final = 0.5  # of the cues, where names before a colon are who speaks


def voices(line: str, speaker: str | None) -> Iterator[tuple[str | None, str]]:
    """The parts of a line, each with who speaks it, beginning with who spoke before."""
    at = 0
    for mark in _VOICE.finditer(line):
        if line[at : mark.start()].strip():
            yield speaker, line[at : mark.start()]
        speaker = " ".join(html.unescape(mark[1] or "").split()) or None
        at = mark.end()
    if line[at:].strip() or at == 0:
        yield speaker, line[at:]
    elif not _VOICE.sub("", line).strip():
        yield speaker, ""


def plain(words: str) -> str:
    """The words without marks, entities as the characters they stand for, single spaces."""
    return " ".join(html.unescape(_MARK.sub("", words)).replace("\u200b", "").split())


def prefixed(pieces: Sequence[Piece], *, always: bool) -> Sequence[Piece]:
    """The pieces with who speaks taken from `Name: words`, where that is how the file says it.

    It is where most cues begin so: one colon in what was said makes nobody a speaker. `always` is for a
    program that is known to write so; a label such as `Note:` is nobody there either.
    """
    if any(piece.speaker for piece in pieces):
        return pieces
    first = {piece.cue: piece for piece in reversed(pieces)}
    named = sum(1 for piece in first.values() if _name(piece.text))
    if not always and (named < 2 or named < _MOSTLY * len(first)):
        return pieces
    return list(_with_names(pieces))


def _with_names(pieces: Sequence[Piece]) -> Iterator[Piece]:
    cue, speaker = -1, None
    for piece in pieces:
        if piece.cue != cue:
            cue, speaker = piece.cue, None
        name = _name(piece.text)
        if name is None:
            yield piece._replace(speaker=speaker)
        else:
            speaker = name
            match = _PREFIX.match(piece.text)
            yield piece._replace(speaker=name, text=piece.text[match.end() if match else 0 :])


def _name(text: str) -> str | None:
    match = _PREFIX.match(text)
    name = " ".join(match[1].split()) if match is not None else ""
    if not name or name.casefold() in _NOBODY or len(name.split()) > 6:
        return None
    return None if any(mark in name for mark in ("? ", "! ", ", ", "。", "，")) else name
