"""Gmail's API: one request and its reply as JSON, or one of our errors. The token goes to no other host."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from muniment.domain.errors import Unavailable, Usage
from muniment.sources.connector import CursorLost, Throttled, Unauthorised
from muniment.sources.mail.mailboxes import Mailbox

if TYPE_CHECKING:
    from httpx2 import Client, Response

__all__ = ["Account", "Gone", "account"]

_SECONDS: Final = 60.0
_MOST_BYTES: Final = 96 * 1024 * 1024  # of a reply: a mail of the largest size in base64, and some
_BUSY: Final = ("rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "RESOURCE_EXHAUSTED")

Json = Mapping[str, object]


class Gone(Unavailable):
    """What was asked for is not there any more."""


@contextmanager
def account(base_url: str, mailbox: Mailbox) -> Iterator[Account]:
    """A mailbox to ask, for as long as the block lasts. Usage where the library is not installed."""
    if find_spec("httpx2") is None:
        raise Usage("gmail needs an extra: pip install 'muniment[connect]'")
    from httpx2 import Client  # noqa: PLC0415  # the extra

    headers = {"authorization": f"Bearer {mailbox.secret}", "accept-encoding": "identity"}
    with Client(base_url=base_url, timeout=_SECONDS, headers=headers, follow_redirects=False) as client:
        yield Account(client, mailbox.login)


class Account:
    """One mailbox of the API."""

    def __init__(self, client: Client, login: str) -> None:
        self._client = client
        self._at = f"/gmail/v1/users/{quote(login, safe='@')}"

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
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415  # the extra

        try:
            with self._client.stream("GET", self._at + path, params=dict(asked)) as response:
                raw = _read(response)
                _refuse(response, raw)
        except (HTTPError, InvalidURL, UnicodeError) as error:
            # Its words may quote the address with what was asked, so only its kind is kept.
            raise Unavailable(f"gmail cannot be reached: {type(error).__name__}") from None
        return _object(raw)


def _read(response: Response) -> bytes:
    parts, size = [], 0
    for part in response.iter_raw():
        size += len(part)
        if size > _MOST_BYTES:
            raise Unavailable(f"gmail gave more than {_MOST_BYTES} bytes")
        parts.append(part)
    return b"".join(parts)


def _refuse(response: Response, raw: bytes) -> None:
    status = response.status_code
    if status == 200:
        return
    busy = status == 403 and any(one.encode() in raw for one in _BUSY)
    if status == 429 or busy:
        raise Throttled("gmail asks us to wait", _seconds(response.headers.get("retry-after")))
    if status in (401, 403):
        raise Unauthorised(f"gmail refuses the token: status {status}")
    if status == 404:
        raise Gone("gmail has no such thing")
    raise Unavailable(f"gmail failed: status {status}")


def _seconds(said: str | None) -> float | None:
    return float(said) if said is not None and said.isascii() and said.isdigit() and len(said) < 6 else None


def _object(raw: bytes) -> Json:
    try:
        read = json.loads(raw)
    except (ValueError, RecursionError):
        raise Unavailable("gmail's reply is no JSON") from None
    if not isinstance(read, dict):
        raise Unavailable(f"gmail's reply is no object but a {type(read).__name__}")
    return read
