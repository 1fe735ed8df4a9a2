"""What a look gave: the lines that an entry of the ledger holds, and a print of all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Usage

__all__ = ["LONGEST", "Seen", "Window", "seen", "window"]

LONGEST: Final = 19_000  # characters of an answer; an entry of the ledger holds a little more
_MOST: Final = 1_000  # lines of it
_LINE: Final = LONGEST - 100
_SPAN: Final = timedelta(hours=1)  # that logs and traces are looked back where nobody says


@dataclass(frozen=True, slots=True)
class Window:
    """From when until when it is looked at."""

    since: datetime
    until: datetime


def window(since: datetime | None, until: datetime | None, now: datetime) -> Window:
    """The window that was asked for; else the hour before its end, which is now."""
    end = until or now
    begin = since or end - _SPAN
    if begin >= end:
        raise Usage(f"there is nothing to see from {begin.isoformat()} until {end.isoformat()}")
    return Window(begin, end)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was asked, and what was answered.

    `left` counts the lines that were cut, and `digest` is of all lines, cut or not: the same answer has
    the same one, whoever looks it up again.
    """

    tool: str
    query: str
    text: str
    left: int
    digest: str


def seen(tool: str, query: str, answered: Iterable[str]) -> Seen:
    """An answer's lines, as many as an entry holds, from the first."""
    whole, kept, size, count = hashlib.sha256(), list[str](), 0, 0
    for count, line in enumerate(answered, 1):
        whole.update(line.encode("utf-8", "replace") + b"\n")
        size += min(len(line), _LINE) + 1
        if count <= _MOST and (size <= _LINE or count == 1):
            kept.append(line[:_LINE])
    left = count - len(kept)
    told = [*(kept or ["nothing"]), *([f"… and {left} lines more"] if left else [])]
    return Seen(tool, query, "\n".join(told), left, whole.hexdigest())
