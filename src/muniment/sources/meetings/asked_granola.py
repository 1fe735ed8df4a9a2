"""Granola, asked: notes that are new or changed since, and the ids of all there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import quote, urlencode

from muniment.domain.errors import Unavailable
from muniment.domain.times import format_instant, parse_instant
from muniment.sources.connector import Configured, Cursor, CursorLost, Listing, Page
from muniment.sources.meetings.granola import meeting_of
from muniment.sources.meetings.meeting import events_of
from muniment.sources.meetings.sharing import Sharing
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.told import Object

__all__ = ["Granola"]

_AT_ONCE: Final = "30"
_AGAIN: Final = timedelta(minutes=5)  # read twice, for clocks that differ; what is known is a duplicate


@dataclass(frozen=True, slots=True)
class Granola:
    """The notes one key sees."""

    configured: Configured
    sharing: Sharing
    asked: Asked

    @classmethod
    def of(cls, configured: Configured) -> Granola:
        """Checked; Malformed says what is wrong with the settings."""
        base = configured.settings.get("api") or "https://public-api.granola.ai"
        headers = {"authorization": f"Bearer {configured.secret('key')}"}
        return cls(configured, Sharing.read(configured.settings), Asked(configured.source, base, headers))

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """What changed since; a pull that broke off goes on with the page it was at."""
        said = dict(cursor or {})
        began = told.text(said, "began") or format_instant(self.configured.clock())
        since, at = told.text(said, "since"), told.text(said, "page")
        for page in self._pages({"updated_after": since} if since else {}, at):
            notes = told.listed(page, "notes")
            parsed = [one for note in notes for one in self._read(note)]
            onward = _onward(page)
            if onward is None:
                yield Page(parsed, {"since": _before(began)}, parse_instant(began), len(notes))
            else:
                held = {"since": since, "began": began, "page": onward}
                yield Page(parsed, {key: value for key, value in held.items() if value}, None, len(notes))

    def sweep(self) -> Iterator[Listing]:
        """All ids there are; a note's summary is there as long as the note is."""
        at = self.configured.clock()
        found = [
            id_ for page in self._pages({}, None) for one in told.listed(page, "notes")
            if (id_ := told.name(one, "id"))
        ]  # fmt: skip
        yield Listing(
            "", frozenset(name for id_ in found for name in (id_, f"{id_}/summary")), at, complete=True
        )

    def _pages(self, filters: dict[str, str], at: str | None) -> Iterator[Object]:
        seen: set[str] = set()
        while True:
            where = {"cursor": at} if at else {}
            query = urlencode({"page_size": _AT_ONCE, **filters, **where})
            reply = self.asked.get(f"v1/notes?{query}")
            if reply.status in (400, 410, 422) and at:
                raise CursorLost(f"source {self.configured.source!r} no longer knows the page we were at")
            if reply.status != 200:
                raise Unavailable(f"source {self.configured.source!r} answers {reply.status}")
            page = told.as_object(reply.json())
            yield page
            at = _onward(page)
            if at is None:
                return
            if at in seen:
                raise Unavailable(f"source {self.configured.source!r} gives the same page without end")
            seen.add(at)

    def _read(self, listed: Object) -> Iterator[Parsed]:
        """A note with its transcript, which the list does not have; one that is gone by now is gone."""
        id_ = told.name(listed, "id")
        reply = self.asked.get(f"v1/notes/{quote(id_ or '', safe='')}?include=transcript") if id_ else None
        if reply is not None and reply.status in (404, 410):
            return
        if reply is not None and reply.status != 200:
            raise Unavailable(f"source {self.configured.source!r} answers {reply.status} for a note")
        note = told.as_object(reply.json()) if reply is not None else listed
        made = meeting_of(note, self.sharing)
        if isinstance(made, str):
            yield Unread(f"note {id_}", told.written(note), made)
        else:
            yield from events_of(made, self.configured.source)


def _onward(page: Object) -> str | None:
    return told.text(page, "cursor") if page.get("hasMore") is True else None


def _before(began: str) -> str:
    return format_instant(parse_instant(began) - _AGAIN)
