"""Slack's Web API through its own client: one request at a time, and each failure as what it means to us."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any, Final
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from muniment.domain.errors import Unavailable
from muniment.sources.connector import CursorLost, Throttled, Unauthorised
from muniment.sources.slack.shapes import Shape, objects, part, shape, text

__all__ = ["Asked", "Gone", "Web", "next_of"]

_SECONDS: Final = 30
_REPLY_LIMIT: Final = 32 * 1024 * 1024  # bytes; a page of 200 long messages is below 10
_REFUSED: Final = frozenset(
    "invalid_auth not_authed account_inactive token_revoked token_expired no_permission missing_scope "
    "not_allowed_token_type org_login_required ekm_access_denied".split()
)
_GONE: Final = frozenset(
    "channel_not_found thread_not_found not_in_channel user_not_found message_not_found is_archived "
    "method_not_supported_for_channel_type fetch_members_failed".split()
)
_BUSY: Final = frozenset(("ratelimited", "rate_limited"))


Asked = Mapping[str, str | int | bool]


class Gone(Unavailable):
    """What was asked for is not there, or not for us; other things may be."""


class _Stays(HTTPRedirectHandler):
    """Follows no redirect: the token would go along to wherever it leads."""

    def redirect_request(self, *_: object, **__: object) -> None:  # type: ignore[explicit-override]
        return None


class _Client(WebClient):
    """Slack's client, but that it goes nowhere it was not sent, and reads only so much of a reply."""

    def _perform_urllib_http_request_internal(  # type: ignore[explicit-override]
        self, url: str, req: Request
    ) -> dict[str, Any]:
        del url
        opener = build_opener(_Stays, *([HTTPSHandler(context=self.ssl)] if self.ssl else []))
        with opener.open(req, timeout=self.timeout) as reply:
            raw = reply.read(_REPLY_LIMIT + 1)
            if len(raw) > _REPLY_LIMIT:
                raise Unavailable(f"slack answered with more than {_REPLY_LIMIT} bytes")
            return {"status": reply.status, "headers": reply.headers, "body": raw.decode("utf-8", "replace")}


class Web:
    """The methods of one workspace's API, with the token of the company's own app."""

    def __init__(self, token: str, base_url: str) -> None:
        # The client would wait and try again by itself; whoever pulls decides that, and shows it.
        self._client = _Client(
            token=token, base_url=f"{base_url.rstrip('/')}/", timeout=_SECONDS, retry_handlers=[]
        )

    def ask(self, method: str, asked: Asked) -> Shape:
        """What one method answers. Raises Throttled, Unauthorised, CursorLost, Gone or Unavailable."""
        try:
            return shape(self._client.api_call(method, params=dict(asked)).data)
        except SlackApiError as error:
            raise _meaning(method, error) from None
        except (SlackClientError, URLError, HTTPException, OSError, ValueError) as error:
            # Its words may quote the request, and the token with it; so only its kind is kept.
            raise Unavailable(f"slack {method} failed: {type(error).__name__}") from None

    def pages(self, method: str, asked: Asked) -> Iterator[Shape]:
        """Page after page. Slack that leads in a circle is not followed."""
        cursor = ""
        while True:
            said = self.ask(method, {**asked, "cursor": cursor} if cursor else asked)
            yield said
            following = next_of(said)
            if not following or following == cursor:
                return
            cursor = following

    def everything(self, method: str, key: str, asked: Asked) -> list[Shape]:
        """The objects under a key, of all pages at once."""
        return [one for said in self.pages(method, asked) for one in objects(said, key)]


def next_of(said: Shape) -> str:
    """Where the next page begins; empty after the last."""
    return text(part(said, "response_metadata"), "next_cursor")


def _meaning(method: str, error: SlackApiError) -> Unavailable:
    """What a refusal means: wait, mend the credential, begin anew, not there, or just not now."""
    status = getattr(error.response, "status_code", 0)
    # A body that is no JSON leaves text where the client's type promises an object.
    said = error.response.data if isinstance(getattr(error.response, "data", None), dict) else {}
    why = text(shape(said), "error")
    if status == 429 or why in _BUSY:
        return Throttled(f"slack {method} asks to wait", _after(error))
    if status in (401, 403) or why in _REFUSED:
        return Unauthorised(f"slack {method} refuses the token: {why or status}")
    if why == "invalid_cursor":
        return CursorLost(f"slack {method} no longer knows the cursor")
    if why in _GONE:
        return Gone(f"slack {method}: {why}")
    return Unavailable(f"slack {method} failed: {why or f'status {status}'}")


def _after(error: SlackApiError) -> float | None:
    headers = {str(name).lower(): value for name, value in dict(error.response.headers).items()}
    said = headers.get("retry-after")
    said = said[0] if isinstance(said, list) and said else said
    try:
        seconds = float(str(said))
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None
