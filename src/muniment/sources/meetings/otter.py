"""Otter's text: a line with who and when, then what they said, then a blank line."""

from __future__ import annotations

import re
from typing import Final

from muniment.domain.regex import regex
from muniment.sources.meetings.cues import Cues, Dropped
from muniment.sources.meetings.said import Utterance

__all__ = ["is_otter", "read_otter"]

_HEAD: Final = regex(r"[ \t]*(\S.{0,79}?)[ \t]+(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)[ \t]*\Z", re.ASCII)
_CREDIT: Final = regex(r"transcribed by https?://otter\.ai", re.IGNORECASE)
_LINE_END: Final = regex(r"\r\n|\n|\r")
_UNNAMED: Final = regex(r"(?:unknown speaker|speaker)\Z", re.IGNORECASE)


def is_otter(text: str) -> bool:
    """Whether a text begins as such a file does: with who and when, and there is another such line."""
    lines = [line for line in _LINE_END.split(text.removeprefix("\ufeff")) if line.strip()]
    return bool(lines) and _HEAD.match(lines[0]) is not None and sum(map(_is_head, lines)) > 1


def _is_head(line: str) -> bool:
    return _HEAD.match(line) is not None


def read_otter(text: str) -> Cues:
    """Who said what when; a line before anybody is named is dropped with that reason."""
    spoken: list[Utterance] = []
    dropped: list[Dropped] = []
    heads: set[int] = set()
    blank: set[int] = set()
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        head = _HEAD.match(line)
        if not line.strip():
            blank.add(number)
        elif _CREDIT.search(line):
            dropped.append(Dropped(number, "credit of the program", line))
        elif head is not None:
            heads.add(number)
            spoken.append(_begun(head))
        elif not spoken:
            dropped.append(Dropped(number, "stands before the first speaker", line))
        else:
            spoken[-1] = _more(spoken[-1], line, number)
    said = tuple(one for one in spoken if one.text)
    return Cues(said, tuple(dropped), frozenset(heads), frozenset(blank))


def _begun(head: re.Match[str]) -> Utterance:
    seconds = int(head[2] or 0) * 3600 + int(head[3]) * 60 + int(head[4])
    speaker = None if _UNNAMED.match(head[1]) else head[1]
    return Utterance(speaker, "", float(seconds), float(seconds))


def _more(said: Utterance, line: str, number: int) -> Utterance:
    text = f"{said.text} {' '.join(line.split())}".strip()
    return said._replace(text=text, lines=(*said.lines, number))
