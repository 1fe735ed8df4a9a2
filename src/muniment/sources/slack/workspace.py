"""A workspace asked through the Web API: what is new, and what it still holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Malformed
from muniment.sources.connector import Configured, Cursor, CursorLost, Listing, Page
from muniment.sources.parsed import Event, Parsed
from muniment.sources.slack.bookmark import Bookmark
from muniment.sources.slack.channels import Channel, Renaming, audience_of, listed, name_at, renaming_of
from muniment.sources.slack.known import Known, members_of
from muniment.sources.slack.message import Place, message_events, version_of
from muniment.sources.slack.people import principals
from muniment.sources.slack.shapes import (
    Shape,
    flag,
    instant_of,
    is_ts,
    later,
    number,
    objects,
    order,
    text,
    ts_of,
)
from muniment.sources.slack.web import Gone, next_of

__all__ = ["Workspace", "workspace"]

_KINDS: Final = "public_channel,private_channel,mpim,im"
_PAGE: Final = 200
# What was written a moment before we asked may be listed a moment later: it is read once more next time.
_LAG: Final = timedelta(seconds=30)


def workspace(configured: Configured) -> Workspace:
    """The workspace that the settings name; Malformed where they cannot be."""
    said = configured.settings.get("thread_days") or "30"
    if not said.isdecimal() or not 1 <= int(said) <= 3_650:
        raise Malformed(f"setting thread_days of {configured.source!r} is {said!r}: say days, 1 to 3650")
    return Workspace(configured, Known.of(configured), timedelta(days=int(said)))


@dataclass(frozen=True, slots=True)
class _Reading:
    """One channel being read: since when, and what it was called until when."""

    channel: Channel
    began: datetime
    heard: str
    renamings: Sequence[Renaming] = ()


class Workspace:
    """All conversations that the app is in."""

    def __init__(self, configured: Configured, known: Known, window: timedelta) -> None:
        self._source = configured.source
        self._clock = configured.clock
        self._known = known
        self._window = window

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """People, then each channel: its audience, what was written or edited, replies to old threads."""
        began = self._clock()
        mark = Bookmark.read(cursor)
        users = self._known.people()
        new = [one for one in users if (number(one, "updated") or mark.people) >= mark.people]
        mark.people = max((number(one, "updated") or 0 for one in users), default=mark.people)
        told = list(principals(new, self._source, began, self._known.home))
        yield Page(told, mark.written(), seen=len(new))
        for channel in sorted(self._channels(), key=mark.turn_of):
            try:
                yield from self._channel(channel, mark)
            except Gone:
                mark.leave()  # the app was put out of it meanwhile, or it is no more
        yield Page((), mark.written(), through=began)

    def _channels(self) -> list[Channel]:
        """The conversations the app is in, in an order of their own."""
        asked: dict[str, str | int | bool] = {"types": _KINDS, "limit": _PAGE, "exclude_archived": False}
        said = self._known.web.everything("conversations.list", "channels", asked)
        inside = [one for one in said if any(flag(one, name) for name in ("is_member", "is_im", "is_mpim"))]
        found = {channel.id: channel for one in inside if (channel := self._known.channel(one)) is not None}
        return [found[id_] for id_ in sorted(found)]

    def _channel(self, channel: Channel, mark: Bookmark) -> Iterator[Page]:
        began = self._clock()
        mark.enter(channel.id, ts_of(began - _LAG))
        yield Page(self._audience(channel, began, mark), mark.written())
        yield from self._threads(channel, mark)
        while mark.is_open:
            yield from self._history(channel, mark)
        yield Page((), mark.written())

    def _audience(self, channel: Channel, at: datetime, mark: Bookmark) -> list[Event]:
        """Who may read the channel; who is in it only where that is not what it was."""
        members = sorted(members_of(self._known.web, channel.id))
        digest = hashlib.sha256("\n".join(members).encode()).hexdigest()[:16]
        same = mark.members.get(channel.id) == digest
        mark.members[channel.id] = digest
        audience = audience_of(self._source, channel, at)
        return [audience] if same else [listed(self._source, channel.id, members, at), audience]

    def _history(self, channel: Channel, mark: Bookmark) -> Iterator[Page]:
        """One page of messages, then each thread of it that has new replies."""
        heard = mark.heard.get(channel.id, "")
        oldest = ts_of(max(instant_of(heard) - self._window, instant_of("1.0"))) if heard else "0"
        asked: dict[str, str | int] = {"channel": channel.id, "oldest": oldest, "limit": _PAGE}
        if mark.next:
            asked["cursor"] = mark.next
        try:
            said = self._known.web.ask("conversations.history", asked)
        except CursorLost:
            mark.again()
            return
        messages = objects(said, "messages")
        mark.renamings += _renamings(messages)
        parsed = self._parsed([one for one in messages if _is_new(one, heard)], channel, mark)
        mark.threads = [
            text(one, "ts") for one in messages if order(_ts(one, "latest_reply")) > order(heard or "0")
        ]
        following = next_of(said)
        mark.turn(following if following != mark.next else "")
        yield Page(parsed, mark.written(), seen=len(messages))
        yield from self._threads(channel, mark)

    def _threads(self, channel: Channel, mark: Bookmark) -> Iterator[Page]:
        """The replies that are new, thread by thread: being told to wait repeats one and not all of them."""
        heard = mark.heard.get(channel.id, "")
        while mark.threads:
            replies = self._replies(channel.id, mark.threads[0], heard)
            mark.threads = mark.threads[1:]
            parsed = self._parsed([one for one in replies or () if _is_new(one, heard)], channel, mark)
            yield Page(parsed, mark.written(), seen=len(replies or ()))

    def _replies(self, channel: str, ts: str, oldest: str) -> list[Shape] | None:
        """A thread without its first message; None where it is gone."""
        asked: dict[str, str | int] = {"channel": channel, "ts": ts, "limit": _PAGE, "oldest": oldest or "0"}
        try:
            found = self._known.web.everything("conversations.replies", "messages", asked)
        except Gone:
            return None
        return [one for one in found if text(one, "ts") != ts]

    def _parsed(self, messages: Sequence[Shape], channel: Channel, mark: Bookmark) -> list[Parsed]:
        """What messages say, oldest first, each under the name that the channel had then."""
        names = self._known.names(messages)
        renamings = sorted(mark.renamings, key=lambda one: order(one[0]))
        met = principals(self._known.newcomers(), self._source, instant_of(mark.began), self._known.home)
        parsed: list[Parsed] = [*met]
        for one in sorted(messages, key=lambda one: order(_ts(one, "ts"))):
            name = name_at(_ts(one, "ts"), channel.name, renamings)
            place = Place(self._source, channel.id, names, name, instant_of(mark.began))
            parsed += message_events(one, place)
        return parsed

    def sweep(self) -> Iterator[Listing]:
        """Each channel whole: the ids it still holds, who may read it, what pulls do not look back for."""
        self._known.people()
        for channel in self._channels():
            try:
                yield self._swept(channel)
            except Gone:
                continue  # whether it was deleted or we were put out nobody says, so nothing is deleted

    def _swept(self, channel: Channel) -> Listing:
        at = self._clock()
        mark = Bookmark.read(None)
        mark.enter(channel.id, ts_of(at))
        parsed: list[Parsed] = [*self._audience(channel, at, mark)]
        held: set[str] = set()
        complete = True
        for said in self._known.web.pages("conversations.history", {"channel": channel.id, "limit": _PAGE}):
            messages = objects(said, "messages")
            mark.renamings += _renamings(messages)
            threads = [
                self._replies(channel.id, text(one, "ts"), "") for one in messages if _has_replies(one)
            ]
            complete = complete and None not in threads
            replies = [one for thread in threads if thread is not None for one in thread]
            everything = self._parsed([*messages, *replies], channel, mark)
            held |= {str(event["id"]) for event in _texts(everything)}
            late = [*replies, *(one for one in messages if version_of(one) != text(one, "ts"))]
            parsed += _texts(self._parsed(late, channel, mark))
        return Listing(f"{channel.id}/", frozenset(held), at, complete, parsed)


def _renamings(messages: Sequence[Shape]) -> list[Renaming]:
    return [one for message in messages if (one := renaming_of(message)) is not None]


def _texts(parsed: Sequence[Parsed]) -> list[Event]:
    return [one for one in parsed if isinstance(one, dict) and one.get("op") == "upsert"]


def _ts(message: Shape, name: str) -> str:
    """A time stamp of a message, or the earliest there is."""
    found = text(message, name)
    return found if is_ts(found) else "0"


def _has_replies(message: Shape) -> bool:
    return number(message, "reply_count") is not None or bool(text(message, "latest_reply"))


def _is_new(message: Shape, heard: str) -> bool:
    """Whether it was written or edited since; what has no time stamp is handed on with that as the reason."""
    ts = text(message, "ts")
    return not is_ts(ts) or order(later(ts, version_of(message))) > order(heard or "0")
