"""What the four doors hand out: frozen values whose `model_dump` is the published JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from muniment.domain import notebook
from muniment.domain.dumped import Json, Value, dump
from muniment.domain.links import PageLink
from muniment.domain.replicas import ReplicaStatus

__all__ = [
    "Answer",
    "AnswerState",
    "Budget",
    "Candidate",
    "Citation",
    "ClosedContainer",
    "Explain",
    "Freshness",
    "History",
    "Hit",
    "Json",
    "Omitted",
    "Pack",
    "Page",
    "PageClaim",
    "PageEntry",
    "Part",
    "Queue",
    "Receipt",
    "ReceiptItem",
    "Remembered",
    "Reported",
    "Searched",
    "Section",
    "SourceStatus",
    "Status",
    "TimelineEntry",
    "Value",
    "dump",
]

AnswerState = Literal["answered", "not_found", "out_of_scope"]


@dataclass(frozen=True, slots=True)
class ReceiptItem(Value):
    """What became of one event."""

    source: str | None
    id: str | None
    state: Literal["accepted", "duplicate", "quarantined"]
    reason: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class Receipt(Value):
    """What became of a batch; `token` lets a read wait until it is visible."""

    accepted: int
    duplicate: int
    quarantined: int
    items: tuple[ReceiptItem, ...]
    token: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation(Value):
    """One statement and the words at its source that prove it."""

    id: str
    claim: str | None
    statement: str
    quote: str | None
    source: str
    item: str | None
    version: str | None
    url: str | None
    said_by: str | None
    said_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    status: Literal["active", "stale", "superseded", "recalled", "candidate"]
    superseded_by: str | None
    conflicts_with: tuple[str, ...]
    authority: str
    trust: str
    level: Literal["exact", "range", "trend"] = "exact"


@dataclass(frozen=True, slots=True)
class Freshness(Value):
    """How far one source has been heard, as far as this reader can see."""

    source: str
    state: Literal["current", "behind", "failing", "paused"]
    as_of: datetime | None
    why: str | None


@dataclass(frozen=True, slots=True)
class Searched(Value):
    """What was looked through."""

    sources: int
    through: datetime | None


@dataclass(frozen=True, slots=True)
class Answer(Value):
    """A state, the text that states only what holds, and a citation for every sentence of it."""

    state: AnswerState
    text: str
    citations: tuple[Citation, ...]
    conflicts: tuple[tuple[Citation, ...], ...]
    clarify: tuple[str, ...]
    freshness: tuple[Freshness, ...]
    warnings: tuple[str, ...]
    searched: Searched
    as_of: datetime
    known_at: datetime
    trace: str

    def _repr_html_(self) -> str:
        return notebook.answer_html(self)

    def _repr_markdown_(self) -> str:
        return notebook.answer_markdown(self)


@dataclass(frozen=True, slots=True)
class Budget(Value):
    """Tokens allowed and used, and the tokenizer that counted them."""

    limit: int
    used: int
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Part(Value):
    """One thing in a pack, why it was kept, and what it costs."""

    kind: Literal["page", "claim", "passage", "briefing"]
    text: str
    tokens: int
    why: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Omitted(Value):
    """What the budget left out."""

    parts: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Pack(Value):
    """The context for one task: Markdown within a token budget, and what did not fit."""

    state: AnswerState
    text: str
    parts: tuple[Part, ...]
    budget: Budget
    omitted: Omitted
    enough: bool
    clarify: tuple[str, ...]
    cursor: str | None
    freshness: tuple[Freshness, ...]
    warnings: tuple[str, ...]
    as_of: datetime
    known_at: datetime
    trace: str

    def _repr_html_(self) -> str:
        return notebook.pack_html(self)

    def _repr_markdown_(self) -> str:
        return notebook.pack_markdown(self)


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """One search result; `why` gives its rank in each leg that found it, `entity` what opens a page."""

    rank: int
    unit: Literal["item", "passage", "claim", "page"]
    source: str | None
    item: str | None
    passage: str | None
    text: str
    score: float
    why: Mapping[str, int]
    citation: Citation | None
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class PageEntry(Value):
    """An entity this reader can open a page of."""

    entity: str
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class PageClaim(Value):
    """A claim as a page shows it."""

    id: str
    statement: str
    status: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Section(Value):
    """Claims of one kind, in order; `more` says how many there are besides."""

    title: str
    claims: tuple[PageClaim, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Page(Value):
    """Everything this reader may know of an entity, ordered."""

    entity: str
    kind: str
    title: str
    markdown: str
    sections: tuple[Section, ...]
    as_of: datetime
    stale: int
    conflicts: int
    links: tuple[PageLink, ...] = ()

    def _repr_html_(self) -> str:
        return notebook.page_html(self)

    def _repr_markdown_(self) -> str:
        return self.markdown


@dataclass(frozen=True, slots=True)
class TimelineEntry(Value):
    """Something that happened to what is known of an entity."""

    at: datetime
    what: str
    change: str
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class History(Value):
    """One version of what a slot held, and why it changed."""

    statement: str
    valid_from: datetime | None
    valid_to: datetime | None
    known_from: datetime
    known_to: datetime | None
    why: str
    by: str | None
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class Explain(Value):
    """The passage behind a citation with the quote marked, and why this reader may see it."""

    citation: Citation
    passage: str
    why_visible: tuple[str, ...]
    lineage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate(Value):
    """A rule that may not act yet. `seen` stands for all that a decision on it would be bound to."""

    id: str
    statement: str
    kind: str
    proposed_by: str | None
    evidence: tuple[Citation, ...]
    diff: str
    reach: str
    state: Literal["waiting", "approved", "rejected", "held", "void"]
    expires: datetime | None
    seen: str


@dataclass(frozen=True, slots=True)
class Remembered(Value):
    """A note that was kept: `id` cites it; `audience` says in words who may read it."""

    id: str
    source: str
    item: str
    state: Literal["accepted", "duplicate"]
    kind: str
    text: str
    audience: str
    trust: str
    evidence: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Reported(Value):
    """Someone's word that a citation is wrong."""

    id: str
    citation: Citation
    problem: str
    reported_by: str


@dataclass(frozen=True, slots=True)
class SourceStatus(Value):
    """A steward's view of one source, what it let go of, and how the loops of a connected one stand."""

    source: str
    state: str
    cursor: str | None
    lag_s: float | None
    last_error: str | None
    audiences_verified: datetime | None
    keep: str = "whole"
    reduced: int = 0
    expired: int = 0
    characters_dropped: int = 0
    connected: str | None = None
    failures: int | None = None
    next_at: datetime | None = None
    seen: int | None = None
    swept_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Queue(Value):
    """Work accepted and not yet applied."""

    waiting: int
    running: int
    dead: int


@dataclass(frozen=True, slots=True)
class ClosedContainer(Value):
    """A container that admits only whom a steward let in: its audience was not verified within the limit."""

    container: str
    verified_through: datetime | None


@dataclass(frozen=True, slots=True)
class Status(Value):
    """How the record stands, for stewards."""

    sources: tuple[SourceStatus, ...]
    queue: Queue
    pending_audience: int
    vectors_behind: int
    quarantined: int
    candidates: int
    stale: int
    conflicts: int
    workers: int
    notes: tuple[str, ...] = field(default=())
    unsealed: int = 0
    model: str | None = None
    closed: tuple[ClosedContainer, ...] = field(default=())
    replicas: tuple[ReplicaStatus, ...] = field(default=())
