"""What models gave, and what a run of them came to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.domain.values import Value

__all__ = ["Distilled", "Output", "PageCost", "Planned", "Stopped"]

# All that was due is done; or the calls or dollars of this run are used up; or the model does not answer; or
# it is not to be asked now, as a limit of the organisation is reached or it has been down; or another worker
# is at it.
Stopped = Literal["done", "limit", "spend", "down", "resting", "busy"]


@dataclass(frozen=True, slots=True)
class Output:
    """What a model gave once, for one thing it was shown of one item.

    `unit` stands for what it was shown, however it was asked; `input` for all of what it was asked.
    """

    purpose: str
    unit: bytes
    extractor: str
    input: bytes
    reply: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Distilled(Value):
    """A run: how much was asked, what came of it, and why it ended.

    `statements` passed the gates and `refused` did not; `lost` replies came to a text that had changed.
    """

    items: int = 0
    calls: int = 0
    statements: int = 0
    refused: int = 0
    lost: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: str = "0"  # US dollars, exactly
    stopped: Stopped = "done"
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class PageCost(Value):
    """What models were asked for the items of a page, and what that cost in US dollars, exactly."""

    page: str
    calls: int
    cost: str


@dataclass(frozen=True, slots=True)
class Planned(Value):
    """An item that a model is to look at, how often agents were given something of it, and what is due of it.

    `cost` is what that many calls have cost on average, None where there have been none.
    """

    source: str
    item: str
    asked: int
    passages: int = 0
    stale: int = 0
    tokens: int = 0
    cost: str | None = None
