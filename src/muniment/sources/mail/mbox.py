"""An mbox file to its mails, one at a time, in memory for one mail.

A mail begins at an envelope line (`From sender date`) that follows a blank line, or begins the file, and is
followed by a header field. So a sentence that begins with `From ` begins no mail. Where a mail gives its
length and the next one begins just there, the length is believed (mboxcl2), and nothing in it is unquoted;
else one `>` is taken from before each `>From ` (mboxrd, mboxo).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

__all__ = ["MOST_BYTES", "Cut", "begins_mbox", "envelope_date", "mails"]

MOST_BYTES = 64 * 1024 * 1024  # of one mail; of a longer one the beginning is handed on as unread
_LINE = 256 * 1024  # bytes of a line that are read at once
_BOM = b"\xef\xbb\xbf"
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATE = (
    rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t]+"
    rb"(?:" + _MONTH + rb"[ \t]+\d{1,2}|\d{1,2}[ \t]+" + _MONTH + rb"[ \t]+\d{4})[ \t,]+\d{1,2}:\d\d"
)
_ENVELOPE = re.compile(rb"From (?:[^\r\n]{0,300}?[ \t])?(" + _DATE + rb"[^\r\n]{0,60})\r?\n?\Z")
_UNDATED = re.compile(rb"From[ \t]+-?[ \t]*\r?\n\Z")  # as one mail program writes it, before its own fields
_FIELD = re.compile(rb"[!-9;-~]{1,200}[ \t]*:")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cut:
    """One mail of a file: its bytes without the envelope line, and where in the file it stood.

    `whole` is false where it was too long and `raw` is only its beginning.
    """

    number: int
    raw: bytes
    envelope: bytes
    whole: bool = True


@dataclass(slots=True)
class _Lines:
    """The lines of a file with one to look ahead at; a very long line comes in pieces."""

    file: BinaryIO
    ahead: bytes = b""

    def next(self) -> bytes:
        line = self.ahead or self.file.readline(_LINE)
        self.ahead = b""
        return line

    def peek(self) -> bytes:
        if not self.ahead:
            self.ahead = self.file.readline(_LINE)
        return self.ahead

    def tell(self) -> int:
        return self.file.tell() - len(self.ahead)

    def seek(self, place: int) -> None:
        self.file.seek(place)
        self.ahead = b""


def begins_mbox(beginning: bytes) -> bool:
    """Whether a file that begins like this is an mbox."""
    lines = beginning.removeprefix(_BOM).lstrip(b"\r\n").split(b"\n", 2)
    return len(lines) > 1 and _is_envelope(lines[0] + b"\n", lines[1])


def envelope_date(envelope: bytes) -> str | None:
    """The date of an envelope line, as it is written."""
    found = _ENVELOPE.match(envelope)
    return found[1].decode("ascii", "replace").strip() if found else None


def mails(file: BinaryIO) -> Iterator[Cut]:
    """The mails of a file, in its order. What stands before the first one is a cut without an envelope."""
    lines = _Lines(file)
    if lines.peek().startswith(_BOM):
        lines.seek(len(_BOM))
    envelope = _first(lines)
    number = 0
    while envelope or lines.peek():
        number += 1
        raw, whole, following = _one(lines)
        if envelope or raw.strip():
            yield Cut(number, raw, envelope, whole)
        envelope = following


def _first(lines: _Lines) -> bytes:
    """The first envelope line, if the file begins with one."""
    while lines.peek() in (b"\n", b"\r\n"):
        lines.next()
    line = lines.next()
    if _is_envelope(line, lines.peek()):
        return line
    lines.seek(lines.tell() - len(line))
    return b""


def _is_envelope(line: bytes, following: bytes) -> bool:
    if not line.startswith(b"From "):
        return False
    if _UNDATED.match(line):
        return following.startswith(b"X-Mozilla-")
    return _ENVELOPE.match(line) is not None and (
        _FIELD.match(following) is not None or following.startswith(b">From ")
    )


def _one(lines: _Lines) -> tuple[bytes, bool, bytes]:
    """A mail's bytes, whether they are all of it, and the envelope line of the next one."""
    head = _head(lines)
    length = _LENGTH.search(head)
    if length and (body := _measured(lines, int(length[1]))) is not None:
        return head + body, True, _following(lines)
    body, whole, envelope = _scanned(lines)
    return head + _QUOTED.sub(rb"\1", body), whole, envelope


def _head(lines: _Lines) -> bytes:
    """The fields of a mail and the blank line under them."""
    found: list[bytes] = []
    size = 0
    while size < MOST_BYTES and (line := lines.peek()):
        if found and found[-1] in (b"\n", b"\r\n"):
            break
        size += len(line)
        found.append(lines.next())
    return b"".join(found)


def _measured(lines: _Lines, length: int) -> bytes | None:
    """As much as the mail says it has, if the file ends there or the next mail begins there."""
    place = lines.tell()
    if length > MOST_BYTES:
        return None
    lines.seek(place)
    body = lines.file.read(length)
    end = lines.tell()
    if len(body) == length and _ends_here(lines):
        lines.seek(end)
        return body
    lines.seek(place)
    return None


def _ends_here(lines: _Lines) -> bool:
    while lines.peek() in (b"\n", b"\r\n"):
        lines.next()
    line = lines.next()
    return not line or _is_envelope(line, lines.peek())


def _following(lines: _Lines) -> bytes:
    while lines.peek() in (b"\n", b"\r\n"):
        lines.next()
    return lines.next()


def _scanned(lines: _Lines) -> tuple[bytes, bool, bytes]:
    """Everything up to the next envelope line."""
    found: list[bytes] = []
    size, blank, fresh = 0, True, True
    while line := lines.next():
        if blank and fresh and line.startswith(b"From ") and _is_envelope(line, lines.peek()):
            return b"".join(found), size <= MOST_BYTES, line
        size += len(line)
        if size <= MOST_BYTES:
            found.append(line)
        blank, fresh = line in (b"\n", b"\r\n"), line.endswith(b"\n")
    return b"".join(found), size <= MOST_BYTES, b""
