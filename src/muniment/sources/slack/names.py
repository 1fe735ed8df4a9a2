"""What Slack's ids are called: people, bots and channels, as one listing of them says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from muniment.sources.slack.shapes import Shape, part, text

__all__ = ["NOBODYS", "Names", "name_of", "person_id"]


NOBODYS: Final = MappingProxyType[str, str]({})


@dataclass(frozen=True, slots=True)
class Names:
    """Readable names by id. An id that nobody named stands for itself.

    accounts: what channels are about, by id or name, as a person says.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)
    accounts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, users: Iterable[Shape], channels: Iterable[Shape] = (), accounts: Mapping[str, str] = NOBODYS
    ) -> Names:
        """From users and channels as Slack lists them."""
        return cls(
            {text(user, "id"): name for user in users if (name := name_of(user))},
            {text(one, "id"): name for one in channels if (name := text(one, "name"))},
            accounts,
        )

    def person(self, user: str) -> str | None:
        """What somebody is called; None where nobody said."""
        return self.people.get(user)

    def account(self, channel: str, name: str) -> str | None:
        """What a channel is about; None where nobody said."""
        return self.accounts.get(channel) or self.accounts.get(name)


def name_of(user: Shape) -> str:
    """A full name where there is one: display names are jokes, handles are handles."""
    profile = part(user, "profile")
    said = (text(profile, "real_name"), text(user, "real_name"), text(profile, "display_name"))
    return next((name.strip() for name in (*said, text(user, "name")) if name.strip()), "")


def person_id(source: str, user: str) -> str:
    """The principal that a user of this source is. Slack's ids are never given to anybody else."""
    return f"user:{source}:{user}"
