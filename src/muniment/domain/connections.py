"""Live sources, as those who connect them say it and are told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from muniment.domain.values import Value

__all__ = ["ConnectionSaid", "KindTold", "Plan", "PullState", "Pulled", "SettingTold"]

PullState = Literal["current", "behind", "failing", "paused", "busy"]


@dataclass(frozen=True, slots=True)
class ConnectionSaid:
    """What a person says to connect a source. Secrets among `settings` are references.

    `audience` is of what names none and lies in no container; without it, only who connects may read that.
    `pace` is the least time between two pages, so that reading everything leaves the source room for others.
    """

    source: str
    kind: str
    settings: Mapping[str, str] = field(default_factory=dict)
    audience: list[list[str]] | None = None
    trust: str = "default"
    every: timedelta = timedelta(minutes=5)
    sweep_every: timedelta = timedelta(hours=24)
    pace: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class SettingTold(Value):
    """One thing a kind asks to be told."""

    name: str
    help: str
    secret: bool
    required: bool
    default: str | None


@dataclass(frozen=True, slots=True)
class KindTold(Value):
    """A kind of live source, and what it asks to be told."""

    kind: str
    summary: str
    pulls: bool
    hears: bool
    settings: tuple[SettingTold, ...]
    knows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan(Value):
    """What connecting a source would do: what is read, who may read it, and what one request gave.

    `probe` says what became of that request; `sample` how many events it held, by their kind.
    """

    source: str
    kind: str
    knows: tuple[str, ...]
    settings: Mapping[str, str]
    unnamed_audience: str
    directory: bool
    reachable: bool
    probe: str
    sample: Mapping[str, int] = field(default_factory=dict)
    audiences: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0


@dataclass(frozen=True, slots=True)
class Pulled(Value):
    """What one turn with a source brought, and how it ended.

    `seen` counts things of the source, `missing` what it lists and the record has never heard of. `why` and
    `next_at` say what is wrong and when it is tried again, None where a person must mend it.
    """

    source: str
    state: PullState
    pages: int = 0
    seen: int = 0
    accepted: int = 0
    duplicate: int = 0
    quarantined: int = 0
    swept: bool = False
    deleted: int = 0
    restored: int = 0
    missing: int = 0
    why: str | None = None
    next_at: datetime | None = None
