"""Where words go: the value to stdout, everything else to stderr, and no more colour than was asked for."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TextIO

from muniment.domain.regex import regex
from muniment.settings import Settings

if TYPE_CHECKING:
    from muniment.domain.values import Value

__all__ = [
    "Line",
    "Look",
    "ReaderGoneError",
    "clean",
    "counted",
    "give",
    "json_line",
    "one_line",
    "put",
    "put_each",
    "put_json",
    "say",
    "show",
    "warn",
]

# What a terminal would obey, and marks that turn the direction of what follows. Tab and newline are left.
_OBEYED = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Look(Enum):
    """How a line looks on a terminal, as the code that makes it so."""

    PLAIN = ""
    STRONG = "1"
    FAINT = "2"
    ALERT = "33"
    PROMPT = "36"


class ReaderGoneError(Exception):
    """Whoever read our output has closed it, as `head` does; there is nobody left to tell."""


@dataclass(frozen=True, slots=True)
class Line:
    """One or more lines of text that look alike."""

    text: str = ""
    look: Look = Look.PLAIN


def clean(text: str) -> str:
    """Text without the characters a terminal would obey, whoever wrote it."""
    return _OBEYED.sub("", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same on a single line."""
    return " ".join(clean(text).split())


def counted(count: int, one: str, many: str | None = None) -> str:
    """So many of something, in words."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def put(text: str, look: Look = Look.PLAIN) -> None:
    """Say it on stdout."""
    _write(sys.stdout, text, look)


def show(lines: Iterable[Line]) -> None:
    """Say each line on stdout."""
    for line in lines:
        put(line.text, line.look)


def put_json(value: Value | dict[str, object]) -> None:
    """One value on one line of stdout."""
    _print(sys.stdout, json_line(value))


def put_each(values: Iterable[Value | dict[str, object]]) -> None:
    """One value a line."""
    for value in values:
        put_json(value)


def give(found: Value | Sequence[Value], lines: Iterable[Line], *, as_json: bool) -> None:
    """What was found: as JSON, a value a line, or the lines in which a person reads it."""
    if not as_json:
        show(lines)
    elif isinstance(found, Sequence):
        put_each(found)
    else:
        put_json(found)


def json_line(value: Value | dict[str, object]) -> str:
    """A value as one line of JSON; what has no bytes or would be obeyed is escaped, and so not lost."""
    # Here, because help and errors print none, and what it brings takes as long as all the rest of them.
    from muniment.domain.values import Value, dump  # noqa: PLC0415

    content = value.model_dump() if isinstance(value, Value) else dump(value)
    text = json.dumps(content, ensure_ascii=False)
    safe = _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return safe.encode("utf-8", "backslashreplace").decode()


def say(text: str, look: Look = Look.PLAIN) -> None:
    """Say it on stderr: how something goes, never its result."""
    _write(sys.stderr, text, look)


def warn(text: str) -> None:
    """One line on stderr that does not change how the command ends."""
    say(f"muniment: warning: {one_line(text)}", Look.ALERT)


def _write(stream: TextIO, text: str, look: Look) -> None:
    plain = clean(text)
    coloured = look is not Look.PLAIN and bool(plain) and stream.isatty() and Settings.read().colour
    _print(stream, f"\x1b[{look.value}m{plain}\x1b[0m" if coloured else plain)


def _print(stream: TextIO, text: str) -> None:
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        # Under another name, or typer would end the command with the code of a failure.
        raise ReaderGoneError from None
