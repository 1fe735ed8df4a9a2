"""Mails for tests, as bytes, and what comes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from muniment.events.parse import Parsed, parse_event
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.mail import FILES
from muniment.sources.mail.message import Mail, parse
from muniment.sources.parsed import Unread

MBOX, EML = FILES
PLAIN = {
    "From": "Ann Lee <ann@acme.example>",
    "To": "Bo <bo@acme.example>",
    "Subject": "Plan",
    "Date": "Wed, 03 Jun 2026 09:00:00 +0200",
    "Message-ID": "<plan@acme.example>",
}


def raw(body: str | bytes = "We ship on Friday.\n", /, **fields: str | bytes | None) -> bytes:
    """A mail. Field names are given with `_` for `-`; None leaves one out."""
    said: dict[str, str | bytes | None] = {**PLAIN}
    for name, value in fields.items():
        plain = name.replace("_", "-")
        said[next((one for one in said if one.casefold() == plain.casefold()), plain)] = value
    lines = [
        name.encode() + b": " + _bytes(value) + b"\n" for name, value in said.items() if value is not None
    ]
    return b"".join(lines) + b"\n" + _bytes(body)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def read(data: bytes) -> Mail:
    """The mail of these bytes, which must be one."""
    mail = parse(data)
    assert isinstance(mail, Mail), mail
    return mail


def mbox(*mails: bytes, quote: bool = True) -> bytes:
    """The mails in one file, in which lines that begin like an envelope are quoted or left."""
    found = []
    for one in mails:
        head, gap, body = one.partition(b"\n\n")
        if quote:
            body = b"\n".join(
                b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in body.split(b"\n")
            )
        found.append(
            b"From ann@acme.example Wed Jun  3 07:00:00 2026\n" + head + gap + body.rstrip(b"\n") + b"\n\n"
        )
    return b"".join(found)


def handed(owner: str = "user:ann", source: str = "mail", **options: str) -> Handed:
    """A file handed in for somebody's mailbox."""
    return Handed(source, "user:owner", options={"owner": owner, **options})


def told(
    path: Path, data: bytes, kind: FileKind = MBOX, by: Handed | None = None
) -> list[Mapping[str, object]]:
    """The events of a file, in which nothing was unread and which the front door accepts as they are."""
    path.write_bytes(data)
    return accepted(kind.read(path, by or handed()))


def accepted(parsed: Iterable[object]) -> list[Mapping[str, object]]:
    """The events, each of which the front door takes without a note."""
    events = []
    for one in parsed:
        assert isinstance(one, Mapping), one
        found = parse_event(one)
        assert isinstance(found, Parsed), found
        assert found.notes == (), found.notes
        events.append(one)
    return events


def unread(parsed: Iterable[object]) -> list[str]:
    """The reasons of what was not read."""
    return [one.reason for one in parsed if isinstance(one, Unread)]


def items(events: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """The mails and documents among events."""
    return [one for one in events if one["op"] == "upsert"]
