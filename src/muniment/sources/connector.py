"""What a live source is asked, and what it answers: pages of events, and listings of what it still holds.

A connector talks to its source and reads it; it never touches the record. `jobs.pull` asks it, hands
its events to the front door, and keeps its cursor once they are in: a crash repeats a page and loses none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from muniment.domain.errors import Malformed, Refused, Unavailable
from muniment.sources.parsed import Parsed

__all__ = [
    "Configured",
    "Connector",
    "ConnectorKind",
    "Cursor",
    "CursorLost",
    "Delivery",
    "Heard",
    "Hook",
    "Listing",
    "Page",
    "Setting",
    "Throttled",
    "Unauthorised",
    "Unsigned",
]

Cursor = Mapping[str, object]


class Throttled(Unavailable):
    """The source asks us to wait; `after` is how many seconds, None where it did not say."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class Unauthorised(Unavailable):
    """The source refuses our credential; a person has to mend that."""


class CursorLost(Unavailable):
    """The source no longer knows our cursor: begin anew, then sweep. A normal state, not a fault."""


class Unsigned(Refused):
    """A delivery whose signature does not hold, whatever the reason."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one request gave.

    `cursor` is where to go on from once `parsed` is in the record: small JSON, no secret and no content.
    `through` is until when the source has been heard completely, None where this page does not say.
    `seen` is for progress: how many things of the source this page covered.
    """

    parsed: Sequence[Parsed]
    cursor: Cursor
    through: datetime | None = None
    seen: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything a scope of the source holds at `at`, by item id.

    `prefix` bounds it: only items of ours whose id begins so are held against the listing. What is ours and
    not listed is deleted there, and only a `complete` listing may say so: every page of it was read, no
    filter was on. `parsed` carries audiences and memberships read on the way.
    """

    prefix: str
    ids: frozenset[str]
    at: datetime
    complete: bool
    parsed: Sequence[Parsed] = ()


class Connector(Protocol):
    """One configured source, asked. It raises Throttled, Unauthorised, CursorLost or Unavailable."""

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """What is new since the cursor, oldest first; None is everything. Ends when nothing more is there."""
        ...

    def sweep(self) -> Iterator[Listing]:
        """What the source still holds and who may read it, scope by scope; nothing where it cannot tell."""
        ...


@dataclass(frozen=True, slots=True)
class Delivery:
    """One HTTP request to a webhook, before anybody has looked into it. Header names are lower case."""

    raw: bytes
    headers: Mapping[str, str]
    at: datetime


@dataclass(frozen=True, slots=True)
class Heard:
    """What a delivery said, and what to reply: a body for a source that wants one, such as a challenge.

    `again` asks for a pull: the delivery said that something changed and not what.
    """

    parsed: Sequence[Parsed] = ()
    reply: Mapping[str, object] | str | None = None
    again: bool = False


class Hook(Protocol):
    """Reads what a source delivers by itself. It is kept for a while, and heard by several threads."""

    def hear(self, delivery: Delivery) -> Heard:
        """Verified over the raw bytes, then read. Raises Unsigned, and Malformed for what cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a person says to connect a source. A secret is said as `env:NAME` or `file:PATH`."""

    name: str
    help: str
    secret: bool = False
    required: bool = True
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Configured:
    """What a connector is made of. `secret` reads one by its setting's name, at the moment it is needed.

    `clock` and `sleep` are arguments, so that a test owns time.
    """

    source: str
    settings: Mapping[str, str]
    secret: Callable[[str], str] = field(repr=False)
    clock: Callable[[], datetime]
    importer: str

    def require(self, name: str) -> str:
        """A setting that must be there; Malformed names it."""
        if not (said := self.settings.get(name)):
            raise Malformed(f"source {self.source!r} needs the setting {name!r}")
        return said


@dataclass(frozen=True, slots=True)
class ConnectorKind:
    """A kind of live source: what `muniment connect KIND` needs and makes.

    `connect` is None for a source that only delivers, `hook` None for one that only answers.
    `directory` where its word on who is who counts, such as e-mails and standings: it is then made a
    directory when it is connected. `knows` says what the connector reads and under which audiences, what it
    needs to be allowed, and what it cannot know: told by `connect --dry-run` and by the docs page.
    `retold` where one version of a text may read otherwise later, by what people and places are called then.
    """

    name: str
    summary: str
    settings: tuple[Setting, ...]
    connect: Callable[[Configured], Connector] | None
    hook: Callable[[Configured], Hook] | None
    knows: Iterable[str] = ()
    directory: bool = False
    retold: bool = False
