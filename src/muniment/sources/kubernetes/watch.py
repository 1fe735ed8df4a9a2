"""A cluster's events: listed once, then watched from where the list ended, over plain HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from muniment.domain.errors import Malformed, Unavailable
from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Cursor, CursorLost, Listing, Page
from muniment.sources.kubernetes.notices import namespace_of, notice
from muniment.sources.parsed import Parsed
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.mapping import Mapped, parse_mapping, stated
from muniment.sources.wire.told import Object

__all__ = ["Kubernetes"]

_PAGE: Final = 500
_BATCH: Final = 200
_GONE: Final = 410


@dataclass(frozen=True, slots=True)
class Kubernetes:
    """The events of one cluster, or of some of its namespaces."""

    configured: Configured

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """All there are, or what came since: each namespace goes on from where it was.

        A watch that gives nothing at all may be quiet, or be asked to go on from what the cluster has
        forgotten; both look the same, so that the events are listed again, once. When to ask next is for the
        loop to say.
        """
        now = self.configured.clock()
        marks = {place: mark for place, mark in told.part(cursor, "marks").items() if isinstance(mark, str)}
        asked, mapped = self._asked(), parse_mapping(self.configured.settings.get("audiences", ""))
        said: set[str] = set()
        for place in self._places():
            heard = 0
            pages = self._watched(asked, place, marks[place]) if place in marks else iter(())
            for objects, mark in pages:
                heard += 1
                marks = {**marks, place: mark}
                yield self._page(objects, marks, mapped, said)
            if not heard:
                for objects, mark in self._listed(asked, place):
                    marks = {**marks, place: mark} if mark else marks
                    yield self._page(objects, marks, mapped, said)
        yield Page((), {"marks": marks}, through=now)

    def sweep(self) -> Iterator[Listing]:
        """Nothing: a cluster forgets its events after an hour, which says nothing of them."""
        return iter(())

    def _places(self) -> list[str]:
        named = [one.strip() for one in self.configured.settings.get("namespaces", "").split(",")]
        return [one for one in named if one] or [""]

    def _asked(self) -> Asked:
        headers = {"authorization": f"Bearer {self.configured.secret('token')}", "accept": "application/json"}
        # A watch may be silent for all of its time.
        return Asked(self.configured.source, self.configured.require("url"), headers, 20.0 + self._seconds)

    @property
    def _seconds(self) -> int:
        said = self.configured.settings.get("watch_seconds") or "10"
        if not said.isdecimal() or not 0 < int(said) <= 300:
            raise Malformed(f"source {self.configured.source!r}: watch_seconds {said!r} is not 1 to 300")
        return int(said)

    def _page(self, objects: list[Object], marks: dict[str, str], mapped: Mapped, said: set[str]) -> Page:
        now, source = format_instant(self.configured.clock()), self.configured.source
        parsed: list[Parsed] = []
        for one in objects:
            namespace = namespace_of(one)
            if namespace is not None and namespace not in said:
                said.add(namespace)
                parsed += stated(mapped, source, namespace, now)
            parsed += notice(source, one)
        return Page(tuple(parsed), {"marks": marks}, seen=len(objects))

    def _listed(self, asked: Asked, place: str) -> Iterator[tuple[list[Object], str]]:
        """Pages of all events; the mark comes with the last, since a watch goes on from a whole list."""
        onward = ""
        while True:
            reply = asked.get(_path(place, {"limit": _PAGE, **({"continue": onward} if onward else {})}))
            if reply.status == _GONE:
                raise CursorLost(f"source {asked.source!r}: the list of events went out of date under way")
            if reply.status >= 400:
                raise Unavailable(f"source {asked.source!r}: events gave {reply.status}")
            found = told.as_object(reply.json())
            before, onward = onward, told.text(found, "metadata", "continue") or ""
            mark = told.name(found, "metadata", "resourceVersion") or ""
            yield list(told.listed(found, "items")), "" if onward else mark
            if not onward or onward == before:
                return

    def _watched(self, asked: Asked, place: str, mark: str) -> Iterator[tuple[list[Object], str]]:
        """What came since the mark, some at a time, until the cluster closes the watch."""
        said: dict[str, object] = {
            "watch": 1, "resourceVersion": mark, "allowWatchBookmarks": "true",
            "timeoutSeconds": self._seconds,
        }  # fmt: skip
        batch: list[Object] = []
        is_anything = False
        for line in asked.lines(_path(place, said)):
            if line.strip():
                is_anything = True
                object_, mark = _change(asked.source, line, mark)
                batch += [] if object_ is None else [object_]
            if len(batch) >= _BATCH:
                yield batch, mark
                batch = []
        if is_anything:
            yield batch, mark


def _path(place: str, said: dict[str, object]) -> str:
    scope = f"namespaces/{quote(place, safe='')}/" if place else ""
    return f"api/v1/{scope}events?{urlencode(said)}"


def _change(source: str, line: bytes, mark: str) -> tuple[Object | None, str]:
    """The event a line tells of, and where the watch stands after it."""
    try:
        change = told.as_object(told.read(line))
    except Malformed as error:
        raise Unavailable(f"source {source!r} sent a line that is {error}") from None
    kind, object_ = told.text(change, "type"), told.part(change, "object")
    if kind == "ERROR":
        code = told.whole(object_, "code")
        if code == _GONE:
            raise CursorLost(f"source {source!r} has forgotten the version it was asked to go on from")
        raise Unavailable(f"source {source!r} ended the watch: {code}")
    after = told.name(object_, "metadata", "resourceVersion") or mark
    return (object_ if kind in ("ADDED", "MODIFIED") else None), after
