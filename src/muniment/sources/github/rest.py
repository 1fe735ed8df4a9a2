"""GitHub's REST interface: lists by page, and requests that cost nothing where nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.errors import Unavailable
from muniment.sources.connector import Unauthorised
from muniment.sources.http import Reply, next_link
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.told import Object

__all__ = ["Rest", "objects"]

MOST_PAGES: Final = 20_000  # of one list: a server that links to itself ends here


@dataclass(slots=True)
class Rest:
    """Requests, with what they were told apart by last time: (address, ETag) by what is asked for."""

    asked: Asked
    etags: dict[str, tuple[str, str]] = field(default_factory=dict)

    def get(self, path: str) -> Reply:
        """The reply; Unavailable where the thing is not there."""
        reply = self.asked.get(path)
        if reply.status >= 400:
            raise Unavailable(f"source {self.asked.source!r}: {path.partition('?')[0]} gave {reply.status}")
        return reply

    def get_changed(self, what: str, path: str) -> Reply | None:
        """The reply, or None where it is the same as when `what` was asked for last."""
        url = self.asked.url(path)
        there, etag = self.etags.get(what, ("", ""))
        reply = self.asked.get(path, {"if-none-match": etag} if there == url and etag else None)
        if reply.status == 304:
            return None
        if reply.status >= 400:
            raise Unavailable(f"source {self.asked.source!r}: {path.partition('?')[0]} gave {reply.status}")
        self.etags.pop(what, None)
        # The first of several pages says nothing of the others, which may be read in another turn.
        if (said := reply.headers.get("etag")) and next_link(reply.headers) is None:
            self.etags[what] = (url, said[:200])
        return reply

    def pages(self, path: str) -> Iterator[Reply]:
        """All pages of a list, as each links to the next."""
        reply = self.get(path)
        yield reply
        yield from self.following(reply)

    def following(self, reply: Reply) -> Iterator[Reply]:
        """The pages after one."""
        for _ in range(MOST_PAGES):
            onward = next_link(reply.headers)
            if onward is None:
                return
            reply = self.get(onward)
            yield reply
        raise Unavailable(f"source {self.asked.source!r} gave more than {MOST_PAGES} pages of one list")

    def everything(self, path: str) -> list[Object]:
        """Everything in a list."""
        return [one for reply in self.pages(path) for one in objects(reply)]

    def list_there(self, path: str) -> Sequence[Object]:
        """Everything in a list; none where what it belongs to is gone."""
        reply = self.asked.get(path)
        if reply.status in (404, 410):
            return ()
        return [one for page in (reply, *self.following(reply)) for one in objects(page)]

    def list_allowed(self, path: str) -> Sequence[Object] | None:
        """Everything in a list; None where we may not see it, or it is not there."""
        try:
            reply = self.asked.get(path)
            if reply.status >= 400:
                return None
            return [one for page in (reply, *self.following(reply)) for one in objects(page)]
        except Unauthorised:
            return None

    def list_steadily(self, path: str) -> list[Object]:
        """Everything in a list that may change while it is read.

        What is deleted meanwhile moves the rest up a place, past the edge of a page. So pages are asked
        for again, which costs nothing where they are the same, and both readings count.
        """
        first = list(self.pages(path))
        found = [one for reply in first for one in objects(reply)]
        if len(first) > 1 and not all(self._is_same(reply) for reply in first):
            found += self.everything(path)
        return found

    def _is_same(self, reply: Reply) -> bool:
        etag = reply.headers.get("etag", "")
        return bool(etag) and self.asked.get(reply.url, {"if-none-match": etag}).status == 304

    def kept(self) -> Mapping[str, object]:
        """The ETags as a cursor keeps them."""
        return {what: list(pair) for what, pair in sorted(self.etags.items())}


def objects(reply: Reply) -> Sequence[Object]:
    """The objects of a reply that is a list, or that holds one beside its length."""
    found = reply.json()
    if isinstance(found, dict):
        found = next((part for part in found.values() if isinstance(part, list)), [])
    if not isinstance(found, list):
        raise Unavailable("GitHub gave no list where one was asked for")
    return [one for one in found if isinstance(one, dict)]
