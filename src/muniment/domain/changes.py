"""What changed on a page between two states of what was known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.domain.values import Citation, Value

__all__ = ["PageChange", "PageChanges"]


@dataclass(frozen=True, slots=True)
class PageChange(Value):
    """A sentence that came, went or reads otherwise; `known` is when the record learnt what it says now."""

    change: Literal["added", "ended", "revised"]
    section: str
    before: str | None
    after: str | None
    status: str | None
    known: datetime | None
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class PageChanges(Value):
    """Every changed sentence of a page, in the page's order; `more` says how many were left out."""

    entity: str
    kind: str
    title: str
    since: datetime
    until: datetime
    as_of: datetime
    changes: tuple[PageChange, ...]
    more: int = 0
