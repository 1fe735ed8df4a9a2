"""A channel and who may read it.

A private one, a direct message and a group's are read by their members. A public one is read by every full
member; live, also by whoever was let into it besides: guests, and people of companies that share it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from muniment.sources.parsed import Event
from muniment.sources.slack.message import is_id
from muniment.sources.slack.names import person_id
from muniment.sources.slack.shapes import Shape, flag, is_ts, order, text

__all__ = [
    "Channel",
    "Renaming",
    "audience_of",
    "converted_audience",
    "exported_audience",
    "group_of",
    "listed",
    "moved_audience",
    "name_at",
    "renaming_of",
]

Renaming = tuple[str, str]  # when, and what it had been called until then

# How much older than its reading a listing of members counts: a clock of ours that is ahead of Slack's must
# not let the listing overrule somebody's leaving. What the listing holds of those seconds, events say too.
_SKEW = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Channel:
    """One conversation, as Slack lists it."""

    id: str
    name: str
    is_private: bool

    @classmethod
    def of(cls, said: Shape) -> Channel | None:
        """None for what has no id. Private unless Slack says in words that it is not."""
        id_ = text(said, "id")
        if not is_id(id_):
            return None
        public = flag(said, "is_channel") and said.get("is_private") is False
        direct = flag(said, "is_im") or flag(said, "is_mpim")
        private = not public or direct or flag(said, "is_group")
        # What a direct message is called is made of its members' handles: nobody calls it so.
        return cls(id_, "" if direct else text(said, "name")[:200], private)


def group_of(source: str, channel: str) -> str:
    """The group that a channel's members are."""
    return f"group:{source}:{channel}"


def listed(source: str, channel: str, members: Iterable[str], at: datetime) -> Event:
    """Everyone who is in a channel by a reading of the whole list that began at this time."""
    return {
        "op": "member",
        "source": source,
        "group": group_of(source, channel),
        "at": (at - _SKEW).isoformat(),
        "set": sorted({person_id(source, user) for user in members if is_id(user)}),
    }


def audience_of(source: str, channel: Channel, at: datetime) -> Event:
    """Who may read a channel, as Slack itself said just now."""
    group = group_of(source, channel.id)
    return _audience(source, channel.id, [[group]] if channel.is_private else [["*", group]], at, at)


def converted_audience(source: str, channel: Channel, at: datetime) -> Event:
    """Who may read a channel from now on by what Slack announced; its members nobody has looked at anew."""
    return {**audience_of(source, channel, at), "verified_through": None}


def exported_audience(source: str, channel: Channel, at: datetime) -> Event:
    """Who may read what an export holds of a channel; its guests are not told apart from those who left."""
    group = group_of(source, channel.id)
    return _audience(source, channel.id, [[group]] if channel.is_private else [["*"]], at, at)


def moved_audience(source: str, old: str, new: str, at: datetime) -> Event:
    """What a channel held under its old id is for whoever is in it under the new one."""
    return _audience(source, old, [[group_of(source, new)]], at, None)


def _audience(
    source: str, channel: str, audience: list[list[str]], at: datetime, verified: datetime | None
) -> Event:
    return {
        "op": "audience",
        "source": source,
        "container": channel,
        "at": at.isoformat(),
        "audience": audience,
        "verified_through": None if verified is None else verified.isoformat(),
    }


def name_at(ts: str, name: str, renamings: Sequence[Renaming]) -> str:
    """How a channel was called when something was said: as its next renaming says it had been until then.

    So a label does not change with a channel's name, and no message has to be said anew.
    """
    after = bisect_right(renamings, order(ts), key=lambda one: order(one[0]))
    return renamings[after][1] if after < len(renamings) else name


def renaming_of(message: Shape) -> Renaming | None:
    """That a channel was given another name, as Slack remarks in it."""
    ts = text(message, "ts")
    if text(message, "subtype") not in ("channel_name", "group_name") or not is_ts(ts):
        return None
    return ts, text(message, "old_name")[:200]
