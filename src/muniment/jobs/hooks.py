"""Hooks kept from one delivery to the next, with what they learned of their source.

A hook that is made anew asks its source for people and channels with every message. What one learned is as
good as the source's last word on it, so it is kept for a short while, and thrown away when anything changes
that it was made of: how its source is connected, or a secret. One that failed, or whose events did not get
in, goes too.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from muniment.domain.errors import Refused
from muniment.jobs.connections import Connected
from muniment.sources import secrets
from muniment.sources.connector import Hook

__all__ = ["KEPT_FOR", "MOST", "Hooks"]

KEPT_FOR: Final = timedelta(minutes=5)  # a word of the source that got lost misleads no longer
MOST: Final = 64  # sources, in one process


@dataclass(frozen=True, slots=True)
class _Kept:
    made_of: tuple[object, ...]
    at: datetime
    hook: Hook


class Hooks:
    """The hooks of one record in this process."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, one: Connected, clock: Callable[[], datetime]) -> Hook:
        """The source's hook: the one that is there, or a new one. Refused for a source that has none."""
        make, now, made_of = one.of.hook, clock(), _made_of(one)
        if make is None or one.paused:
            self.forget(one.source)
            raise Refused("hears nothing")
        with self._turn:
            kept = self._kept.get(one.source)
        if kept is None or kept.made_of != made_of or not timedelta() <= now - kept.at < KEPT_FOR:
            kept = _Kept(made_of, now, make(one.configured(clock)))
        self._keep(one.source, kept)
        return kept.hook

    def _keep(self, source: str, kept: _Kept) -> None:
        with self._turn:
            self._kept[source] = kept
            self._kept.move_to_end(source)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def forget(self, source: str) -> None:
        """What this source's hook learned is not to be relied on."""
        with self._turn:
            self._kept.pop(source, None)


def _made_of(one: Connected) -> tuple[object, ...]:
    references = [
        one.settings[each.name] for each in one.of.settings if each.secret and each.name in one.settings
    ]
    marks = tuple(secrets.mark(reference) for reference in references)
    return one.kind, sorted(one.settings.items()), one.audience, one.importer, marks
