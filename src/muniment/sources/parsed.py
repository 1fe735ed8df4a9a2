"""What a parser makes of a source's bytes: events in the front door's shape, and what it could not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Event", "Parsed", "Unread"]

Event = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of the input that no event could be made of; it ends in quarantine with its reason.

    `origin` says where it stood, as a person would look for it: `general/2026-05-01.json, message 7`.
    `said` is the part itself, as it came.
    """

    origin: str
    said: str | bytes
    reason: str


Parsed = Event | Unread
