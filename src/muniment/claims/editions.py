"""Which of several editions of a text is in force at an instant. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from muniment.claims.claim import Tie
from muniment.domain.record import ItemRow

__all__ = ["edition_in_force", "since"]


def since(item: ItemRow) -> datetime:
    """From when a text counts: what it says itself, else when it was made."""
    return item.valid_from or item.created_at


def edition_in_force(items: Sequence[ItemRow], at: datetime, ties: Collection[Tie]) -> ItemRow | None:
    """The one edition that holds then; None where these are no editions of one text, or two hold.

    Texts of one source are editions where each says from when it holds, or where one took the other's place.
    """
    if len({(item.source, item.kind) for item in items}) != 1:
        return None
    ended = _ended(items, at, ties)
    left = [item for item in items if item.item not in ended and since(item) <= at]
    if all(item.valid_from is not None for item in items):
        left = _latest(left)
    elif not ended:
        return None
    held = [item for item in left if item.valid_to is None or at < item.valid_to]
    return held[0] if len(left) == len(held) == 1 else None


def _ended(items: Sequence[ItemRow], at: datetime, ties: Collection[Tie]) -> set[object]:
    """Those whose place another of them has taken by then."""
    known = {item.item for item in items}
    return {
        tie.target.item
        for tie in ties
        if tie.kind == "supersedes" and tie.actor.item in known and since(tie.actor) <= at
    }


def _latest(items: Sequence[ItemRow]) -> list[ItemRow]:
    newest = max((since(item) for item in items), default=None)
    return [item for item in items if since(item) == newest]
