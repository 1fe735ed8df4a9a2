"""What sources sent while an incident lasts, each as an observation made from what was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from muniment.domain.errors import Usage
from muniment.domain.names import is_usable, normal_name
from muniment.domain.record import PassageRow
from muniment.domain.values import Json
from muniment.gate.reader import Reader
from muniment.incidents.entries import HOLDS, clocked, entry_in, worded
from muniment.incidents.hand_in import Draft, Grounds, clean, digest
from muniment.jobs.loop import Work
from muniment.lenses.incidents.ledger import Row, entries_of, opening, thread_of

__all__ = ["MOST", "Gathering", "gathered"]

MOST: Final = 100  # that are taken in at once; asked again, the next
_LOOKED_AT: Final = 1_000
_BEFORE: Final = timedelta(hours=1)  # that an incident is opened: what led to it came earlier
_WIDEST: Final = timedelta(days=2)
_LONGEST: Final = 19_000  # characters of one


@dataclass(frozen=True, slots=True)
class Gathering:
    """The entries to hand in, how many of what was sent are entries already, and how many are left."""

    drafts: tuple[Draft, ...]
    already: int
    left: int


@dataclass(frozen=True, slots=True)
class _Sent:
    """An alert or an observation of another source."""

    item: UUID
    source: str
    id: str
    kind: str
    title: str | None
    at: datetime
    version: str | None
    labels: Mapping[str, object]

    @property
    def name(self) -> str:
        """How it is named beside other sources' things."""
        return f"{self.source}:{self.id}"


def gathered(
    work: Work,
    reader: Reader,
    incident: str,
    services: Sequence[str],
    span: tuple[datetime | None, datetime],
) -> Gathering:
    """What this reader may see of what was sent, of the incident's service and those that are named."""
    rows = entries_of(reader, incident)
    names = _names(opening(rows).service, services)
    since, until = span[0] or opening(rows).at - _BEFORE, span[1]
    if not timedelta() < until - since <= _WIDEST:
        raise Usage(f"{until - since} is no stretch to gather from: take up to {_WIDEST.days} days at once")
    bounds = {"names": names, "since": since, "until": until, "limit": _LOOKED_AT}
    sent = reader.rows(_Sent, "incidents", "sent", **bounds)
    there, opened_from = {row.id for row in rows}, opening(rows).said.get("alert")
    places = {one.item: _place(work, incident, one) for one in sent if one.name != opened_from}
    fresh = [one for one in sent if one.item in places and places[one.item] not in there]
    words = _words(reader, fresh[:MOST])
    drafts = tuple(
        replace(_draft(rows, incident, work.clock(), one, words.get(one.item, "")), id=places[one.item])
        for one in fresh[:MOST]
    )
    return Gathering(drafts, len(places) - len(fresh), len(fresh) - len(drafts))


def _names(service: str | None, services: Sequence[str]) -> list[str]:
    named = [normal_name(one) for one in (service, *services) if one]
    names = sorted({one for one in named if is_usable(one)})
    if not names:
        raise Usage("name a service: the incident has none whose observations could be gathered")
    return names


def _place(work: Work, incident: str, one: _Sent) -> str:
    """One place for one version of what was sent, whoever gathers it and whenever."""
    return f"{thread_of(incident)}/{digest(work, 'gathered', incident, one.name, one.version or '')}"


def _words(reader: Reader, sent: Sequence[_Sent]) -> dict[UUID, str]:
    items = [one.item for one in sent]
    passages = reader.rows(PassageRow, "reader", "passages_of_items", items=items) if items else []
    words: dict[UUID, list[str]] = {}
    for row in passages:
        words.setdefault(row.item, []).append(row.body)
    return {item: "\n".join(parts) for item, parts in words.items()}


def _draft(rows: Sequence[Row], incident: str, now: datetime, one: _Sent, words: str) -> Draft:
    title = one.title or one.name
    text = clean(f"{title}\n{words}"[:_LONGEST], "an observation")
    at, ahead = clocked(one.at, now)
    signal = one.labels.get("alertname")
    said: dict[str, Json] = {
        "text": text,
        "tool": one.source,
        "query": one.name,
        "signals": [signal] if isinstance(signal, str) and signal else [],
        "clock_ahead_s": ahead,
    }
    trust = "external_tool" if one.kind == "alert" else "internal_tool"
    draft = entry_in(rows, incident, "observation", at, said, Grounds(frozenset({one.name}), trust))
    return worded(draft, title, text, lasts=HOLDS)
