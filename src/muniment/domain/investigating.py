"""What somebody says while they investigate, as it is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

__all__ = ["Ending", "Looked", "Observed", "Reached", "Start"]


@dataclass(frozen=True, slots=True)
class Start:
    """What somebody opens an incident with. `alert` names an item that is there: source:id."""

    title: str = ""
    alert: str | None = None
    service: str | None = None
    environment: str | None = None
    version: str | None = None
    signals: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    audience: tuple[str, ...] = ()
    text: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """What somebody or a tool saw, did or gave up. `at` None: now."""

    text: str
    tool: str | None = None
    query: str | None = None
    kind: str = "observation"
    at: datetime | None = None
    version: str | None = None
    signals: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    outcome: str | None = None
    evidence: tuple[str, ...] = ()
    digest: str | None = None  # of the whole answer, where an observer cut it


@dataclass(frozen=True, slots=True)
class Looked:
    """What a running system is asked, at `url`, or what a `file` of its logs or traces is.

    `token` refers to a secret, as env:NAME or file:PATH. Without a stretch of time, logs and traces of a
    system are those of the last hour, and a file is read whole.
    """

    tool: str
    query: str = ""
    url: str | None = None
    token: str | None = None
    file: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """Where an investigation stands."""

    goal: str
    plan: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended. `confirmed_by` is who stands for the cause, None where it is only suspected."""

    cause: str | None
    evidence: tuple[str, ...]
    result: str
    conditions: tuple[str, ...] = ()
    misleading: tuple[str, ...] = ()
    check: str | None = None
    confirmed_by: str | None = None
