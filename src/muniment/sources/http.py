"""Requests to a source over HTTP: within limits, to its own host alone, each refusal as what it means.

The extra `connect` brings the library; it is imported when a request is first made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from muniment import clock as real
from muniment.domain.errors import Unavailable, Usage
from muniment.sources.connector import Throttled, Unauthorised

if TYPE_CHECKING:
    from httpx2 import Client, Response

__all__ = ["Reply", "Site", "retry_after"]

_LIBRARY: Final = "httpx2"
_HOPS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class Reply:
    """A status that is no refusal, the headers with their names in lower case, and the whole body."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def json(self) -> Any:
        """The body as JSON; Unavailable where it is none, as a proxy's page of excuses is not."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise Unavailable(f"{_place(self.url)} answered with what is no JSON") from None


@dataclass(frozen=True, slots=True)
class Site:
    """One source's HTTP interface. `credentials` gives the headers that let us in, read at each request.

    They go to the host of `base` and nowhere else: a redirect or a next page elsewhere is refused. A source
    that asks for no more than `patience` seconds of rest gets it, a few times; for more, it is Throttled.
    """

    base: str
    credentials: Callable[[], Mapping[str, str]] = field(default=dict, repr=False)
    seconds: float = 30.0
    most: int = 64 * 1024 * 1024
    patience: float = 60.0
    rests: int = 5
    wait: Callable[[float], None] = real.wait
    clock: Callable[[], datetime] = real.now
    ticks: Callable[[], float] = real.ticks

    def __post_init__(self) -> None:
        if urlsplit(self.base).scheme not in ("http", "https") or not urlsplit(self.base).hostname:
            raise Usage(f"{self.base!r} is no address of a source: it begins with https://")

    def get(
        self,
        path: str = "",
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        allow: frozenset[int] = frozenset({200}),
    ) -> Reply:
        """GET a path under the base, or an address on its host; statuses in `allow` are no refusal."""
        return self.send("GET", path, params=params, headers=headers, allow=allow)

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        allow: frozenset[int] = frozenset({200}),
    ) -> Reply:
        """One request. Raises Throttled, Unauthorised or Unavailable, and repeats no credential in them."""
        asked = _Asked(method, dict(params or {}), dict(headers or {}), content)
        for rest in range(self.rests + 1):
            reply = self._followed(self._address(path), asked)
            if reply.status in allow:
                return reply
            error = self._refusal(reply)
            if not isinstance(error, Throttled) or rest == self.rests or not self._waits(error):
                raise error
        raise AssertionError("the last rest raises")

    def _waits(self, error: Throttled) -> bool:
        if error.after is None or error.after > self.patience:
            return False
        self.wait(max(error.after, 0.0))
        return True

    def _address(self, path: str) -> str:
        address = urljoin(self.base, path) if path else self.base
        if _origin(address) != _origin(self.base):
            raise Unavailable(f"{_place(self.base)} leads to another host, {_place(address)}: not followed")
        return address

    def _followed(self, address: str, asked: _Asked) -> Reply:
        for _ in range(_HOPS):
            reply = self._one(address, asked)
            if reply.status not in _REDIRECTS or "location" not in reply.headers:
                return reply
            address = self._address(urljoin(address, reply.headers["location"]))
            asked = asked.redirected(reply.status)
        raise Unavailable(f"{_place(self.base)} redirects without end")

    def _one(self, address: str, asked: _Asked) -> Reply:
        if find_spec(_LIBRARY) is None:
            raise Usage("live sources need an extra: pip install 'muniment[connect]'")
        # The extra, see the module.
        from httpx2 import Client, HTTPError, InvalidURL  # noqa: PLC0415

        try:
            with Client(timeout=self.seconds, follow_redirects=False) as client:
                return self._read(client, address, asked)
        except (HTTPError, InvalidURL, UnicodeError) as error:
            # Its words may quote the address with a key in it, so only its kind is kept.
            raise Unavailable(f"{_place(address)} could not be reached: {type(error).__name__}") from None

    def _read(self, client: Client, address: str, asked: _Asked) -> Reply:
        # Unpacked it could be any size, so it is to come as it is.
        headers = {"accept-encoding": "identity", **asked.headers, **self.credentials()}
        began = self.ticks()
        with client.stream(
            asked.method, address, params=asked.params or None, headers=headers, content=asked.content
        ) as response:
            named = {name.lower(): value for name, value in response.headers.items()}
            return Reply(address, response.status_code, named, self._body(response, address, began))

    def _body(self, response: Response, address: str, began: float) -> bytes:
        parts, size = [], 0
        for part in response.iter_raw():
            size += len(part)
            if size > self.most:
                raise Unavailable(f"{_place(address)} sends more than {self.most:,} bytes at once")
            # The library's own limit is for each read; a server that drips would keep us for ever.
            if self.ticks() - began > 10 * self.seconds:
                raise Unavailable(f"{_place(address)} took more than {10 * self.seconds:g} s")
            parts.append(part)
        return b"".join(parts)

    def _refusal(self, reply: Reply) -> Exception:
        place, status = _place(reply.url), reply.status
        after = retry_after(reply.headers.get("retry-after"), self.clock())
        if status == 429 or (status == 503 and after is not None):
            return Throttled(f"{place} asks us to wait: status {status}", after)
        if status in (401, 403):
            return Unauthorised(f"{place} does not let us in: status {status}")
        return Unavailable(f"{place} failed: status {status}")


@dataclass(frozen=True, slots=True)
class _Asked:
    method: str
    params: dict[str, str]
    headers: dict[str, str]
    content: bytes | None

    def redirected(self, status: int) -> _Asked:
        """What is asked where a redirect leads, whose address has its own parameters."""
        if status in (307, 308):
            return _Asked(self.method, {}, self.headers, self.content)
        return _Asked("GET", {}, self.headers, None)


def retry_after(said: str | None, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header, which says seconds or a date; None where it says neither."""
    text = (said or "").strip()
    if len(text) < 12 and text.replace(".", "", 1).isdecimal() and text.isascii():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - now).total_seconds(), 0.0)


def _origin(address: str) -> tuple[str, str, int | None]:
    parts = urlsplit(address)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    try:
        port = parts.port or usual
    except ValueError:
        port = None
    return parts.scheme, (parts.hostname or "").lower(), port


def _place(address: str) -> str:
    """An address without what may be secret in it: its parameters and whoever it names."""
    parts = urlsplit(address)
    return f"{parts.hostname or '?'}{parts.path}"
