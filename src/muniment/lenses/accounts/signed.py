"""Who signed a handoff, and what it said when they did: an item of the record's own, read back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.accounts import SignOff
from muniment.pages.entities import Entity

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["prefix_of", "signed"]


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    author: str | None
    at: datetime


def prefix_of(account: Entity) -> str:
    """What the ids of an account's signatures begin with."""
    return f"handoff/{account.id}/"


def signed(reader: Reader, account: Entity) -> tuple[SignOff, ...]:
    """Every signature this reader may read, oldest first."""
    rows = reader.rows(_Row, "accounts", "signed", prefix=f"{prefix_of(account)}%")
    return tuple(
        SignOff(account.names[0], row.author, row.at, row.id.rpartition("/")[2])
        for row in rows
        if row.author is not None
    )
