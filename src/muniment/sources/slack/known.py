"""What is known of a workspace while it is being read: its people and channels, asked once and then followed.

It lives as long as the process and holds nothing that the source could not be asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from muniment.domain.regex import regex
from muniment.sources.connector import Configured
from muniment.sources.parsed import Event
from muniment.sources.slack.accounts import ACCOUNTS, parse_accounts
from muniment.sources.slack.channels import Channel, audience_of, listed
from muniment.sources.slack.message import Place, is_id
from muniment.sources.slack.names import NOBODYS, Names, name_of
from muniment.sources.slack.people import Home, home_of
from muniment.sources.slack.shapes import Shape, part, text, texts
from muniment.sources.slack.web import Gone, Web

__all__ = ["BASE_URL", "Known", "members_of"]

BASE_URL = "https://slack.com/api/"
_MENTION = regex(r"<@([A-Z0-9]{2,64})[|>]")


class Known:
    """The people and channels of one workspace."""

    def __init__(
        self, source: str, web: Web, clock: Callable[[], datetime], accounts: Mapping[str, str] = NOBODYS
    ) -> None:
        self.web = web
        self._accounts = accounts
        self.home = Home()
        self._source = source
        self._clock = clock
        self._names: dict[str, str] = {}
        self._has_people = False
        self._newcomers: list[Shape] = []
        self._channels: dict[str, Channel] = {}
        self._verified: dict[str, datetime] = {}

    @classmethod
    def of(cls, configured: Configured) -> Known:
        """Of a configured workspace; nothing is asked yet."""
        url = configured.settings.get("base_url") or BASE_URL
        accounts = parse_accounts(configured.settings.get(ACCOUNTS, ""))
        return cls(configured.source, Web(configured.secret("token"), url), configured.clock, accounts)

    def people(self) -> list[Shape]:
        """Everyone the workspace lists, asked anew.

        Those of a large company that shares a channel may be more than our own, so their number says nothing.
        """
        users = self.web.everything("users.list", "members", {"limit": 1000})
        own = self.web.ask("auth.test", {})
        told = Home(text(own, "team_id"), text(own, "enterprise_id"))
        self.home = told if told.team else home_of(users)
        self._names |= {text(user, "id"): name_of(user) for user in users}
        self._has_people = True
        return users

    def met(self, user: Shape) -> None:
        """Somebody was described anew."""
        self._names[text(user, "id")] = name_of(user)

    def channel(self, said: Shape) -> Channel | None:
        """A channel as it was just listed."""
        channel = Channel.of(said)
        if channel is not None:
            self._channels[channel.id] = channel
        return channel

    def renamed(self, said: Shape) -> None:
        """A channel has another name; what was said before keeps the old one."""
        old = self._channels.get(text(said, "id"))
        if old is not None and (name := text(said, "name")):
            self._channels[old.id] = Channel(old.id, name[:200], old.is_private)

    def forget(self, channel: str) -> None:
        """Something became of a channel: it is asked for anew."""
        self._channels.pop(channel, None)
        self._verified.pop(channel, None)

    def names(self, messages: Iterable[Shape]) -> Names:
        """What everyone is called who wrote these messages or is mentioned in them.

        Whoever is in no list, such as somebody of another company, is asked for one by one.
        """
        if not self._has_people:
            self.people()
        for user in sorted({one for said in messages for one in _people_in(said)} - self._names.keys()):
            self._names[user] = self._asked(user)
        return self._called()

    def _called(self) -> Names:
        return Names(
            {user: name for user, name in self._names.items() if name},
            {one.id: one.name for one in self._channels.values() if one.name},
            self._accounts,
        )

    def _asked(self, user: str) -> str:
        try:
            said = part(self.web.ask("users.info", {"user": user}), "user")
        except Gone:
            return ""
        self._newcomers.append(said)
        return name_of(said)

    def newcomers(self) -> list[Shape]:
        """Those whom no list held and who had to be asked for, since this was last asked."""
        found, self._newcomers = self._newcomers, []
        return found

    def place(self, channel: str, message: Shape, now: datetime) -> Place:
        """Where a message that was just delivered stands."""
        if channel not in self._channels:
            self.channel(part(self.web.ask("conversations.info", {"channel": channel}), "channel"))
        return self._placed(channel, self.names(_inside(message)), now)

    def knows(self, message: Shape) -> bool:
        """Whether everyone who wrote a message or is mentioned in it is known by name already."""
        return all(_people_in(said) <= self._names.keys() for said in _inside(message))

    def place_as_is(self, channel: str, now: datetime) -> Place:
        """The same by what is known already: Slack cannot be asked just now."""
        return self._placed(channel, self._called(), now)

    def _placed(self, channel: str, names: Names, now: datetime) -> Place:
        known = self._channels.get(channel)
        return Place(self._source, channel, names, known.name if known else "", now)

    def verified(self, channel: str, written: datetime) -> list[Event]:
        """Who may read a channel, unless that was asked since the message was written."""
        asked = self._verified.get(channel)
        if asked is not None and asked >= written:
            return []
        # Slack has told us of the message, so whatever it says now it says after it, by its own clock too.
        now = max(self._clock(), written)
        found = self.channel(part(self.web.ask("conversations.info", {"channel": channel}), "channel"))
        if found is None:
            raise Gone(f"slack conversations.info says nothing of {channel!r}")
        events = [
            listed(self._source, channel, members_of(self.web, channel), now),
            audience_of(self._source, found, now),
        ]
        self._verified[channel] = now
        return events


def _inside(message: Shape) -> list[Shape]:
    """A message, and those that a notice is about."""
    return [message, part(message, "message"), part(message, "previous_message")]


def _people_in(message: Shape) -> set[str]:
    mentioned = _MENTION.findall(text(message, "text"))
    return {user for user in (text(message, "user"), *mentioned) if is_id(user)}


def members_of(web: Web, channel: str) -> list[str]:
    """Everyone in a channel."""
    pages = web.pages("conversations.members", {"channel": channel, "limit": 1000})
    return [member for said in pages for member in texts(said, "members")]
