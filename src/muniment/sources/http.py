"""Requests to a source over HTTP: within limits, to its own host alone, each refusal as what it means.

The extra `connect` brings the library; it is imported when a request is first made.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from muniment import clock as real
from muniment.domain.errors import Malformed, Unavailable, Usage
from muniment.sources.connector import Throttled, Unauthorised
from muniment.sources.wire import told

if TYPE_CHECKING:
    from httpx2 import Client, Response

__all__ = ["FOUND", "Reply", "Site", "next_link", "retry_after"]

FOUND: Final = frozenset({200})
_LIBRARY: Final = "httpx2"
_HOPS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_UNSAID_REST: Final = 60.0  # seconds, of a source that says 403 where it means that we ask too much
# What some sources, GitHub and Google among them, say in a 403 that is no refusal.
_BUSY: Final = (b"rate limit", b"ratelimitexceeded", b"quotaexceeded", b"resource_exhausted")
_EXCUSE: Final = 16 * 1024  # bytes of a refusal that are looked into


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
            return told.read(self.body)
        except Malformed:
            raise Unavailable(f"{_place(self.url)} answered with what is no JSON, or too deep") from None


@dataclass(frozen=True, slots=True)
class Site:
    """One source's HTTP interface. `credentials` gives the headers that let us in, read at each request.

    They go to the host of `base` and nowhere else: a redirect or a next page elsewhere is refused. A source
    that asks for no more than `patience` seconds of rest gets it, a few times; for more, it is Throttled.
    `seconds` is for one read and `longest` for a whole reply.
    """

    base: str
    credentials: Callable[[], Mapping[str, str]] = field(default=dict, repr=False)
    seconds: float = 30.0
    longest: float = 120.0
    most: int = 64 * 1024 * 1024
    patience: float = 60.0
    rests: int = 5
    wait: Callable[[float], None] = real.wait
    clock: Callable[[], datetime] = real.now
    ticks: Callable[[], float] = real.ticks
    _open: Client | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not _is_address(self.base):
            raise Usage(f"{self.base!r} is no address of a source: it begins with https://")

    def get(
        self,
        path: str = "",
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        allow: frozenset[int] = FOUND,
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
        allow: frozenset[int] = FOUND,
    ) -> Reply:
        """One request. Raises Throttled, Unauthorised or Unavailable, and repeats no credential in them."""
        asked = _Asked(method, dict(params or {}), dict(headers or {}), content)
        for rest in range(self.rests + 1):
            reply = self._followed(self._address(path), asked)
            error = _refusal(reply, self.clock()) if reply.status not in allow else None
            if error is None:
                return reply
            if not isinstance(error, Throttled) or rest == self.rests or not self._waits(error):
                raise error
        raise AssertionError("the last rest raises")

    def lines(self, path: str) -> Iterator[bytes]:
        """A reply that goes on, line by line, as long as the source keeps it open; a redirect is no reply."""
        address = self._address(path)
        with self._asking(address, _Asked("GET", {}, {}, None)) as response:
            if response.status_code not in FOUND:
                raise _refusal(self._read(response, address), self.clock())
            yield from self._lines(response, address)

    @contextmanager
    def kept_open(self) -> Iterator[Site]:
        """The same over one connection, for as long as the block lasts."""
        with _client(self.seconds) as client:
            yield replace(self, _open=client)

    def _waits(self, error: Throttled) -> bool:
        if error.after is None or error.after > self.patience:
            return False
        self.wait(max(error.after, 0.0))
        return True

    def _address(self, path: str, base: str = "") -> str:
        try:
            address = urljoin(base or self.base, path)
            is_own = _origin(address) == _origin(self.base)
        except ValueError:
            raise Unavailable(f"{_place(self.base)} leads to what is no address: not followed") from None
        if not is_own:
            raise Unavailable(f"{_place(self.base)} leads to another host, {_place(address)}: not followed")
        return address

    def _followed(self, address: str, asked: _Asked) -> Reply:
        for _ in range(_HOPS):
            with self._asking(address, asked) as response:
                reply = self._read(response, address)
            if reply.status not in _REDIRECTS or "location" not in reply.headers:
                return reply
            address = self._address(reply.headers["location"], address)
            asked = asked.redirected(reply.status)
        raise Unavailable(f"{_place(self.base)} redirects without end")

    @contextmanager
    def _asking(self, address: str, asked: _Asked) -> Iterator[Response]:
        """A request on its way; what fails of it, reading the reply included, is Unavailable."""
        client: AbstractContextManager[Client] = (
            _client(self.seconds) if self._open is None else nullcontext(self._open)
        )
        # The extra, see the module.
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415

        # Unpacked it could be any size, so it is to come as it is.
        headers = {"accept-encoding": "identity", **asked.headers, **self.credentials()}
        try:
            with (
                client as sending,
                sending.stream(
                    asked.method, address, params=asked.params or None, headers=headers, content=asked.content
                ) as response,
            ):
                yield response
        except (HTTPError, InvalidURL, UnicodeError) as error:
            # Its words may quote the address with a key in it, so only its kind is kept.
            raise Unavailable(f"{_place(address)} could not be reached: {type(error).__name__}") from None

    def _read(self, response: Response, address: str) -> Reply:
        began = self.ticks()
        parts, size = [], 0
        for part in response.iter_raw():
            size += len(part)
            if size > self.most:
                raise Unavailable(f"{_place(address)} sends more than {self.most:,} bytes at once")
            # The library's own limit is for each read; a server that drips would keep us for ever.
            if self.ticks() - began > self.longest:
                raise Unavailable(f"{_place(address)} took more than {self.longest:g} s")
            parts.append(part)
        named = {name.lower(): value for name, value in response.headers.items()}
        return Reply(address, response.status_code, named, b"".join(parts))

    def _lines(self, response: Response, address: str) -> Iterator[bytes]:
        held: list[bytes] = []
        size = 0
        for piece in response.iter_raw():
            first, *following = piece.split(b"\n")
            held.append(first)
            size += len(first)
            if size > self.most:
                raise Unavailable(f"{_place(address)} sends a line of more than {self.most:,} bytes")
            for line in following:
                yield b"".join(held)
                held, size = [line], len(line)
        yield b"".join(held)


def _client(seconds: float) -> Client:
    """Goes nowhere it was not sent."""
    if find_spec(_LIBRARY) is None:
        raise Usage("live sources need an extra: pip install 'muniment[connect]'")
    from httpx2 import Client  # noqa: PLC0415  # the extra, see the module

    return Client(timeout=seconds, follow_redirects=False, verify=_trusted())


@cache
def _trusted() -> ssl.SSLContext:
    """Whom TLS trusts, read once: reading it takes longer than most requests."""
    from httpx2 import create_ssl_context  # noqa: PLC0415  # as above

    trusted: ssl.SSLContext = create_ssl_context()
    return trusted


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


def _refusal(reply: Reply, now: datetime) -> Unavailable:
    """What a status means that nobody asked for: wait, mend the credential, or just not now."""
    place, status = _place(reply.url), reply.status
    after = _rest(reply, now)
    busy = status == 403 and (after is not None or _is_busy(reply))
    if status == 429 or busy or (status >= 500 and after is not None):
        unsaid = _UNSAID_REST if busy else None
        return Throttled(f"{place} asks us to wait: status {status}", unsaid if after is None else after)
    if status in (401, 403):
        return Unauthorised(f"{place} does not let us in: status {status}")
    return Unavailable(f"{place} failed: status {status}")


def _is_busy(reply: Reply) -> bool:
    said = reply.body[:_EXCUSE].lower()
    return any(excuse in said for excuse in _BUSY)


def _rest(reply: Reply, now: datetime) -> float | None:
    """How long the source asks us to wait."""
    after = retry_after(reply.headers.get("retry-after"), now)
    if after is not None or reply.headers.get("x-ratelimit-remaining") != "0":
        return after
    reset, date = _number(reply.headers.get("x-ratelimit-reset")), _date(reply.headers.get("date"))
    if reset is None:
        return _UNSAID_REST if reply.status in (403, 429) else None
    # By the source's own clock, so that ours need not be right.
    return max(reset - (now if date is None else date).timestamp(), 1.0)


def retry_after(said: str | None, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header, which says seconds or a date; None where it says neither."""
    text = (said or "").strip()
    if len(text) < 12 and text.replace(".", "", 1).isdecimal() and text.isascii():
        return float(text)
    when = _date(text)
    return None if when is None else max((when - now).total_seconds(), 0.0)


def _number(said: str | None) -> float | None:
    text = (said or "").strip()
    return float(text) if text.isdecimal() and text.isascii() and len(text) < 16 else None


def _date(said: str | None) -> datetime | None:
    try:
        when = parsedate_to_datetime(said or "")
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when


def next_link(headers: Mapping[str, str]) -> str | None:
    """The next page's address, from a Link header."""
    for part in headers.get("link", "").split(","):
        address, *said = part.split(";")
        if any(one.strip().replace('"', "") == "rel=next" for one in said):
            return address.strip().removeprefix("<").removesuffix(">")
    return None


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


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
