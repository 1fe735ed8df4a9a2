"""Gmail's API: what each of its questions is, and its reply as JSON or one of our errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import quote

from muniment.domain.errors import Unavailable
from muniment.sources.connector import CursorLost
from muniment.sources.http import Site
from muniment.sources.mail.mailboxes import Mailbox

__all__ = ["Account", "Gone", "account"]

_SECONDS: Final = 60.0
_MOST_BYTES: Final = 96 * 1024 * 1024  # of a reply: a mail of the largest size in base64, and some
_TOLD: Final = frozenset({200, 404})

Json = Mapping[str, object]


class Gone(Unavailable):
    """What was asked for is not there any more."""


@contextmanager
def account(base_url: str, mailbox: Mailbox) -> Iterator[Account]:
    """A mailbox to ask, for as long as the block lasts. Usage where the library is not installed."""
    headers = {"authorization": f"Bearer {mailbox.secret}"}
    # One that asks for a rest is left alone by whoever pulls, who shows it.
    site = Site(base_url, lambda: headers, seconds=_SECONDS, most=_MOST_BYTES, rests=0)
    with site.kept_open() as asked:
        yield Account(asked, mailbox.login)


class Account:
    """One mailbox of the API."""

    def __init__(self, site: Site, login: str) -> None:
        self._site = site
        self._at = f"{site.base.rstrip('/')}/gmail/v1/users/{quote(login, safe='@')}"

    def profile(self) -> Json:
        """Where its history stands now."""
        return self._get("/profile", {})

    def listed(self, page: str | None, *, also: bool) -> Json:
        """A page of its mails by id, newest first; `also` with those in spam and trash."""
        asked = {"maxResults": "100", "includeSpamTrash": "true" if also else "false"}
        return self._get("/messages", asked | ({"pageToken": page} if page else {}))

    def history(self, since: str, page: str | None) -> Json:
        """What happened since. CursorLost where that is too long ago for the API to know."""
        asked = {"startHistoryId": since, "maxResults": "500"}
        try:
            return self._get("/history", asked | ({"pageToken": page} if page else {}))
        except Gone:
            raise CursorLost(f"gmail no longer knows history {since!r}") from None

    def mail(self, name: str) -> Json | None:
        """A mail whole, with its labels; None where it is gone."""
        try:
            return self._get(f"/messages/{quote(name, safe='')}", {"format": "raw"})
        except Gone:
            return None

    def _get(self, path: str, asked: Mapping[str, str]) -> Json:
        reply = self._site.get(self._at + path, params=asked, allow=_TOLD)
        if reply.status == 404:
            raise Gone("gmail has no such thing")
        said = reply.json()
        if not isinstance(said, dict):
            raise Unavailable(f"gmail's reply is no object but a {type(said).__name__}")
        return said
