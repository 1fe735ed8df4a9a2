"""The audit's chain: what an entry is sealed under, and everything that can be found wrong with it.

Each entry's head is a digest of the head before it and of the entry's envelope, which holds a salted
commitment in place of the content. Content and salt can be erased together, and the chain still verifies.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from muniment.domain.regex import regex
from muniment.domain.times import format_instant
from muniment.domain.values import Json, Value

__all__ = [
    "AuditEntry",
    "AuditReport",
    "Broken",
    "Envelope",
    "Head",
    "Link",
    "Walk",
    "check_head",
    "commit",
    "genesis",
    "micros",
    "next_head",
    "parse_heads",
]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_HEAD: Final = regex(r"(\d{1,18}):([0-9a-fA-F]{64})\Z")
_SHOWN: Final = 20  # faults named; the rest is counted


@dataclass(frozen=True, slots=True)
class Head(Value):
    """How far the chain is sealed. Published, it holds everything up to its number to what it was."""

    number: int
    hash: str
    sealed_at: datetime | None

    def line(self) -> str:
        """The head as one line, to be kept where the database's owner cannot reach it."""
        at = "" if self.sealed_at is None else f" {format_instant(self.sealed_at)}"
        return f"{self.number}:{self.hash}{at}"


@dataclass(frozen=True, slots=True)
class Envelope:
    """What outlives an entry's content: who did what to which thing, when, and the commitment.

    `at` is in microseconds, as by hand it can be set to what is no date at all.
    """

    entry: int
    at: int | None
    principal: str
    action: str
    object: str
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Link:
    """A place in the chain, and what is found there; no envelope where the entry is gone."""

    number: int
    entry: int
    head: bytes
    sealed_at: int | None
    envelope: Envelope | None
    salt: bytes | None
    content: object


@dataclass(frozen=True, slots=True)
class AuditEntry(Value):
    """An act, as stewards may see it: ids, times and counts, no question and no statement.

    `number` is its place in the chain, null until it is sealed.
    """

    entry: int
    number: int | None
    at: datetime
    principal: str
    action: str
    object: str
    detail: Mapping[str, Json]
    erased: bool
    sealed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Broken(Value):
    """Something found wrong, and where."""

    number: int | None
    entry: int | None
    what: str


@dataclass(frozen=True, slots=True)
class AuditReport(Value):
    """What a verification found.

    `more` counts what is broken beyond what is listed, `published` the heads it was compared with.
    """

    ok: bool
    head: Head
    sealed: int
    erased: int
    waiting: int
    published: int
    broken: tuple[Broken, ...]
    more: int


def genesis(tenant: str) -> bytes:
    """The head before the first entry: no chain of one organisation is another's."""
    return hashlib.sha256(b"muniment audit\x00" + tenant.encode()).digest()


def micros(at: datetime) -> int:
    """An instant as an envelope has it: microseconds since 1970."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def next_head(head: bytes, number: int, sealed_at: int | None, envelope: Envelope) -> bytes:
    """The head over an entry; each part follows its length, so that no two entries have the same bytes."""
    parts = (
        str(number).encode(),
        str(sealed_at).encode(),
        str(envelope.entry).encode(),
        str(envelope.at).encode(),
        envelope.principal.encode(),
        envelope.action.encode(),
        envelope.object.encode(),
        envelope.commitment,
    )
    return hashlib.sha256(head + b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def commit(salt: bytes, content: object) -> bytes:
    """What an entry holds of its content for ever: nothing that can be guessed once the salt is gone."""
    text = json.dumps(_plain(content), sort_keys=True, separators=(",", ":"))
    return hmac.digest(salt, text.encode(), hashlib.sha256)


def parse_heads(text: str) -> list[Head]:
    """The heads in lines as `Head.line` or JSON writes them; ValueError for a line that is none."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return [_parse_head(line, number) for number, line in lines if line]


def check_head(published: Head, found: bytes | None, end: int) -> Iterable[Broken]:
    """Whether a published head is in the chain, by the head found under its number and the last number."""
    number = published.number
    if number > end:
        what = f"the published head is number {number:,} and the chain ends at {end:,}: its tail was cut off"
        yield Broken(number, None, what)
    elif found is not None and found.hex() != published.hash:
        yield Broken(number, None, "the published head is another: the chain was rewritten up to here")


@dataclass(slots=True)
class Walk:
    """A pass along the chain, in order of number, from a head that is taken to be right.

    A fault is told once, where it is: what follows is checked against the head that is stored.
    """

    number: int
    head: bytes
    sealed: int = 0
    erased: int = 0
    broken: list[Broken] = field(default_factory=list)
    more: int = 0

    def report(self, found: Broken) -> None:
        """Take a fault in."""
        if len(self.broken) < _SHOWN:
            self.broken.append(found)
        else:
            self.more += 1

    def follow(self, link: Link) -> None:
        """Check one place, and go on from it; a number that was passed already is nobody's place."""
        if link.number <= self.number:
            self.report(Broken(link.number, link.entry, "no entry is sealed under such a number"))
            return
        self._check_place(link)
        if link.envelope is not None:
            self._check_content(link, link.envelope)
        self.sealed += 1
        self.number, self.head = link.number, link.head

    def _check_place(self, link: Link) -> None:
        expected = self.number + 1
        if link.envelope is None:
            self.report(Broken(link.number, link.entry, "the entry is gone from the audit"))
        if link.number != expected:
            last = link.number - 1
            gone = f"number {expected:,} is" if last == expected else f"numbers {expected:,} to {last:,} are"
            self.report(Broken(expected, None, f"{gone} missing from the chain"))
        elif link.envelope is not None:
            made = next_head(self.head, link.number, link.sealed_at, link.envelope)
            if made != link.head:
                self.report(Broken(link.number, link.entry, "the entry or its place is not what was sealed"))

    def _check_content(self, link: Link, envelope: Envelope) -> None:
        if link.salt is None and link.content is None:
            self.erased += 1
        elif link.salt is None or link.content is None:
            what = "half of its content is gone; erasure takes salt and content together"
            self.report(Broken(link.number, link.entry, what))
        elif not hmac.compare_digest(commit(link.salt, link.content), envelope.commitment):
            self.report(Broken(link.number, link.entry, "its content is not what the entry committed to"))


def _plain(content: object) -> object:
    """Content as it comes back from the database: by its decimal digits, and 2.0 is 2 there."""
    match content:
        case Mapping():
            return {str(key): _plain(part) for key, part in content.items()}
        case list() | tuple():
            return [_plain(part) for part in content]
        case float() if content.is_integer():
            return int(Decimal(repr(content)))
    return content


def _parse_head(line: str, number: int) -> Head:
    match = _HEAD.match(_short(line).split()[0])
    if match is None:
        raise ValueError(
            f"line {number}, {line[:100]!r}, is no head; write NUMBER:HASH, as muniment audit head prints it"
        )
    return Head(int(match[1]), match[2].lower(), None)


def _short(line: str) -> str:
    """A head as NUMBER:HASH, also where it was kept as JSON."""
    if not line.startswith("{"):
        return line
    try:
        said = json.loads(line)
    except ValueError:
        return line
    return f"{said.get('number')}:{said.get('hash')}"
