"""What Slack's ids are called: people, bots and channels, as one listing of them says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from muniment.sources.slack.shapes import Shape, part, text

__all__ = ["Names", "name_of", "person_id"]


@dataclass(frozen=True, slots=True)
class Names:
    """Readable names by id. An id that nobody named stands for itself."""

    people: Mapping[str, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, users: Iterable[Shape], channels: Iterable[Shape] = ()) -> Names:
        """From users and channels as Slack lists them."""
        return cls(
            {text(user, "id"): name for user in users if (name := name_of(user))},
            {text(one, "id"): name for one in channels if (name := text(one, "name"))},
        )

    def person(self, user: str) -> str | None:
        """What somebody is called; None where nobody said."""
        return self.people.get(user)


def name_of(user: Shape) -> str:
    """A full name where there is one: display names are jokes, handles are handles."""
    profile = part(user, "profile")
    said = (text(profile, "real_name"), text(user, "real_name"), text(profile, "display_name"))
    return next((name.strip() for name in (*said, text(user, "name")) if name.strip()), "")


def person_id(source: str, user: str) -> str:
    """The principal that a user of this source is. Slack's ids are never given to anybody else."""
    return f"user:{source}:{user}"
