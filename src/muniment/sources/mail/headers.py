"""Header fields of a mail as somebody reads them: words decoded, people, ids, dates. Nothing raises."""

from __future__ import annotations

import base64
import binascii
import quopri
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

from muniment.domain.regex import regex
from muniment.sources.mail.charset import decode

__all__ = ["Dated", "Person", "bare_id", "dated", "message_ids", "people", "unfolded", "words"]

_LONGEST = 100_000  # characters of a field that are looked at
_MOST_PEOPLE = 1_000
_LONGEST_ADDRESS = 320  # bytes
_WORD = regex(r"=\?([^?\s]{0,80})\?([bBqQ])\?([^?]{0,4000})\?=")
_BETWEEN = regex(r"(\?=)[ \t\r\n]{1,100}(?==\?)")
_FOLD = regex(r"\r?\n(?=[ \t])|[\r\n]")
_ADDRESS = regex(r"[^\s@<>,;:\"()\[\]]{1,128}@[^\s@<>,;:\"()]{1,190}\Z")
_ID = regex(r"<([^<>\s]{1,900})>")
_JUNK = regex(r"[\x00-\x20\x7f<>\"]+")
_CLOSED = regex(r"[^<>]{0,400}>")
_ZONE = regex(r"(?:[+-]\d{4}|\b(?:UTC?|GMT|Z|[ECMP][SD]T))\b")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a field: the address in one case, and what they are called there."""

    address: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Dated:
    """When a field says something was: an instant in its own offset, and whether it said an offset at all."""

    at: datetime
    tz_known: bool


def unfolded(raw: str) -> str:
    """One line of a raw field without NUL characters, cut where nobody reads on."""
    return _FOLD.sub("", raw[:_LONGEST]).replace("\x00", "").strip()


def words(raw: str) -> str:
    """A field as text: encoded words decoded, raw bytes read as UTF-8 or as a guess."""
    text = _BETWEEN.sub(r"\1", unfolded(raw))
    parts: list[str] = []
    at = 0
    waiting: tuple[str, bytes] | None = None  # a character may be cut between two words of one charset
    for match in _WORD.finditer(text):
        between = text[at : match.start()]
        charset, said = match[1].split("*")[0], _unpacked(match[2], match[3])
        if waiting is not None and not between and waiting[0].casefold() == charset.casefold():
            waiting = (charset, waiting[1] + said)
        else:
            parts += [*_read(waiting), _plain(between)]
            waiting = (charset, said)
        at = match.end()
    return " ".join("".join([*parts, *_read(waiting), _plain(text[at:])]).split())


def _read(waiting: tuple[str, bytes] | None) -> Iterator[str]:
    if waiting is not None:
        yield decode(waiting[1], waiting[0])[0]


def _unpacked(how: str, said: str) -> bytes:
    raw = said.encode("utf-8", "surrogateescape")
    if how in "qQ":
        return quopri.decodestring(raw, header=True)
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return raw


def _plain(text: str) -> str:
    """What is outside encoded words; bytes that are no ASCII came through as surrogates."""
    if text.isascii():
        return text
    return decode(text.encode("utf-8", "surrogateescape"), None)[0]


def people(raw: str) -> tuple[Person, ...]:
    """Everybody a field names by an address, each once, in its order."""
    found: dict[str, Person] = {}
    for piece in _pieces(unfolded(raw)):
        if len(found) >= _MOST_PEOPLE:
            break
        if (person := _person(piece)) is not None:
            found.setdefault(person.address, person)
    return tuple(found.values())


def _pieces(text: str) -> Iterator[str]:
    """A list of addresses at its commas, but for those in quotes, brackets and comments; groups opened."""
    start, quoted, bracket, comment = 0, False, False, 0
    for at, char in enumerate(text):
        if quoted:
            quoted = char != '"' or text[at - 1] == "\\"
        elif char == '"' and not bracket:
            quoted = '"' in text[at + 1 : at + 1_000]  # one that is never closed quotes nothing
        elif char in "()":
            comment = max(comment + (1 if char == "(" else -1), 0)
        elif char in "<>":
            bracket = char == "<" and _CLOSED.match(text, at + 1) is not None
        elif not bracket and not comment and char in ",;:":
            if char != ":":
                yield text[start:at]
            start = at + 1
    yield text[start:]


def _person(piece: str) -> Person | None:
    before, bracket, rest = piece.rpartition("<")
    if not bracket:
        shown, _, comment = piece.partition("(")
        return _known(shown, comment.rstrip(") "))
    return _known(rest.partition(">")[0], before)


def _known(address: str, name: str) -> Person | None:
    plain = _plain(address.strip().strip("'\"")).casefold()
    if not _ADDRESS.match(plain) or len(plain.encode()) > _LONGEST_ADDRESS:
        return None
    called = words(name.strip().strip("\"'").replace('\\"', '"').replace("\\\\", "\\")).strip("\"' ")
    return Person(plain, called[:200] if called and called.casefold() != plain else None)


def message_ids(raw: str) -> tuple[str, ...]:
    """The ids in a field, without their brackets, each once; commas and other junk between them passed by."""
    text = unfolded(raw)
    return tuple(dict.fromkeys(_plain(found) for found in _ID.findall(text)))


def bare_id(raw: str) -> str | None:
    """A mail's own id, be it in brackets or not."""
    found = message_ids(raw)
    if found:
        return found[0]
    return _plain(_JUNK.sub("", unfolded(raw))) or None


def dated(raw: str) -> Dated | None:
    """The instant of a date field; None where it names none. Without an offset it is read as UTC."""
    text = unfolded(raw)[:200]
    try:
        parts = parsedate_tz(text)
        if parts is None or not 1970 <= parts[0] <= 9000:
            return None
        plain = datetime(*parts[:6])  # noqa: DTZ001  # the offset is added below
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    offset = parts[9]
    known = offset is not None and "-0000" not in text and _ZONE.search(text) is not None
    return _zoned(plain, offset if known else None)


def _zoned(plain: datetime, offset: int | None) -> Dated | None:
    if offset is None or abs(offset) > 14 * 3600 or offset % 60:
        return Dated(plain.replace(tzinfo=UTC), tz_known=False)
    return Dated(plain.replace(tzinfo=timezone(timedelta(seconds=offset))), tz_known=True)
