"""How far a workspace has been read: small, without a secret, and without a word that anybody said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from muniment.sources.connector import Cursor
from muniment.sources.slack.channels import Channel, Renaming
from muniment.sources.slack.shapes import is_ts, number, order, part, shape, text, texts

__all__ = ["Bookmark"]


@dataclass(slots=True)
class Bookmark:
    """By channel, until when everything in it was heard; and of the channel being read, where in it we are.

    `next` is Slack's own place in a listing: None before its first page, empty after its last.
    `threads` are those of the page last read whose replies are still to be asked for.
    """

    people: int = 0
    heard: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    channel: str = ""
    began: str = ""
    next: str | None = None
    threads: list[str] = field(default_factory=list)
    renamings: list[Renaming] = field(default_factory=list)

    @classmethod
    def read(cls, cursor: Cursor | None) -> Bookmark:
        """From a cursor as it was written; of anything else what can be read."""
        said = shape(cursor)
        at = part(said, "open")
        return cls(
            people=number(said, "people") or 0,
            heard={name: ts for name, ts in _texts(part(said, "heard")).items() if is_ts(ts)},
            members=_texts(part(said, "members")),
            channel=text(at, "channel"),
            began=text(at, "began"),
            next=text(at, "next") if "next" in at else None,
            threads=[ts for ts in texts(at, "threads") if is_ts(ts)],
            renamings=[(when, name) for when, name in _texts(part(at, "renamings")).items() if is_ts(when)],
        )

    def written(self) -> Cursor:
        """The cursor to go on from."""
        said: dict[str, object] = {
            "people": self.people,
            "heard": dict(self.heard),
            "members": dict(self.members),
        }
        if self.channel:
            at: dict[str, object] = {"channel": self.channel, "began": self.began, "threads": [*self.threads]}
            at["renamings"] = dict(self.renamings)
            said["open"] = at if self.next is None else {**at, "next": self.next}
        return said

    def enter(self, channel: str, began: str) -> None:
        """Begin with a channel, or go on with the one that was being read."""
        if self.channel != channel or not is_ts(self.began):
            self.leave()
            self.channel, self.began = channel, began

    @property
    def is_open(self) -> bool:
        """Whether there is more to ask of the channel; once there is not, it was heard until we began."""
        if self.next == "" and not self.threads:
            self.heard[self.channel] = self.began
            self.leave()
        return bool(self.channel)

    def turn_of(self, channel: Channel) -> tuple[bool, Decimal]:
        """Whose turn it is: one that was begun, then whoever was not heard for longest.

        Slack may ask us to wait at any time. Begun from the same end each time, a pull would never reach
        the other.
        """
        return channel.id != self.channel, order(self.heard.get(channel.id, "0"))

    def turn(self, following: str) -> None:
        """The next page, or that there is none."""
        self.next = following

    def again(self) -> None:
        """Slack no longer knows the place in its listing: from the first page."""
        self.next, self.threads = None, []

    def leave(self) -> None:
        """No channel is being read."""
        self.channel, self.began, self.next = "", "", None
        self.threads, self.renamings = [], []


def _texts(said: Mapping[str, object]) -> dict[str, str]:
    return {name: value for name, value in said.items() if isinstance(value, str)}
