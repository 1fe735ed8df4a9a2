"""What an account owes and is owed, what to tread lightly on, and the page that hands it over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.domain.values import Budget, Citation, Value

__all__ = [
    "Checkpoint",
    "Commitment",
    "CommitmentState",
    "Due",
    "Handoff",
    "HandoffLine",
    "HandoffSection",
    "Landmine",
    "LandmineKind",
    "Side",
    "SignOff",
    "Strength",
]

Side = Literal["ours", "theirs"]
Strength = Literal["firm", "hedged", "conditional"]
CommitmentState = Literal[
    "proposed",
    "conditional",
    "active",
    "satisfied",
    "violated",
    "cancelled",
    "released",
    "delegated",
    "superseded",
]
LandmineKind = Literal[
    "objection",
    "sensitivity",
    "arrangement",
    "promised_not_in_contract",
    "exclusion",
    "unhappy_stakeholder",
    "competitor",
]


@dataclass(frozen=True, slots=True)
class Due(Value):
    """By when: the words, the last day they mean, and the instant from which that was counted."""

    text: str
    date: str | None
    anchor: datetime | None


@dataclass(frozen=True, slots=True)
class Commitment(Value):
    """What somebody said they would do, and how it stands by what was said since."""

    id: str
    content: str
    debtor: str | None
    creditor: str | None
    side: Side
    strength: Strength
    condition: str | None
    due: Due | None
    state: CommitmentState
    overdue: bool
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Landmine(Value):
    """What to know before a subject is opened again; `handled`: the words in which it was dealt with."""

    id: str
    kind: LandmineKind
    what: str
    handled: str | None
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class HandoffLine(Value):
    """One line and what proves it."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class HandoffSection(Value):
    """Lines of one kind; `more`: how many the budget or the length of a page left out."""

    title: str
    lines: tuple[HandoffLine, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class SignOff(Value):
    """Somebody's word that they handed over, or took over, exactly what `seen` stands for."""

    account: str
    by: str
    at: datetime
    seen: str


@dataclass(frozen=True, slots=True)
class Handoff(Value):
    """One page for whoever takes an account over. `seen` stands for all that it says."""

    account: str
    title: str
    markdown: str
    budget: Budget
    sections: tuple[HandoffSection, ...]
    missing: tuple[str, ...]
    unsure: tuple[str, ...]
    signed: tuple[SignOff, ...]
    seen: str
    as_of: datetime


@dataclass(frozen=True, slots=True)
class Checkpoint(Value):
    """The state of an unfinished task, as its author left it."""

    task: str
    state: dict[str, object]
    at: datetime
    version: str
