"""One message of Slack's as an event of ours: the only place where that is decided.

An export, a delivery and the Web API hand in the same object with different things around it. What is read
here is only what they share, so that all three give one id, one version and one body. Left out is what
changes without an edit: reactions, counts of replies, unfolded links, the language Slack believes to hear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.regex import regex
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.slack.blocks import attachments_text, blocks_text, files_text
from muniment.sources.slack.markup import readable
from muniment.sources.slack.names import Names, person_id
from muniment.sources.slack.shapes import Shape, instant_of, is_ts, objects, part, shape, text

__all__ = ["Place", "body_of", "deleted", "is_id", "message_events", "version_of"]

_ID = regex(r"[A-Za-z0-9_-]{1,64}\Z", re.ASCII)
_MENTION = regex(r"<@([A-Z0-9]{2,64})[|>]")
_NAME_LIMIT = 200  # characters of what somebody is called
_JOINED = frozenset(("channel_join", "group_join"))
_LEFT = frozenset(("channel_leave", "group_leave"))
# What Slack itself remarks on: nobody said it. Topics and purposes are kept, somebody wrote those.
_REMARKS = frozenset(
    "channel_name group_name channel_archive group_archive channel_unarchive group_unarchive "
    "channel_convert_to_private channel_convert_to_public channel_posting_permissions bot_add bot_remove "
    "bot_enable bot_disable pinned_item unpinned_item reminder_add sh_room_created sh_room_shared "
    "huddle_thread message_replied reply_broadcast ekm_access_denied joiner_notification "
    "joiner_notification_for_inviter app_conversation_join".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands: whose source, which channel, what it is called, what people are called.

    `seen` is when the listing was made that holds it: a tombstone does not say when it was put up.
    """

    source: str
    channel: str
    names: Names
    name: str
    seen: datetime

    def item(self, ts: str) -> str:
        """A message's id: a time stamp is unique in its channel alone."""
        return f"{self.channel}/{ts}"


def is_id(value: str) -> bool:
    """Whether it could be an id of Slack's; anything else names nothing."""
    return _ID.match(value) is not None


def message_events(message: object, place: Place, *, changed: str = "") -> Iterator[Parsed]:
    """What one message says: a text, that there was one, who came or went, or nothing.

    `changed` is when Slack told of a change, where the message itself does not say that it was edited.
    """
    said = shape(message)
    ts = text(said, "ts")
    if not is_ts(ts):
        yield Unread(place.channel, str(message)[:2_000], f"ts {said.get('ts')!r:.80} is no time stamp")
        return
    subtype = text(said, "subtype")
    if subtype == "tombstone":
        yield deleted(ts, place, changed)
    elif subtype in _JOINED or subtype in _LEFT:
        yield from _came_or_went(said, place)
    elif subtype not in _REMARKS:
        yield _upsert(said, place, changed)


def deleted(ts: str, place: Place, event_ts: str = "") -> Event:
    """That a message is gone. Where nobody says when, it happened to the text that is newest now."""
    known = is_ts(event_ts)
    return {
        "op": "delete",
        "source": place.source,
        "id": place.item(ts),
        "at": (instant_of(event_ts) if known else place.seen).isoformat(),
        "version": event_ts if known else None,
    }


def _came_or_went(said: Shape, place: Place) -> Iterator[Event]:
    user = text(said, "user")
    if not is_id(user):
        return
    way = "add" if text(said, "subtype") in _JOINED else "remove"
    yield {
        "op": "member",
        "source": place.source,
        "group": f"group:{place.source}:{place.channel}",
        "at": instant_of(text(said, "ts")).isoformat(),
        way: [person_id(place.source, user)],
    }


def version_of(message: Shape) -> str:
    """When the text was last changed by somebody, as Slack writes it."""
    edited = text(part(message, "edited"), "ts")
    return edited if is_ts(edited) else text(message, "ts")


def body_of(message: Shape, names: Names) -> str:
    """Everything a message says, as a person reads it."""
    parts = (_spoken(message, names), attachments_text(message, names), files_text(message))
    return "\n".join(said for said in parts if said)


def _spoken(message: Shape, names: Names) -> str:
    """Its text, and its blocks where they say more: for what people write they are one thing twice."""
    said, written = readable(text(message, "text"), names).strip(), blocks_text(message, names)
    kinds = {text(block, "type") for block in objects(message, "blocks")}
    if said and (kinds <= {"rich_text"} or _holds(said, written)):
        return said
    return written if _holds(written, said) else f"{said}\n{written}"


def _holds(whole: str, other: str) -> bool:
    return " ".join(other.split()) in " ".join(whole.split())


def _upsert(said: Shape, place: Place, changed: str) -> Event:
    ts, version = text(said, "ts"), changed or version_of(said)
    thread = text(said, "thread_ts")
    author, called = _author(said, place)
    body = body_of(said, place.names)
    mentioned = [person_id(place.source, user) for user in _MENTION.findall(text(said, "text"))]
    account = place.names.account(place.channel, place.name)
    return {
        "op": "upsert",
        "source": place.source,
        "id": place.item(ts),
        "kind": "message",
        "at": instant_of(version).isoformat(),
        "created_at": instant_of(ts).isoformat(),
        "author": author,
        "author_name": called,
        "body": body,
        "container": place.channel,
        # A message has no thread_ts until somebody replies; its thread is its own all the same.
        "thread": place.item(thread if is_ts(thread) else ts),
        "participants": list(dict.fromkeys([*([author] if author else []), *mentioned])),
        "labels": {"channel": place.name} if place.name else {},
        **({"account": account} if account else {}),
        "version": version,
        "metadata": _metadata(said, body),
    }


def _author(said: Shape, place: Place) -> tuple[str | None, str | None]:
    """Who wrote it: a user, be it a bot's own, else an app by its bot."""
    user, bot = text(said, "user"), text(said, "bot_id")
    given = text(said, "username") or text(part(said, "bot_profile"), "name")
    if is_id(user):
        name = place.names.person(user) or given
        return person_id(place.source, user), name[:_NAME_LIMIT] or None
    return f"service:{place.source}:{bot}" if is_id(bot) else None, given[:_NAME_LIMIT] or None


def _metadata(said: Shape, body: str) -> dict[str, object]:
    """What is worth keeping as it came, and never changes without an edit."""
    raw, subtype, bot = text(said, "text"), text(said, "subtype"), text(said, "bot_id")
    kept = {"text": raw if raw != body else "", "subtype": subtype, "bot": bot}
    files = [text(one, "id") for one in objects(said, "files") if text(one, "id")]
    return {name: value for name, value in {**kept, "files": files}.items() if value}
