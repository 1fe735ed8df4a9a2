"""Fireflies, asked by GraphQL, and what it delivers: that there is something new, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Unavailable
from muniment.domain.times import format_instant, parse_instant
from muniment.sources.connector import (
    Configured,
    Cursor,
    Delivery,
    Heard,
    Listing,
    Page,
    Throttled,
    Unauthorised,
)
from muniment.sources.meetings.fireflies import FIELDS, meeting_of
from muniment.sources.meetings.meeting import events_of
from muniment.sources.meetings.sharing import Sharing
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.signed import check_hmac
from muniment.sources.wire.told import Object

__all__ = ["Fireflies", "FirefliesHook"]

_AT_ONCE: Final = 50
_DEEPEST: Final = 5_000  # it skips no more than this; beyond, an earlier end is asked for
_LATE: Final = timedelta(days=2)  # a meeting's date is when it was, and it is there hours later
_QUERY: Final = (
    "query($limit: Int, $skip: Int, $from: DateTime, $to: DateTime) "
    "{ transcripts(limit: $limit, skip: $skip, fromDate: $from, toDate: $to) { %s } }"
)


@dataclass(frozen=True, slots=True)
class Fireflies:
    """The transcripts one key sees."""

    configured: Configured
    sharing: Sharing
    asked: Asked

    @classmethod
    def of(cls, configured: Configured) -> Fireflies:
        """Checked; Malformed says what is wrong with the settings."""
        base = configured.settings.get("api") or "https://api.fireflies.ai"
        headers = {"authorization": f"Bearer {configured.secret('key')}"}
        return cls(configured, Sharing.read(configured.settings), Asked(configured.source, base, headers))

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """Meetings since a while before the last pull, which those read already answer as duplicates.

        It lists the newest first. So the cursor moves only when all of a pull is in.
        """
        began = self.configured.clock()
        since, known = told.text(dict(cursor or {}), "since"), _known(cursor)
        kept: dict[str, str] = {}
        for found in self._pages(FIELDS, since, None):
            parsed = [one for transcript in found for one in self._read(transcript, known, began)]
            kept.update(_heard_again(found, began - _LATE, known, began))
            yield Page(parsed, _cursor(since, {**known, **kept}), None, len(found))
        yield Page((), _cursor(format_instant(began - _LATE), kept), began)

    def sweep(self) -> Iterator[Listing]:
        """All ids there are; listed twice, since one that is deleted meanwhile moves the others."""
        at = self.configured.clock()
        first, second = (
            {
                id_
                for page in self._pages("id date", None, None)
                for one in page
                if (id_ := told.name(one, "id"))
            }
            for _ in range(2)
        )
        ids = frozenset(name for id_ in first | second for name in (id_, f"{id_}/summary"))
        yield Listing("", ids, at, complete=first == second)

    def _pages(self, fields: str, since: str | None, until: str | None) -> Iterator[list[Object]]:
        skip, seen = 0, set[str]()
        while True:
            asked: dict[str, object] = {"limit": _AT_ONCE, "skip": skip, "from": since, "to": until}
            page = self._transcripts(fields, asked)
            fresh = [one for one in page if (told.name(one, "id") or "") not in seen]
            seen.update(told.name(one, "id") or "" for one in fresh)
            yield fresh
            if len(page) < _AT_ONCE:
                return
            skip += _AT_ONCE
            if skip >= _DEEPEST:
                until, skip = self._earlier(page, until), 0

    def _earlier(self, page: list[Object], until: str | None) -> str:
        """The end to ask for next: the earliest time of the last page, both ends included."""
        times = [at for one in page if (at := told.instant(one, "date"))]
        if not times or min(times, key=parse_instant) == until:
            raise Unavailable(f"source {self.configured.source!r} holds too much at one time to be listed")
        return min(times, key=parse_instant)

    def _transcripts(self, fields: str, asked: dict[str, object]) -> list[Object]:
        reply = self.asked.post("graphql", {"query": _QUERY % fields, "variables": asked})
        said = told.as_object(reply.json())
        if errors := told.listed(said, "errors"):
            raise _refusal(self.configured.source, errors[0])
        if reply.status != 200:
            raise Unavailable(f"source {self.configured.source!r} answers {reply.status}")
        return list(told.listed(said, "data", "transcripts"))

    def _read(self, found: Object, known: dict[str, str], began: datetime) -> Iterator[Parsed]:
        """One transcript as of when it was first read, so that reading it again changes nothing."""
        id_ = told.name(found, "id") or ""
        seen = parse_instant(known[id_]) if id_ in known else began
        made = meeting_of(found, self.sharing, seen)
        if isinstance(made, str):
            yield Unread(f"transcript {id_!r}", told.written(found), made)
        else:
            yield from events_of(made, self.configured.source)


def _known(cursor: Cursor | None) -> dict[str, str]:
    """When each of the transcripts that will be listed once more was first read."""
    known = told.part(dict(cursor or {}), "known")
    return {id_: at for id_ in known if (at := told.instant(known, id_))}


def _heard_again(
    found: list[Object], horizon: datetime, known: dict[str, str], began: datetime
) -> dict[str, str]:
    """Of these transcripts, those the next pull lists once more, and when each was first read."""
    dates = ((told.name(one, "id") or "", told.instant(one, "date")) for one in found)
    late = (id_ for id_, at in dates if at is None or parse_instant(at) >= horizon)
    return {id_: known.get(id_) or format_instant(began) for id_ in late}


def _cursor(since: str | None, known: dict[str, str]) -> Cursor:
    return {"known": dict(sorted(known.items())), **({"since": since} if since else {})}


def _refusal(source: str, error: Object) -> Unavailable:
    code = told.text(error, "code") or told.text(error, "extensions", "code") or "no code"
    if code == "too_many_requests":
        after = told.whole(error, "extensions", "metadata", "retryAfter")
        return Throttled(f"source {source!r} asks to wait", _seconds(after))
    if code in ("invalid_auth", "auth_failed", "invalid_api_key", "forbidden"):
        return Unauthorised(f"source {source!r} refuses our credential")
    return Unavailable(f"source {source!r} answers with an error: {code:.60}")


def _seconds(said: int | None) -> float | None:
    """It says milliseconds, or the moment in milliseconds since 1970, of which no wait is made."""
    return said / 1000 if said is not None and 0 <= said < 86_400_000 else None


@dataclass(frozen=True, slots=True)
class FirefliesHook:
    """A delivery names a meeting and tells nothing of it, so that it asks for a pull."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """Verified over the raw bytes. Raises Unsigned, and Malformed for what is no JSON."""
        said = delivery.headers.get("x-hub-signature", "").strip()
        prefix = "sha256=" if said.startswith("sha256=") else ""
        check_hmac(delivery, self.configured.secret("webhook_secret"), "x-hub-signature", prefix)
        told.read(delivery.raw)
        return Heard(again=True)
