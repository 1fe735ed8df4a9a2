"""HubSpot, asked: what changed since, by searches so narrow that none is cut off, and all ids there are.

A search ends at 10,000 results without a word. So a window of time that holds as many is halved until its
parts hold fewer; the truth of who changed an amount when is in the history of each property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from muniment.domain.errors import Unavailable
from muniment.domain.times import format_instant, parse_instant
from muniment.sources.connector import Configured, Cursor, Listing, Page
from muniment.sources.crm.hubspot import ASKED, HISTORY, Known, read_object
from muniment.sources.crm.readers import Readers
from muniment.sources.crm.record import Owner
from muniment.sources.crm.tables import KINDS
from muniment.sources.http import Reply
from muniment.sources.parsed import Parsed
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.told import Object

__all__ = ["HubSpot"]

_MOST: Final = 10_000  # results of one search
_AT_ONCE: Final = 100
_BATCH: Final = 50  # with history
_FIRST: Final = datetime.fromisoformat("2006-01-01T00:00:00+00:00")  # before there was such a thing
_LEAST: Final = timedelta(milliseconds=1)
_AGAIN: Final = timedelta(minutes=2)  # what is searched is there some seconds after it changed


@dataclass(frozen=True, slots=True)
class HubSpot:
    """The records one private app sees; `most` is how many results a search of theirs gives at most."""

    configured: Configured
    readers: Readers
    asked: Asked
    known: Known = field(default_factory=Known)
    most: int = _MOST

    @classmethod
    def of(cls, configured: Configured) -> HubSpot:
        """Checked; Malformed says what is wrong with the settings."""
        base = configured.settings.get("api") or "https://api.hubapi.com"
        headers = {"authorization": f"Bearer {configured.secret('token')}"}
        readers = Readers.read(configured.importer, configured.settings)
        return cls(configured, readers, Asked(configured.source, base, headers))

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """What changed of each kind since its mark, oldest first, and what was put away."""
        began = self.configured.clock()
        marks = {name: at for name in ASKED if (at := told.instant(dict(cursor or {}), name))}
        known = self._known()
        for name in ASKED:
            since = parse_instant(marks[name]) if name in marks else _FIRST
            for start, end in self._windows(name, since, began):
                for ids in self._found(name, start, end):
                    parsed = [
                        event for one in self._batch(name, ids)
                        for event in read_object(name, one, known, self.configured.source, self.readers)
                    ]  # fmt: skip
                    yield Page(parsed, dict(marks), None, len(ids))
                marks = {**marks, name: format_instant(end)}
                yield Page((), dict(marks))
            yield Page(self._archived(name, known), dict(marks))
            marks = {**marks, name: format_instant(began - _AGAIN)}
        yield Page((), dict(marks), began)

    def sweep(self) -> Iterator[Listing]:
        """All ids of each kind; lists have no such limit as searches have."""
        for name in ASKED:
            at, prefix = self.configured.clock(), f"{KINDS['hubspot'][ASKED[name].what]}/"
            ids = [f"{prefix}{id_}" for page in self._listed(name, {}) for id_ in _ids(page)]
            yield Listing(prefix, frozenset(ids), at, complete=True)

    def _known(self) -> Known:
        """Who owns what, and what stages are called."""
        owners = {}
        for page in self._pages("crm/v3/owners", {"limit": "100"}):
            for one in page:
                id_ = told.name(one, "id")
                names = (told.name(one, "firstName"), told.name(one, "lastName"))
                teams = tuple(team for part in told.listed(one, "teams") if (team := told.name(part, "name")))
                address = told.name(one, "email")
                if id_ is not None:
                    owners[id_] = Owner(
                        " ".join(n for n in names if n) or None, address and address.casefold(), teams
                    )
        pipelines = told.listed(told.as_object(self._get("crm/v3/pipelines/deals").json()), "results")
        stages = {
            id_: label
            for one in pipelines
            for part in (one, *told.listed(one, "stages"))
            if (id_ := told.name(part, "id")) and (label := told.name(part, "label"))
        }
        return Known(owners, stages)

    # Searching

    def _windows(self, name: str, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The stretch from start to end, in parts of which none holds more than a search tells."""
        waiting = [(start, end)]
        while waiting:
            start, end = waiting.pop()
            if self._count(name, start, end) < self.most:
                yield start, end
            elif end - start <= _LEAST:
                raise Unavailable(
                    f"source {self.configured.source!r}: more than {self.most} {name} changed at one time"
                )
            else:
                middle = start + (end - start) / 2
                middle = middle.replace(microsecond=middle.microsecond // 1000 * 1000)
                waiting += ((middle + _LEAST, end), (start, middle))

    def _count(self, name: str, start: datetime, end: datetime) -> int:
        return told.whole(self._search(name, start, end, 1, None), "total") or 0

    def _found(self, name: str, start: datetime, end: datetime) -> Iterator[Sequence[str]]:
        after: str | None = None
        while True:
            page = self._search(name, start, end, _AT_ONCE, after)
            ids = _ids(told.listed(page, "results"))
            for at in range(0, len(ids), _BATCH):
                yield ids[at : at + _BATCH]
            after = told.name(page, "paging", "next", "after")
            if after is None:
                return

    def _search(self, name: str, start: datetime, end: datetime, limit: int, after: str | None) -> Object:
        stamp = ASKED[name].stamp
        asked = {
            "filterGroups": [{"filters": [
                {"propertyName": stamp, "operator": "GTE", "value": _milliseconds(start)},
                {"propertyName": stamp, "operator": "LTE", "value": _milliseconds(end)},
            ]}],
            "sorts": [{"propertyName": stamp, "direction": "ASCENDING"}],
            "properties": [stamp],
            "limit": limit,
            **({"after": after} if after else {}),
        }  # fmt: skip
        return told.as_object(self._posted(f"crm/v3/objects/{name}/search", asked).json())

    def _batch(self, name: str, ids: Sequence[str]) -> Sequence[Object]:
        """Records with their properties and history; and the accounts they belong to."""
        history = [one for one in ASKED[name].properties if one in HISTORY]
        asked = {
            "properties": list(ASKED[name].properties),
            **({"propertiesWithHistory": history} if history else {}),
            "inputs": [{"id": id_} for id_ in ids],
        }
        reply = self._posted(f"crm/v3/objects/{name}/batch/read", asked, also=(207,))
        found = told.listed(told.as_object(reply.json()), "results")
        accounts = self._accounts(name, ids)
        return [{**one, "accounts": accounts.get(told.name(one, "id") or "", [])} for one in found]

    def _accounts(self, name: str, ids: Sequence[str]) -> Mapping[str, list[str]]:
        if name == "companies" or not ids:
            return {}
        asked = {"inputs": [{"id": id_} for id_ in ids]}
        reply = self._posted(f"crm/v4/associations/{name}/companies/batch/read", asked, also=(207,))
        found = told.listed(told.as_object(reply.json()), "results")
        return {
            from_: [id_ for to in told.listed(one, "to") if (id_ := told.name(to, "toObjectId"))]
            for one in found
            if (from_ := told.name(one, "from", "id"))
        }

    # Listing

    def _archived(self, name: str, known: Known) -> list[Parsed]:
        """What was put away: listed whole, for it cannot be searched."""
        pages = self._listed(name, {"archived": "true"})
        gone = ({**one, "archived": True} for page in pages for one in page)
        source, readers = self.configured.source, self.readers
        return [event for one in gone for event in read_object(name, one, known, source, readers)]

    def _listed(self, name: str, filters: Mapping[str, str]) -> Iterator[Sequence[Object]]:
        yield from self._pages(f"crm/v3/objects/{name}", {"limit": str(_AT_ONCE), **filters})

    def _pages(self, path: str, asked: Mapping[str, str]) -> Iterator[Sequence[Object]]:
        after: str | None = None
        seen: set[str] = set()
        while True:
            query = urlencode({**asked, **({"after": after} if after else {})})
            page = told.as_object(self._get(f"{path}?{query}").json())
            yield told.listed(page, "results")
            after = told.name(page, "paging", "next", "after")
            if after is None:
                return
            if after in seen:
                raise Unavailable(f"source {self.configured.source!r} gives the same page without end")
            seen.add(after)

    def _get(self, path: str) -> Reply:
        return self._judged(self.asked.get(path), (200,))

    def _posted(self, path: str, said: object, also: tuple[int, ...] = ()) -> Reply:
        return self._judged(self.asked.post(path, said), (200, *also))

    def _judged(self, reply: Reply, allowed: tuple[int, ...]) -> Reply:
        if reply.status not in allowed:
            raise Unavailable(f"source {self.configured.source!r} answers {reply.status}")
        return reply


def _ids(found: Sequence[Object]) -> list[str]:
    return [id_ for one in found if (id_ := told.name(one, "id"))]


def _milliseconds(at: datetime) -> str:
    return str(int(at.timestamp() * 1000))
