"""What happened to an entity that is worth a line: decisions, causes, and rules that gave way. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from muniment.claims.claim import Claim
from muniment.domain.assertions import Kind

__all__ = ["MOST", "Highlight", "highlights"]

MOST = 8
_HAS_ONE = frozenset({"account", "project", "service", "incident"})
_SAID = {
    Kind.DECISION: "decided",
    Kind.ROOT_CAUSE: "cause found",
    Kind.COMMITMENT: "promised",
    Kind.ATTEMPT: "tried",
}


@dataclass(frozen=True, slots=True)
class Highlight:
    """One line: when, what happened, and the claim it happened to."""

    at: datetime
    what: str
    claim: Claim


def highlights(kind: str, claims: Iterable[Claim], as_of: datetime) -> tuple[Highlight, ...]:
    """The latest few up to the day, oldest first; none for a page that is a text rather than a story.

    Levels have no days to tell.
    """
    if kind not in _HAS_ONE:
        return ()
    found = [one for claim in claims if claim.level == "exact" for one in _happened(claim) if one.at <= as_of]
    found.sort(key=lambda one: (one.at, one.what, one.claim.id.hex))
    return tuple(found[-MOST:])


def _happened(claim: Claim) -> Iterator[Highlight]:
    if claim.kind in _SAID and claim.status == "active":
        said = min(support.row.stated_at for support in claim.supports)
        yield Highlight(said, _SAID[Kind(claim.kind)], claim)
    if claim.status == "superseded" and claim.valid_to is not None:
        yield Highlight(claim.valid_to, "no longer", claim)
