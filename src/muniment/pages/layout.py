"""Which section of a page a claim belongs to, in which order, and how many are shown. Pure.

The sections are the same everywhere; their order fits what the page is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.claims.cite import coarse_time
from muniment.claims.claim import Claim, holds
from muniment.domain.assertions import Kind

__all__ = ["COMMITMENTS", "MOST_SHOWN", "NOT_IN_FORCE", "Laid", "lay_out", "section_of"]

MOST_SHOWN = 100  # claims of one section; the rest is counted

COMMITMENTS = "Commitments"
_PEOPLE, _OWNERS, _STATUS = "People", "Owners", "Status"
_CANDIDATES, _RECALLED, _UPCOMING, _HISTORY = "Candidates", "Recalled", "Upcoming", "History"
NOT_IN_FORCE = frozenset({_CANDIDATES, _RECALLED, _HISTORY})
_TITLES = {
    Kind.POLICY: "Policies",
    Kind.DECISION: "Decisions",
    Kind.FACT: "Facts",
    Kind.COMMITMENT: COMMITMENTS,
    Kind.OBJECTION: "Objections",
    Kind.SENSITIVITY: "Sensitivities",
    Kind.ARRANGEMENT: "Arrangements",
    Kind.PREFERENCE: "Preferences",
    Kind.PROCEDURE: "Procedures",
    Kind.ROOT_CAUSE: "Root causes",
    Kind.ATTEMPT: "Attempts",
    Kind.PITFALL: "Pitfalls",
    Kind.QUESTION: "Questions",
    Kind.OBSERVATION: "Observations",
}
_REST = (_STATUS, _OWNERS, _PEOPLE, *_TITLES.values(), _UPCOMING, _CANDIDATES, _RECALLED, _HISTORY)
# What comes first on a page of each kind; whatever else there is follows in the order above.
_FIRST: Mapping[str, tuple[str, ...]] = {
    "account": (
        "Facts",
        COMMITMENTS,
        "Objections",
        "Sensitivities",
        "Arrangements",
        "Preferences",
        "Policies",
        "Decisions",
        _PEOPLE,
    ),
    "service": (
        "Facts",
        _OWNERS,
        "Policies",
        "Procedures",
        "Pitfalls",
        "Root causes",
        "Attempts",
        "Decisions",
        COMMITMENTS,
    ),
    "policy": ("Policies", "Procedures", "Arrangements", "Facts", "Decisions"),
    "topic": ("Policies", "Facts", "Procedures", "Decisions"),
    "project": (_STATUS, "Decisions", COMMITMENTS, "Facts", _OWNERS, "Attempts", "Policies"),
    "person": (COMMITMENTS, "Decisions", "Facts", "Arrangements", "Preferences", "Objections"),
    "incident": (_STATUS, "Root causes", "Observations", "Attempts", "Decisions", COMMITMENTS, "Pitfalls"),
}
_RUNS_IT = frozenset({"owner", "maintainer", "on-call", "on call", "lead", "team"})
_IS_WITH_IT = frozenset({"contact", "sponsor", "champion", "buyer", "manager", "联系人", "客户经理"})


@dataclass(frozen=True, slots=True)
class Laid:
    """A section's claims that are shown, and how many there are besides."""

    title: str
    shown: tuple[Claim, ...]
    more: int


def lay_out(
    kind: str, claims: Iterable[Claim], due: Mapping[UUID, datetime], as_of: datetime
) -> tuple[Laid, ...]:
    """The sections of a page of this kind, without the empty ones. `due`: by the claims' ids."""
    order = (*(first := _FIRST.get(kind, ())), *(title for title in _REST if title not in first))
    found: dict[str, list[Claim]] = {title: [] for title in order}
    for claim in claims:
        found[section_of(claim, kind, as_of)].append(claim)
    return tuple(_laid(title, inside, due, as_of) for title, inside in found.items() if inside)


def _laid(title: str, claims: Sequence[Claim], due: Mapping[UUID, datetime], as_of: datetime) -> Laid:
    if title == COMMITMENTS:
        ordered = sorted(claims, key=lambda claim: (_urgency(due.get(claim.id), as_of), _place(claim)))
    else:
        ordered = sorted(claims, key=_place)
    return Laid(title, tuple(ordered[:MOST_SHOWN]), len(ordered) - len(ordered[:MOST_SHOWN]))


def section_of(claim: Claim, kind: str, as_of: datetime) -> str:
    """Where a claim stands on a page of the kind."""
    if claim.status == "recalled":
        return _RECALLED
    if all(support.is_waiting for support in claim.supports):
        return _CANDIDATES
    if holds(claim, as_of):
        return _in_force(claim, kind)
    ended = claim.valid_to is not None and claim.valid_to <= as_of
    return _HISTORY if ended else _UPCOMING


def _in_force(claim: Claim, kind: str) -> str:
    attribute = "" if claim.slot is None else claim.slot.attribute
    if claim.kind == Kind.FACT and attribute:
        if kind in {"project", "incident"} and attribute == "status":
            return _STATUS
        if attribute in _RUNS_IT:
            return _PEOPLE if kind == "account" else _OWNERS
        if attribute in _IS_WITH_IT or attribute.split()[-1] in _IS_WITH_IT:
            return _PEOPLE
    return _TITLES[Kind(claim.kind)]


def _urgency(due: datetime | None, as_of: datetime) -> tuple[int, float]:
    """What is past due first, the latest of it before the oldest; then what is due soonest; then the rest."""
    if due is None:
        return 2, 0.0
    return (0, -due.timestamp()) if due < as_of else (1, due.timestamp())


def _place(claim: Claim) -> tuple[bool, float, tuple[str, ...], float, str, str]:
    """Slots before loose words; what took effect last first, and of loose words what was said last."""
    slot = claim.slot
    about = () if slot is None else (slot.entity, slot.attribute, slot.qualifier or "")
    since = None if claim.valid_from is None else _told_time(claim, claim.valid_from)
    newest = float("inf") if since is None else -since.timestamp()
    said = 0.0 if slot is not None else -_said_at(claim).timestamp()
    return (slot is None, newest, about, said, claim.statement, claim.id.hex)


def _said_at(claim: Claim) -> datetime:
    return max(_told_time(claim, support.row.stated_at) for support in claim.supports)


def _told_time(claim: Claim, at: datetime) -> datetime:
    """An instant as finely as the claim's level lets it be told: order tells as much as a date does."""
    return at if claim.level == "exact" else coarse_time(at)
