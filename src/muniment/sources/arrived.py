"""What a source hands to the front door, before anybody has looked into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from muniment.domain.audience import Audience

__all__ = ["Arrived"]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A line of JSON, an object already read, or, with a reason, what could not even be that.

    `audience` and `account` fill what the event leaves out, and never replace what it says. `private` where
    nobody said who may read it and it was left to its importer alone. `retold` where its source may tell one
    version in other words later, such as by what people are called then: those that were first read stand.
    """

    said: str | bytes | Mapping[str, object]
    line: int | None
    origin: str
    unreadable: str | None = None
    audience: Audience | None = None
    account: str | None = None
    insists: bool = False
    private: bool = False
    retold: bool = False
