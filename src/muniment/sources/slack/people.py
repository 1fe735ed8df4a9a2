"""Slack's users as principals: who they are, where they may be reached, and what they are to the company."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from muniment.sources.parsed import Event
from muniment.sources.slack.message import is_id
from muniment.sources.slack.names import name_of, person_id
from muniment.sources.slack.shapes import EPOCH, Shape, flag, number, part, text

__all__ = ["home_of", "principal", "principals", "standing_of"]

_BOT = "USLACKBOT"


def home_of(users: Iterable[Shape]) -> str:
    """The workspace that most of the users are of; empty where none is said."""
    teams = Counter(team for user in users if (team := text(user, "team_id")))
    # The first in the alphabet of those that tie, or the order of a listing would decide.
    return min(teams, key=lambda team: (-teams[team], team), default="")


def standing_of(user: Shape, home: str) -> str:
    """What a user is to the company.

    Guests see only channels they are in, and a bot is nobody's full member. A stranger is of another company
    that shares a channel; so is one of another workspace, unless both are one enterprise.
    """
    if flag(user, "deleted"):
        return "deactivated"
    team = text(user, "team_id")
    if flag(user, "is_stranger") or (home and team and team != home and not part(user, "enterprise_user")):
        return "external"
    narrow = ("is_bot", "is_restricted", "is_ultra_restricted", "is_workflow_bot")
    if text(user, "id") == _BOT or any(flag(user, name) for name in narrow):
        return "guest"
    return "member"


def principal(user: Shape, source: str, seen: datetime, home: str) -> Event | None:
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
        "emails": [email] if standing != "external" and _is_email(email) else [],
        "standing": standing,
    }


def _is_email(said: str) -> bool:
    return 3 <= len(said) <= 254 and said.count("@") == 1 and said.isprintable() and " " not in said


def principals(users: Iterable[Shape], source: str, seen: datetime, home: str) -> Iterator[Event]:
    """All of them who have an id."""
    for user in users:
        if (event := principal(user, source, seen, home)) is not None:
            yield event
