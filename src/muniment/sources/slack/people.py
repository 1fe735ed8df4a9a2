"""Slack's users as principals: who they are, where they may be reached, and what they are to the company."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from muniment.sources.parsed import Event
from muniment.sources.slack.message import is_id
from muniment.sources.slack.names import name_of, person_id
from muniment.sources.slack.shapes import EPOCH, Shape, flag, number, part, text

__all__ = ["Home", "home_of", "principal", "principals", "standing_of"]

_BOT = "USLACKBOT"


@dataclass(frozen=True, slots=True)
class Home:
    """The company's own workspace, and the enterprise that it is of; empty where nobody said."""

    team: str = ""
    enterprise: str = ""

    def is_of_another(self, user: Shape) -> bool:
        """Whether somebody is of another company, which may be an enterprise as well."""
        if flag(user, "is_stranger"):
            return True
        team, enterprise = text(user, "team_id"), text(part(user, "enterprise_user"), "enterprise_id")
        together = bool(enterprise) and enterprise == self.enterprise
        return bool(self.team and team) and team != self.team and not together


def home_of(users: Sequence[Shape]) -> Home:
    """The workspace that most of the users are of, for want of anybody who says which it is."""
    team = _most(text(user, "team_id") for user in users if not flag(user, "is_stranger"))
    of_it = [user for user in users if text(user, "team_id") == team]
    return Home(team, _most(text(part(user, "enterprise_user"), "enterprise_id") for user in of_it))


def _most(said: Iterable[str]) -> str:
    counted = Counter(one for one in said if one)
    # The first in the alphabet of those that tie, or the order of a listing would decide.
    return min(counted, key=lambda one: (-counted[one], one), default="")


def standing_of(user: Shape, home: Home) -> str:
    """What a user is to the company.

    Guests see only channels they are in, and a bot is nobody's full member. A stranger is of another company
    that shares a channel; so is one of another workspace, unless both are one enterprise.
    """
    if flag(user, "deleted"):
        return "deactivated"
    if home.is_of_another(user):
        return "external"
    narrow = ("is_bot", "is_restricted", "is_ultra_restricted", "is_workflow_bot")
    if text(user, "id") == _BOT or any(flag(user, name) for name in narrow):
        return "guest"
    return "member"


def principal(user: Shape, source: str, seen: datetime, home: Home) -> Event | None:
    """What Slack says of one user; None for what has no id.

    Their e-mail counts where Slack has confirmed it to us: what another company says of its own does not.
    """
    id_, standing = text(user, "id"), standing_of(user, home)
    if not is_id(id_):
        return None
    email = text(part(user, "profile"), "email").strip()
    updated = number(user, "updated")
    return {
        "op": "principal",
        "source": source,
        "id": person_id(source, id_),
        "at": (seen if updated is None else EPOCH + timedelta(seconds=updated)).isoformat(),
        "name": name_of(user)[:200] or None,
        "aliases": [f"{source}:{id_}"],
        "emails": [email] if _is_email(email) and not home.is_of_another(user) else [],
        "standing": standing,
    }


def _is_email(said: str) -> bool:
    return 3 <= len(said) <= 254 and said.count("@") == 1 and said.isprintable() and " " not in said


def principals(users: Iterable[Shape], source: str, seen: datetime, home: Home) -> Iterator[Event]:
    """All of them who have an id."""
    for user in users:
        if (event := principal(user, source, seen, home)) is not None:
            yield event
