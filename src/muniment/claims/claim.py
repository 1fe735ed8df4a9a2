"""What goes into reconciling and what comes out: statements with their items, ties between items, claims."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.assertions import Kind, Slot
from muniment.domain.record import AssertionRow, ItemRow

__all__ = ["Claim", "ClaimStatus", "Statement", "Tie", "Ties", "holds", "is_in_force", "rank"]

ClaimStatus = Literal["active", "stale", "superseded", "recalled", "candidate"]
TieKind = Literal["supersedes", "amends"]

_RANKS = {"external": 0, "tool": 1, "member": 2, "owner": 3, "system_of_record": 4}

# What an item's own metadata says of itself. The first never took effect, the second no longer has it.
_NOT_YET = frozenset({"draft", "deferred", "proposed"})
_NO_MORE = frozenset({"rejected", "withdrawn", "superseded", "obsolete"})
_GOVERNING = frozenset({Kind.POLICY, Kind.PROCEDURE})


def rank(authority: str) -> int:
    """How much a word counts; one that nobody configured counts least."""
    return _RANKS.get(authority, -1)


def is_in_force(status: str | None) -> bool:
    """Whether an item with this status of its own may rule over what other items say."""
    return status is None or status.casefold() not in _NOT_YET | _NO_MORE


@dataclass(frozen=True, slots=True)
class Statement:
    """A visible assertion in its visible item; `entity` is whom this reader takes its slot to be about."""

    row: AssertionRow
    item: ItemRow
    entity: str | None

    @property
    def slot(self) -> Slot | None:
        """The slot as this reader resolves it."""
        if self.entity is None or self.row.attribute is None:
            return None
        return Slot(self.entity, self.row.attribute, self.row.qualifier)

    @property
    def order(self) -> tuple[datetime, str, str, str]:
        """A total order in which arrival has no part."""
        row = self.row
        return (row.stated_at, row.assertion.hex, str(row.valid_from), str(row.known_from))

    @property
    def standing(self) -> ClaimStatus:
        """What the record and the item's own metadata say of the statement, others aside."""
        if self.item.state == "recalled":
            return "recalled"
        status = (self.item.status or "").casefold()
        if self.is_waiting:
            return "candidate"
        governs = self.row.kind in _GOVERNING
        if self.row.status == "stale" or (governs and status in _NO_MORE):
            return "stale"
        return "candidate" if governs and status in _NOT_YET else "active"

    @property
    def is_waiting(self) -> bool:
        """Whether it may not act before somebody has decided so."""
        return self.row.status == "candidate"

    @property
    def may_act(self) -> bool:
        """Whether it can end or contradict what others say."""
        return self.standing == "active" and is_in_force(self.item.status)


@dataclass(frozen=True, slots=True)
class Tie:
    """One visible item takes the place of another, or of a part of it, and has the authority to."""

    kind: TieKind
    actor: ItemRow
    target: ItemRow

    @property
    def since(self) -> datetime:
        """When it takes effect: as the actor says, else when the actor was made."""
        return self.actor.valid_from or self.actor.created_at

    @property
    def order(self) -> tuple[datetime, str, str, str]:
        """A total order: the earliest to take effect first."""
        return (self.since, self.kind, self.actor.item.hex, self.target.item.hex)


@dataclass(frozen=True, slots=True)
class Ties:
    """What is settled beyond the statements: item ties, and decisions as (kept, dropped) assertions."""

    items: frozenset[Tie] = frozenset()
    settled: frozenset[tuple[UUID, UUID]] = frozenset()


@dataclass(frozen=True, slots=True)
class Claim:
    """What visible statements say together. Valid is half-open; equal ends: it never held.

    `replaced_by` is the item that ended it, also where that item has no statement in its slot.
    """

    id: UUID
    kind: str
    level: str
    statement: str
    slot: Slot | None
    value: str | None
    status: ClaimStatus
    valid_from: datetime | None
    valid_to: datetime | None
    supports: tuple[Statement, ...]
    superseded_by: UUID | None
    replaced_by: UUID | None
    conflicts_with: tuple[UUID, ...]
    confirmations: int


def holds(claim: Claim, as_of: datetime) -> bool:
    """Whether it is true in the world at the instant."""
    started = claim.valid_from is None or claim.valid_from <= as_of
    return started and (claim.valid_to is None or as_of < claim.valid_to)
