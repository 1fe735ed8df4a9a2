"""One mail's bytes to what it says: a frozen value, the same whichever mailbox the bytes came from.

Parsed by the standard library without its own reading of fields, which raises on real ones. What a mailbox
or a way there adds (`Received`, labels, `Bcc`, a list's own fields) is not looked at.
"""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import dataclass
from datetime import datetime
from email.message import Message

from muniment.domain.regex import regex
from muniment.sources.mail.headers import Dated, Person, bare_id, dated, message_ids, people, words
from muniment.sources.mail.parts import Attached, Text, files_of, text_of

__all__ = ["Mail", "Unparsed", "parse"]

MOST_BYTES = 64 * 1024 * 1024
_MOST_LEVELS = 200  # parts within parts: the parser looks at each line once a level
_MOST_FIELDS = 2_000
_MOST_HEAD = 512 * 1024  # bytes: about 10,000 recipients
_BLANK = re.compile(rb"\r?\n\r?\n|\r\r")
_MULTIPART = re.compile(rb"multipart/", re.IGNORECASE)
_RECALL = regex(
    r"(?:recall|message recall|rückruf|rappel|回收|撤回)\s?[:：]\s?(?P<subject>\S.*)\Z", re.IGNORECASE
)
_MOST_REFERENCES = 200


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Why no mail could be made of the bytes."""

    reason: str


@dataclass(frozen=True, slots=True)
class Mail:
    """What a mail says of itself and in its text.

    `date` is None where it has none that can be read; `said_date` is the field as it stands. `arrived` is
    when the first server had it, by its own word. `recalls` is the subject of the mail it asks back.
    """

    message_id: str | None
    sender: Person | None
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    subject: str
    date: Dated | None
    said_date: str
    arrived: datetime | None
    references: tuple[str, ...]
    text: Text
    files: tuple[Attached, ...]
    recalls: str | None = None
    labels: tuple[str, ...] = ()


def parse(raw: bytes) -> Mail | Unparsed:
    """The mail of these bytes, or why there is none. Never raises."""
    if len(raw) > MOST_BYTES:
        return Unparsed(f"it has {len(raw)} bytes, more than the limit of {MOST_BYTES}")
    if len(raw) > _MOST_HEAD and _BLANK.search(raw, 0, _MOST_HEAD) is None:
        return Unparsed(f"its fields alone are longer than {_MOST_HEAD} bytes")
    if len(_MULTIPART.findall(raw)) > _MOST_LEVELS:
        return Unparsed(f"it is in parts within parts, more than {_MOST_LEVELS}")
    try:
        message = email.message_from_bytes(raw, policy=email.policy.compat32)
        fields = _fields(message)
        if not fields.keys() & {"from", "to", "subject", "date", "message-id", "received", "content-type"}:
            return Unparsed("it has no field of a mail: no From, To, Subject, Date or Message-ID")
        return _mail(message, fields)
    except RecursionError:
        return Unparsed("its parts are nested too deeply")


def _fields(message: Message) -> dict[str, list[str]]:
    """Raw fields by name in one case, in their order."""
    found: dict[str, list[str]] = {}
    for name, value in list(message.raw_items())[:_MOST_FIELDS]:
        found.setdefault(name.casefold(), []).append(str(value))
    return found


def _mail(message: Message, fields: dict[str, list[str]]) -> Mail:
    def first(name: str) -> str:
        return fields.get(name, [""])[0]

    senders = people(first("from")) or people(first("sender"))
    said_date = words(first("date"))[:200]
    subject = words(first("subject"))[:1_000]
    return Mail(
        message_id=bare_id(first("message-id")),
        sender=senders[0] if senders else None,
        to=_everybody(fields, "to"),
        cc=_everybody(fields, "cc"),
        subject=subject,
        date=dated(first("date")),
        said_date=said_date,
        arrived=_arrived(fields.get("received", [])),
        references=_references(first("references"), first("in-reply-to")),
        text=text_of(message),
        files=files_of(message),
        recalls=_recalls(subject, first("x-ms-exchange-message-class") or first("x-message-class")),
        labels=tuple(one.strip(' "') for one in words(first("x-gmail-labels")).split(",") if one.strip()),
    )


def _everybody(fields: dict[str, list[str]], name: str) -> tuple[Person, ...]:
    found: dict[str, Person] = {}
    for raw in fields.get(name, []):
        found |= {one.address: one for one in people(raw) if one.address not in found}
    return tuple(found.values())


def _references(references: str, in_reply_to: str) -> tuple[str, ...]:
    """What it answers, root first; a reply that lists no references answers what it says it does."""
    found = [*message_ids(references), *message_ids(in_reply_to)]
    return tuple(dict.fromkeys(found))[:_MOST_REFERENCES]


def _arrived(received: list[str]) -> datetime | None:
    """The time of the hop nearest to the sender that has one, which all copies share."""
    for raw in reversed(received):
        found = dated(raw.rpartition(";")[2])
        if found is not None:
            return found.at
    return None


def _recalls(subject: str, message_class: str) -> str | None:
    """The subject of the mail that this one asks its readers to give back."""
    found = _RECALL.match(subject)
    if found is not None:
        return found["subject"]
    return subject or None if "outlook.recall" in message_class.casefold() else None
