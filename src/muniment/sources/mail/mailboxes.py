"""What IMAP and Gmail share: whose mailboxes, with which secrets, and one listing over all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from muniment.domain.audience import is_principal
from muniment.domain.errors import Malformed
from muniment.sources.connector import Configured, Listing
from muniment.sources.mail.message import Mail
from muniment.sources.mail.told import Held, children_of, item_id

__all__ = ["ASIDE", "Mailbox", "aside_of", "held_by", "mailboxes", "names_of", "whole"]

ASIDE = frozenset({"spam", "trash", "drafts"})


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Somebody's mailbox and how to get in."""

    owner: str
    login: str
    secret: str = field(repr=False)

    @property
    def key(self) -> str:
        """By what a cursor knows it."""
        return f"{self.owner}={self.login}"


def mailboxes(configured: Configured, secret: str) -> tuple[Mailbox, ...]:
    """Those of the settings. Malformed says what is wrong, and never a secret."""
    secrets = _secrets(configured.secret(secret))
    found = []
    for one in configured.require("mailboxes").split(","):
        owner, equals, login = one.strip().partition("=")
        if not equals or not login.strip() or not is_principal(owner):
            raise Malformed(f"mailbox {one.strip()!r} is not PRINCIPAL=LOGIN: user:ann=ann@acme.example")
        if (said := secrets.get(login.strip(), secrets.get(""))) is None:
            raise Malformed(f"there is no {secret} for the login {login.strip()!r}")
        found.append(Mailbox(owner, login.strip(), said))
    return tuple(found)


def _secrets(text: str) -> Mapping[str, str]:
    """A secret for each login, or one for all of them under the empty login."""
    if text.lstrip().startswith("{"):
        try:
            read = json.loads(text)
        except ValueError:
            raise Malformed("the secret begins like a JSON object and is none") from None
        return {str(login): str(said) for login, said in read.items()}
    return {"": text.strip()}


def aside_of(configured: Configured) -> frozenset[str]:
    """What is not read: spam, trash and drafts, but for what somebody asked for."""
    said = {one.strip().casefold() for one in configured.settings.get("also", "").split(",") if one.strip()}
    if wrong := said - ASIDE:
        raise Malformed(f"also names {min(wrong)!r}: use spam, trash or drafts")
    return ASIDE - said


def whole(
    held: Mapping[str, Iterable[str]],
    before: Mapping[str, Iterable[str]],
    at: datetime,
    source: str,
    *,
    complete: bool,
) -> Listing:
    """What every mailbox of a source holds, by owner: a mail that no mailbox holds any more is gone.

    Of one that somebody held when it was last looked at and only others hold now, it is said who lost it.
    """
    sets = {owner: frozenset(ids) for owner, ids in held.items()}
    ids = frozenset().union(*sets.values())
    lost = {owner: frozenset(before.get(owner, ())) - has for owner, has in sets.items()} if complete else {}
    told = [
        {"op": "audience", "source": source, "item": name, "at": at.isoformat(), "remove": [owner]}
        for owner, names in lost.items()
        for name in sorted(names & ids)
    ]
    return Listing("", ids, at, complete, told)


def names_of(mail: Mail) -> frozenset[str]:
    """The ids of the items a mail makes."""
    return frozenset((item_id(mail), *children_of(mail)))


def held_by(mailbox: Mailbox, source: str, at: datetime, now: datetime) -> Held:
    """A mail found in a mailbox just now."""
    return Held(source, mailbox.owner, at, now)
