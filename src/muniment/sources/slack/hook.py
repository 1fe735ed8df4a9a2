"""What Slack delivers by itself: verified, then read by the same rule as everything else.

Slack delivers a thing again until we say that it is in, and now and then after that. Each delivery of it
makes the same event of the same id and version, which the front door takes once; so nothing is kept here of
what was delivered, and nothing is lost that failed on its first way in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from threading import Lock

from muniment.domain.errors import Malformed, Unavailable
from muniment.sources.connector import Configured, Delivery, Heard
from muniment.sources.parsed import Event, Parsed
from muniment.sources.slack.changes import told
from muniment.sources.slack.channels import Channel, converted_audience, group_of, moved_audience
from muniment.sources.slack.known import Known
from muniment.sources.slack.message import is_id
from muniment.sources.slack.names import person_id
from muniment.sources.slack.people import principal, principals
from muniment.sources.slack.shapes import EPOCH, Shape, instant_of, is_ts, number, part, shape, text
from muniment.sources.slack.signature import verify

__all__ = ["SlackHook", "hook"]

_CONVERTED = {"channel_convert_to_private": True, "channel_convert_to_public": False}
# Something changed, and what exactly is to be asked.
_ASK = frozenset(
    "channel_history_changed group_history_changed im_history_changed app_rate_limited channel_deleted "
    "group_deleted channel_shared channel_unshared channel_archive channel_unarchive channel_created "
    "group_open group_close team_access_granted".split()
)


def hook(configured: Configured) -> SlackHook:
    """The hook of a configured workspace."""
    return SlackHook(configured, Known.of(configured))


class SlackHook:
    """Deliveries of the Events API for one workspace."""

    def __init__(self, configured: Configured, known: Known) -> None:
        self._configured = configured
        self._known = known
        self._turn = Lock()  # what is known is read and changed by one delivery at a time

    def hear(self, delivery: Delivery) -> Heard:
        """What a delivery says. Raises Unsigned, and Malformed for what cannot be read."""
        verify(delivery, self._configured.secret("signing_secret"))
        said = _envelope(delivery.raw)
        match text(said, "type"):
            case "url_verification":
                return Heard(reply={"challenge": text(said, "challenge")})
            case "event_callback":
                with self._turn:
                    return self._heard(part(said, "event"), _when(said, delivery.at), delivery.at)
            case "app_rate_limited":
                return Heard(again=True)
        return Heard()

    def _heard(self, event: Shape, when: datetime, now: datetime) -> Heard:
        kind = text(event, "type")
        if kind == "message":
            return self._message(event, now)
        if kind in _ASK:
            return Heard(again=True)
        if kind in ("user_change", "team_join"):
            return self._person(part(event, "user"), when)
        return Heard(tuple(self._of_channel(kind, event, when)), again=kind in _CONVERTED)

    def _message(self, event: Shape, now: datetime) -> Heard:
        """A message, with who may read it, where that was last asked before it was written."""
        channel, ts = text(event, "channel"), text(event, "ts")
        if not is_id(channel):
            raise Malformed(f"a message names no channel: {event.get('channel')!r:.80}")
        verified: list[Event] = []
        again = False
        try:
            place = self._known.place(channel, event, now)
            if is_ts(ts):
                verified = self._known.verified(channel, instant_of(ts))
        except Unavailable:
            if not self._known.knows(event):
                return Heard(again=True)  # without names it would be another text; a pull reads it with them
            # It waits with its author until a pull has asked who may read it.
            place, again = self._known.place_as_is(channel, now), True
        met = principals(self._known.newcomers(), self._configured.source, now, self._known.home)
        said: list[Parsed] = [*met, *verified, *told(event, place)]
        return Heard(tuple(said), again=again)

    def _person(self, user: Shape, when: datetime) -> Heard:
        """Somebody as they are now; a pull asks where Slack does not say just now which company is ours."""
        try:
            self._known.people()
        except Unavailable:
            return Heard(again=True)
        self._known.met(user)
        event = principal(user, self._configured.source, when, self._known.home)
        return Heard(() if event is None else (event,))

    def _of_channel(self, kind: str, event: Shape, when: datetime) -> Iterator[Event]:
        """Who came and went, and what became of a channel."""
        source = self._configured.source
        channel, user = text(event, "channel"), text(event, "user")
        match kind:
            case "member_joined_channel" | "member_left_channel" if is_id(channel) and is_id(user):
                way = "add" if kind == "member_joined_channel" else "remove"
                group, who = group_of(source, channel), [person_id(source, user)]
                yield {
                    "op": "member",
                    "source": source,
                    "group": group,
                    "at": when.isoformat(),
                    way: who,
                }
            case "channel_convert_to_private" | "channel_convert_to_public" if is_id(channel):
                self._known.forget(channel)
                yield converted_audience(source, Channel(channel, "", _CONVERTED[kind]), when)
            case "channel_rename" | "group_rename":
                self._known.renamed(part(event, "channel"))
            case "channel_id_changed":
                old, new = text(event, "old_channel_id"), text(event, "new_channel_id")
                if is_id(old) and is_id(new):
                    yield moved_audience(source, old, new, when)


def _envelope(raw: bytes) -> Shape:
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"a delivery of slack is not JSON: {str(error)[:200]}") from None
    if not isinstance(said, dict):
        raise Malformed(f"a delivery of slack is an object, not {type(said).__name__}")
    return shape(said)


def _when(said: Shape, at: datetime) -> datetime:
    """When something happened, to as much as Slack says of it."""
    ts = text(part(said, "event"), "event_ts")
    if is_ts(ts):
        return instant_of(ts)
    seconds = number(said, "event_time")
    return at if seconds is None else EPOCH + timedelta(seconds=seconds)
