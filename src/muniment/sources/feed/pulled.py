"""Event JSONL at an address: whole, with an ETag, or in pages, each of which says where the next begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from muniment.domain.errors import Unavailable
from muniment.sources.connector import Configured, Cursor, CursorLost, Listing, Page
from muniment.sources.feed.lines import lines
from muniment.sources.http import Reply, Site

__all__ = ["Feed"]

_ALLOWED: Final = frozenset({200, 204, 304, 410})
_NEXT: Final = "next-cursor"


@dataclass(frozen=True, slots=True)
class Feed:
    """An address, and the one that lists ids if there is one."""

    configured: Configured
    site: Site

    @classmethod
    def of(cls, configured: Configured) -> Feed:
        """As it was connected."""

        def credentials() -> Mapping[str, str]:
            if "token" not in configured.settings:
                return {}
            return {"authorization": f"Bearer {configured.secret('token')}"}

        return cls(configured, Site(configured.require("url"), credentials, clock=configured.clock))

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """Page after page until one is empty or says no further place."""
        place, etag = _said(cursor, "place"), _said(cursor, "etag")
        while True:
            began = self.configured.clock()
            reply = self._ask(place, etag)
            parsed = list(lines(reply.body, "feed")) if reply.status == 200 else []
            following = reply.headers.get(_NEXT) or place
            etag = reply.headers.get("etag") or (etag if reply.status == 304 else None)
            ends = not parsed or following == place
            kept = {"place": following, "etag": etag if following == place else None}
            yield Page(parsed, kept, began if ends else None, len(parsed))
            if ends:
                return
            place, etag = following, None

    def _ask(self, place: str | None, etag: str | None) -> Reply:
        reply = self.site.get(
            params=None if place is None else {"cursor": place},
            headers=None if etag is None else {"if-none-match": etag},
            allow=_ALLOWED,
        )
        if reply.status == 410:
            raise CursorLost("the feed no longer knows our place")
        return reply

    def sweep(self) -> Iterator[Listing]:
        """What the address of ids lists: everything, or nothing can be told."""
        if "ids" not in self.configured.settings:
            return
        at, found, place = self.configured.clock(), set[str](), None
        while True:
            reply = self.site.get(
                self.configured.settings["ids"], params=None if place is None else {"cursor": place}
            )
            found |= _ids(reply)
            following = reply.headers.get(_NEXT)
            if following is None or following == place:
                yield Listing("", frozenset(found), at, complete=True)
                return
            place = following


def _said(cursor: Cursor | None, name: str) -> str | None:
    value = None if cursor is None else cursor.get(name)
    return value if isinstance(value, str) else None


def _ids(reply: Reply) -> set[str]:
    """A list of ids, each a string; anything else is no listing, and so deletes nothing."""
    found = reply.json()
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Unavailable("the address of ids gives no list of them")
    return set(found)
