"""A commit object as git keeps it: who, when and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from muniment.domain.regex import regex

__all__ = ["Commit", "read_commit"]

_PERSON = regex(r"(?P<name>[^<]*)<(?P<address>[^>]*)>(?:\s+(?P<seconds>-?\d{1,12}))?")
_LATEST = 253402300799  # seconds: the year 9999


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. `at` is when it was committed, `written` when its author wrote it."""

    id: str
    author: str
    written: datetime
    at: datetime
    message: str
    merges: bool


def read_commit(name: str, raw: bytes) -> Commit:
    """From the object's bytes; what a program wrote wrongly into it is read as far as it goes."""
    head, _, message = raw.partition(b"\n\n")
    fields: dict[str, list[str]] = {}
    for row in head.decode("utf-8", "replace").split("\n"):
        key, _, value = row.partition(" ")
        fields.setdefault(key, []).append(value)
    author, written = _person(fields.get("author", [""])[0])
    _, at = _person(fields.get("committer", [""])[0])
    merges = len(fields.get("parent", ())) > 1
    return Commit(name, author, written, at, _decoded(message, fields.get("encoding", ["utf-8"])[0]), merges)


def _decoded(message: bytes, encoding: str) -> str:
    try:
        return message.decode(encoding, "replace").strip()
    except LookupError:
        return message.decode("utf-8", "replace").strip()


def _person(said: str) -> tuple[str, datetime]:
    match = _PERSON.match(said)
    if match is None:
        return " ".join(said.split()), datetime.fromtimestamp(0, UTC)
    seconds = min(max(int(match["seconds"] or 0), 0), _LATEST)
    return " ".join(match["name"].split()) or match["address"], datetime.fromtimestamp(seconds, UTC)
