"""An incident as its readers see it: entries of a ledger, hypotheses, hints from history, an episode."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from muniment.domain.events import JsonObject
from muniment.domain.values import Budget, Citation, Value

__all__ = [
    "ENTRY_KINDS",
    "FINDINGS",
    "HINT_VERDICTS",
    "HYPOTHESIS_VERDICTS",
    "OBSERVED_AS",
    "WARNING",
    "Briefing",
    "Checkpoint",
    "Clash",
    "Duplicate",
    "Entry",
    "Episode",
    "FaultDomain",
    "Finding",
    "Gathered",
    "Hint",
    "Hypothesis",
    "Incident",
    "LeftOut",
    "Opened",
    "Recurring",
    "Tidied",
    "Topology",
    "TopologyEdge",
    "Unused",
]

WARNING: Final = "history, not evidence"
FINDINGS: Final = (
    "expired",
    "superseded",
    "stale",
    "unconfirmed",
    "low-confidence",
    "never-hit",
    "duplicate",
    "conflicting",
)
OBSERVED_AS: Final = ("observation", "action", "attempt")
ENTRY_KINDS: Final = ("opened", *OBSERVED_AS, "hypothesis", "verdict", "checkpoint", "closed")
HINT_VERDICTS: Final = ("adopted", "refuted", "ignored")
HYPOTHESIS_VERDICTS: Final = ("supported", "refuted", "confirmed")


@dataclass(frozen=True, slots=True)
class Entry(Value):
    """One line of an incident's ledger: who put it there, when it holds, and its words as they came."""

    id: str
    kind: str
    at: datetime
    by: str | None
    text: str
    detail: JsonObject
    trust: str


@dataclass(frozen=True, slots=True)
class Hypothesis(Value):
    """What may be the cause, with the entries that speak for and against it."""

    id: str
    statement: str
    by: str | None
    supports: tuple[str, ...]
    against: tuple[str, ...]
    verdict: Literal["open", "supported", "refuted", "confirmed"]


@dataclass(frozen=True, slots=True)
class Checkpoint(Value):
    """Where an investigation stands, so that somebody else goes on with it."""

    id: str
    at: datetime
    by: str | None
    goal: str
    plan: tuple[str, ...]
    done: tuple[str, ...]
    questions: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Incident(Value):
    """An investigation as far as its reader sees it. `contradictions` pairs observations that disagree."""

    id: str
    title: str
    state: Literal["open", "closed"]
    service: str | None
    environment: str | None
    version: str | None
    signals: tuple[str, ...]
    alert: str | None
    opened_by: str | None
    opened_at: datetime
    entries: tuple[Entry, ...]
    hypotheses: tuple[Hypothesis, ...]
    contradictions: tuple[tuple[str, str], ...]
    checkpoint: Checkpoint | None
    episode: str | None


@dataclass(frozen=True, slots=True)
class Opened(Value):
    """What became of opening an incident: a new one, or one that was open already."""

    incident: str
    state: Literal["opened", "joined"]
    audience: str


@dataclass(frozen=True, slots=True)
class Gathered(Value):
    """What was taken into an incident of what sources had sent, and how much was there or is left."""

    incident: str
    entries: tuple[Entry, ...]
    already: int
    left: int


@dataclass(frozen=True, slots=True)
class Hint(Value):
    """What history suggests to look at. It never is evidence, nor a conclusion."""

    id: str
    kind: Literal["episode", "procedure"]
    statement: str
    check: str | None
    why: str
    age_days: int
    conditions: JsonObject
    warning: str
    citations: tuple[Citation, ...]
    verdict: Literal["open", "adopted", "refuted", "ignored"]


@dataclass(frozen=True, slots=True)
class LeftOut(Value):
    """A memory that its reader may see and that a safety filter kept out, and which."""

    id: str
    why: str


@dataclass(frozen=True, slots=True)
class Clash(Value):
    """Two procedures for one signal, from different places, that say otherwise; a person says which holds."""

    signal: str
    hints: tuple[str, str]
    sources: tuple[str, str]
    why: str


@dataclass(frozen=True, slots=True)
class Briefing(Value):
    """A few hints for an open incident, each awaiting a verdict by current evidence."""

    incident: str
    hints: tuple[Hint, ...]
    left_out: tuple[LeftOut, ...]
    budget: Budget
    clashes: tuple[Clash, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode(Value):
    """A finished investigation as it was kept. A cause that no person confirmed is only suspected."""

    id: str
    item: str
    incident: str
    title: str
    text: str
    cause: str | None
    is_confirmed: bool
    trust: str


@dataclass(frozen=True, slots=True)
class TopologyEdge(Value):
    """One part that leans on another, in an environment or in any."""

    upstream: str
    relation: str
    downstream: str
    environment: str | None


@dataclass(frozen=True, slots=True)
class Topology(Value):
    """What a service leans on and what leans on it, at one instant."""

    entity: str
    at: datetime
    edges: tuple[TopologyEdge, ...]
    leans_on: tuple[str, ...]
    leaning: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FaultDomain(Value):
    """What several services all lean on, the nearest first."""

    entities: tuple[str, ...]
    at: datetime
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unused(Value):
    """A memory to look at: never adopted, often refuted, or over; and why."""

    id: str
    statement: str
    why: str
    age_days: int
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class Finding(Value):
    """Why a memory should be looked at; `others` are the memories it repeats or contradicts."""

    id: str
    kind: str
    statement: str
    why: str
    age_days: int
    source: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tidied(Value):
    """What was done to memories, or would be. `seen` binds the act to what was shown; `batch` undoes it."""

    act: Literal["retire", "merge", "restore"]
    memories: tuple[Finding, ...]
    seen: str
    batch: str | None


@dataclass(frozen=True, slots=True)
class Recurring(Value):
    """One cause that came back: its instances, the newest first, and what was done in most of them.

    It proposes nothing by itself; whoever proposes a procedure from it names the instances as evidence.
    """

    service: str
    environment: str | None
    signals: tuple[str, ...]
    statement: str
    instances: tuple[str, ...]
    sources: tuple[str, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duplicate(Value):
    """Two memories that may be one, and what they share."""

    one: str
    other: str
    statements: tuple[str, str]
    why: str
