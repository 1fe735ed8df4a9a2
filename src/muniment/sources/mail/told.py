"""A mail as events: the item, who holds a copy of it, and the files that came with it.

An item's id is its Message-ID with a digest of all that the item says. Two mailboxes that hold one mail make
one item; a mail that only claims another's Message-ID makes one of its own, so that nobody becomes a reader
of a mail by sending himself its id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from muniment.domain.regex import regex
from muniment.domain.times import format_instant
from muniment.sources.folder import Document, read_document
from muniment.sources.mail.headers import Person
from muniment.sources.mail.message import Mail
from muniment.sources.mail.parts import Attached
from muniment.sources.parsed import Event

__all__ = ["Held", "children_of", "events_of", "item_id", "recall_of", "released"]

_LONGEST_ID = 200  # bytes of a Message-ID that are kept as they are
_MOST_FILES = 100
_READ = {"text/plain": ".txt", "text/markdown": ".md", "text/x-markdown": ".md", "text/html": ".html"}
_SUFFIXES = frozenset((".txt", ".text", ".md", ".markdown", ".html", ".htm"))
_SOURCE = regex(r"[a-z][\w.-]*\Z")


@dataclass(frozen=True, slots=True)
class Held:
    """In whose mailbox a mail was found, for which source, and since when as far as is known.

    `at` is when a mail without a date of its own is taken to have been sent. `since` None takes the mail's
    own time, which is the same at every import.
    """

    source: str
    owner: str
    at: datetime
    since: datetime | None = None
    account: str | None = None


def events_of(mail: Mail, held: Held) -> Iterator[Event]:
    """Who holds the mail, the mail, and each of its files that is a text, the same way."""
    said = _said(mail)
    name = _id(mail, said)
    at = _at(mail, held)
    yield _holding(name, held, at)
    about = {"account": held.account} if held.account else {}
    yield {"source": held.source, "id": name, "op": "upsert", "at": at, "version": "1", **said, **about}
    for number, file in enumerate(mail.files[:_MOST_FILES], 1):
        document = _document(file)
        if document is not None:
            child = f"{name}/{number}"
            yield _holding(child, held, at)
            yield {**_attached(document, file, mail, held), "id": child, "at": at, **about}


def item_id(mail: Mail) -> str:
    """The id of the item the mail is, from whichever mailbox it comes."""
    return _id(mail, _said(mail))


def children_of(mail: Mail) -> Iterator[str]:
    """The ids of the items its files are."""
    name = item_id(mail)
    for number, file in enumerate(mail.files[:_MOST_FILES], 1):
        if _document(file) is not None:
            yield f"{name}/{number}"


def released(mail: Mail, held: Held) -> Iterator[Event]:
    """That the owner no longer holds the mail, nor what came with it."""
    at = format_instant(held.since or held.at)
    for name in (item_id(mail), *children_of(mail)):
        yield {"op": "audience", "source": held.source, "item": name, "at": at, "remove": [held.owner]}


def recall_of(original: Mail, request: Mail, source: str) -> Event | None:
    """The original withheld until somebody decides, where its own sender asked for it later by this mail."""
    if original.sender is None or request.sender is None or original.date is None or request.date is None:
        return None
    is_own = original.sender.address == request.sender.address and original.date.at <= request.date.at
    if not is_own or original.subject != request.recalls or original.recalls is not None:
        return None
    at = format_instant(request.date.at)
    return {"op": "recall", "source": source, "id": item_id(original), "at": at}


def _holding(name: str, held: Held, at: str) -> Event:
    since = at if held.since is None else format_instant(held.since)
    return {"op": "audience", "source": held.source, "item": name, "at": since, "add": [held.owner]}


def _at(mail: Mail, held: Held) -> str:
    """When it was sent, in its own offset, in which the dates of its text are read."""
    if mail.date is not None:
        return mail.date.at.isoformat()
    return format_instant(mail.arrived or held.at)


def _id(mail: Mail, said: Event) -> str:
    text = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()[:20]
    return f"{_bounded(mail.message_id)}#{digest}" if mail.message_id else f"unnamed#{digest}"


def _bounded(name: str) -> str:
    """A Message-ID as it may stand in an id: not too long, and not beginning like one of the record's own."""
    plain = name.lstrip("@")
    if plain and len(plain.encode()) <= _LONGEST_ID:
        return plain
    return f"long-{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def _said(mail: Mail) -> dict[str, object]:
    """All that the item says, and so nothing that differs from one mailbox to another."""
    sender = mail.sender
    people = {one.address for one in (sender, *mail.to, *mail.cc) if one is not None}
    root = mail.references[0] if mail.references else mail.message_id
    event: dict[str, object] = {
        "kind": "email",
        "title": mail.subject or None,
        "body": mail.text.body,
        "media": mail.text.media,
        # By the address: what somebody calls himself in a mail is no evidence of who he is.
        "author_name": sender.address if sender is not None else None,
        "thread": _bounded(root) if root else None,
        "participants": sorted(people),
        "metadata": _metadata(mail),
    }
    return {name: value for name, value in event.items() if value is not None}


def _metadata(mail: Mail) -> dict[str, object]:
    found: dict[str, object] = {
        "message_id": mail.message_id,
        "from": _written(mail.sender) if mail.sender is not None else None,
        "to": [_written(one) for one in mail.to],
        "cc": [_written(one) for one in mail.cc],
        "date": mail.said_date or None,
        "in_reply_to": mail.references[-1] if mail.references else None,
        "files": [_listed(one) for one in mail.files[:_MOST_FILES]],
        "more_files": max(len(mail.files) - _MOST_FILES, 0) or None,
        "recall_request": mail.recalls,
        "notes": list(_notes(mail)),
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _notes(mail: Mail) -> Iterator[str]:
    yield from mail.text.notes
    if mail.date is None:
        yield "it has no date that can be read: when it arrived is taken for it"
    elif not mail.date.tz_known:
        yield "its date names no zone: read as UTC"
    if mail.message_id is None:
        yield "it has no Message-ID"
    if mail.sender is None:
        yield "it names no sender by an address"
    if not mail.text.body:
        yield "it has no text that can be read"


def _written(person: Person) -> str:
    return f"{person.name} <{person.address}>" if person.name else person.address


def _listed(file: Attached) -> dict[str, object]:
    size = {} if file.content is None else {"bytes": len(file.content)}
    digest = {} if file.content is None else {"sha256": hashlib.sha256(file.content).hexdigest()}
    return {"name": file.name, "media": file.media, **size, **digest}


def _document(file: Attached) -> Document | None:
    """The document a file is, where it is a text; None where it is not, or says itself who may read it."""
    if file.content is None or file.name is None:
        return None
    suffix = PurePosixPath(file.name).suffix.lower()
    if file.media not in _READ and not (suffix in _SUFFIXES and file.media == "application/octet-stream"):
        return None
    named = file.name if suffix in _SUFFIXES else f"{file.name}{_READ[file.media]}"
    found = read_document(file.content, named)
    return found if isinstance(found, Document) and "audience" not in found.fields else None


def _attached(document: Document, file: Attached, mail: Mail, held: Held) -> dict[str, object]:
    """A document that counts no more than the mail it came with, and is for nobody else."""
    mother = item_id(mail)
    lineage = f"{held.source}:{mother}" if _SOURCE.match(held.source) else mother
    return {
        "source": held.source,
        "op": "upsert",
        "kind": "document",
        "version": "1",
        "title": document.title,
        "body": document.body,
        "media": document.media,
        "derived_from": [lineage],
        "metadata": {"file": file.name, "came_with": mail.message_id, "notes": list(document.notes)},
    }
