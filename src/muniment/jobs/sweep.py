"""What a source's listing means for the record: what is gone, what is back, what was never heard of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.domain.tombstones import after, newest
from muniment.gate.binding import writing
from muniment.jobs.loop import Work
from muniment.sources.connector import Listing
from muniment.sources.parsed import Event
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Judged", "judge"]

SQL: Final = load("connections")


@dataclass(frozen=True, slots=True)
class Judged:
    """Events that bring the record to what the source holds; and how many listed it has never heard of."""

    deletions: Sequence[Event]
    restorations: Sequence[Event]
    missing: int


def judge(work: Work, source: str, listing: Listing) -> Judged:
    """Hold what is ours under the listing's prefix against it. Only a complete listing deletes."""
    about = {"tenant": work.tenant, "source": source, "prefix": listing.prefix, "at": listing.at}
    values = {**about, "ids": sorted(listing.ids)}
    with writing(work.database, work.tenant) as conn:
        gone = _ids(conn, "not_listed", values) if listing.complete else []
        back = _ids(conn, "listed_again", values)
        (missing,) = conn.execute(SQL["not_held"], values).fetchone() or (0,)
        versions = _versions(conn, {**about, "ids": [*gone, *back]})
    return Judged(
        [_found(source, one, "delete", versions.get(one), listing) for one in gone],
        [_found(source, one, "restore", versions.get(one), listing) for one in back],
        missing,
    )


def _ids(conn: Connection, query: str, values: dict[str, object]) -> list[str]:
    return [row[0] for row in conn.execute(SQL[query], values)]


def _versions(conn: Connection, values: dict[str, object]) -> dict[str, str | None]:
    """The newest version of each item that the record holds."""
    return {
        id_: newest(list(zip(versions, ats, removals, strict=True)))
        for id_, versions, ats, removals in conn.execute(SQL["versions_of"], values)
    }


def _found(source: str, id_: str, op: str, version: str | None, listing: Listing) -> Event:
    """What the listing says of one item, versioned so that whatever its source says next comes after it."""
    event: dict[str, object] = {"source": source, "id": id_, "op": op, "at": listing.at.isoformat()}
    stamped = after(version, listing.at)
    return event if stamped is None else {**event, "version": stamped}
