"""What an organisation did with its replicas."""

from __future__ import annotations

from dataclasses import astuple
from typing import NamedTuple

from muniment.app import Org
from muniment.store.replicas import Replica


class Counted(NamedTuple):
    """Reads made on a replica, lost there, and passed on."""

    reads: int
    lost: int
    passed: int


def replicas_of(org: Org) -> tuple[Replica, ...]:
    spread = org._work.spread
    assert spread is not None
    return spread._replicas


def counted(org: Org, number: int = 0) -> Counted:
    """Of its first replica, or another."""
    return Counted(*astuple(replicas_of(org)[number]._counts))


def found(org: Org, who: str = "user:ann", words: str = "zorblat") -> set[str | None]:
    """The items somebody finds."""
    return {hit.item for hit in org.reader(who).search(words)}


def found_there(org: Org, who: str = "user:ann") -> set[str | None]:
    """The same on a standby: asked until it was read there, as on a busy machine it may come late."""
    before = counted(org).reads
    for _ in range(200):
        items = found(org, who)
        if counted(org).reads > before:
            return items
    raise AssertionError(f"never read on the standby: {counted(org)}")
