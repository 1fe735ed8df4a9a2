"""Small organisations for tests: a clock that can be set, and events without their boilerplate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import muniment
from muniment.app import Org
from muniment.domain.values import Receipt
from muniment.settings import Settings
from muniment.store.pool import Database

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
START = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
KEY = b"a key that every test world shares"

Event = Mapping[str, object]


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **by: int) -> None:
        """Let time pass: `forward(minutes=5)`."""
        self.at += timedelta(**by)


_pools: dict[str, Database] = {}


@contextmanager
def pooled(url: str) -> Iterator[None]:
    """One pool for all who open an organisation in this database meanwhile.

    A connection's first statements take most of a small test's time: the server reads the whole catalogue.
    """
    with Database.connect(url, size=30, kept=1000) as database:
        _pools[url] = database
        try:
            yield
        finally:
            del _pools[url]


def within(url: str) -> str | Database:
    """The database as it is best opened: in the pool that is there, else anew."""
    return _pools.get(url, url)


def open_org(url: str, tenant: str, clock: Clock | None = None, replicas: Sequence[str] = ()) -> Org:
    """The organisation in a database, lexical only, with the shared key; read on these standbys too."""
    settings = Settings(login="owner", key=KEY, embedder="off", replicas=tuple(replicas))
    return muniment.open(within(url), tenant, clock=clock or Clock(), settings=settings)


def at(hours: float) -> str:
    """An instant, in hours after the worlds' first."""
    return (START + timedelta(hours=hours)).isoformat()


def said(id: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    """A message everybody may read, unless `audience` says otherwise."""
    plain = {"source": "chat", "op": "upsert", "kind": "message", "at": at(hours), "audience": [["*"]]}
    return {**plain, "id": id, "body": body, **fields}


def member(group: str, *people: str, hours: float = 0, **fields: object) -> Event:
    """These people are in the group from this hour on."""
    return {"op": "member", "source": "dir", "group": group, "at": at(hours), "add": list(people), **fields}


def person(id: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    """A full member."""
    return {"op": "principal", "source": "dir", "id": id, "at": at(hours), "standing": "member", **fields}


def taken(org: Org, events: Iterable[Event], **how: object) -> Receipt:
    """The receipt of a batch in which nothing was refused."""
    receipt = org.ingest(events, **how)  # type: ignore[arg-type]
    assert receipt.quarantined == 0, [item.reason for item in receipt.items if item.reason]
    return receipt


def outside(org: Org, folder: Path, events: Iterable[Event], trust: str = "external_document") -> None:
    """The events from a source that is trusted as little as this."""
    path = folder / "outside.jsonl"
    path.write_text("\n".join(json.dumps(event) for event in events), encoding="utf-8")
    receipt = org.add(path, trust=trust)
    assert receipt.quarantined == 0, [item.reason for item in receipt.items if item.reason]
