"""One request to a source's HTTP interface, and what its status means for a connector."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from muniment.domain.errors import Malformed, Unavailable
from muniment.sources.connector import Throttled, Unauthorised
from muniment.sources.wire import told

if TYPE_CHECKING:
    from httpx2 import Response

__all__ = ["Asked", "Reply", "next_link"]

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_SECONDS: Final = 120.0  # for one whole reply; the library's own limit is for each read
_HOPS: Final = 4


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that is no refusal. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    raw: bytes
    url: str

    def json(self) -> object:
        """What it says; Unavailable where it is no JSON, as a proxy's page of excuses is none."""
        try:
            return told.read(self.raw)
        except Malformed as error:
            raise Unavailable(f"{_place(self.url)} gave what is {error}") from None


@dataclass(frozen=True, slots=True)
class Asked:
    """A source that is asked: where, with which headers, and for how long one read may take."""

    source: str
    base: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    seconds: float = 30.0

    def url(self, path: str) -> str:
        """A path under the base; a whole address stays as it is."""
        return path if "://" in path else f"{self.base.rstrip('/')}/{path.lstrip('/')}"

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Reply:
        """The reply to a question. Raises Throttled, Unauthorised or Unavailable; 304 and 404 are replies."""
        return self._send("GET", self.url(path), headers or {}, None)

    def post(self, path: str, said: object) -> Reply:
        """The reply to a question that takes a body, such as one of GraphQL."""
        return self._send("POST", self.url(path), {}, said)

    def _send(self, method: str, url: str, headers: Mapping[str, str], said: object) -> Reply:
        for _ in range(_HOPS):
            reply = self._once(method, url, headers, said)
            if reply.status not in (301, 302, 307, 308):
                return reply
            url = self._onward(url, reply.headers.get("location", ""))
        raise Unavailable(f"source {self.source!r}: {_place(url)} redirects for ever")

    def _onward(self, url: str, location: str) -> str:
        """Where a redirect leads; our credential goes to no other host."""
        there = urljoin(url, location)
        if urlsplit(there)[:2] != urlsplit(self.base)[:2]:
            raise Unavailable(f"source {self.source!r}: {_place(url)} redirects to another host")
        return there

    def _once(self, method: str, url: str, headers: Mapping[str, str], said: object) -> Reply:
        from httpx2 import Client, HTTPError, InvalidURL  # noqa: PLC0415  # the extra `connect`, and heavy

        if urlsplit(url)[:2] != urlsplit(self.base)[:2]:
            raise Unavailable(f"source {self.source!r}: {_place(url)} is on another host")
        both = {**self.headers, **headers}
        try:
            with (
                Client(timeout=self.seconds, verify=_trusted()) as client,
                client.stream(method, url, headers=both, json=said) as response,
            ):
                raw = _bounded(response, self.source)
        except (HTTPError, InvalidURL, UnicodeError) as error:
            # Its words may quote the address, and an address may hold a secret.
            raise Unavailable(f"source {self.source!r} is not reached: {type(error).__name__}") from None
        return self._judged(Reply(response.status_code, _lower(response), raw, url))

    def _judged(self, reply: Reply) -> Reply:
        if reply.status == 429 or (reply.status == 403 and _is_throttled(reply)):
            raise Throttled(f"source {self.source!r} asks to wait: status {reply.status}", _rest(reply))
        if reply.status in (401, 403):
            place = _place(reply.url)
            raise Unauthorised(f"source {self.source!r} refuses our credential for {place}: {reply.status}")
        if reply.status >= 500:
            raise Throttled(f"source {self.source!r} is down: status {reply.status}", _rest(reply))
        return reply

    def lines(self, path: str) -> Iterator[bytes]:
        """A reply that goes on, line by line, as long as the source keeps it open."""
        from httpx2 import Client, HTTPError, InvalidURL  # noqa: PLC0415  # as above

        try:
            with (
                Client(timeout=self.seconds, verify=_trusted()) as client,
                client.stream("GET", self.url(path), headers=dict(self.headers)) as response,
            ):
                if response.status_code != 200:
                    raw = _bounded(response, self.source)
                    self._judged(Reply(response.status_code, _lower(response), raw, self.url(path)))
                    raise Unavailable(f"source {self.source!r} answers {response.status_code}")
                yield from _lines(response.iter_bytes())
        except (HTTPError, InvalidURL, UnicodeError) as error:
            raise Unavailable(f"source {self.source!r} broke off: {type(error).__name__}") from None


@cache
def _trusted() -> ssl.SSLContext:
    """Whom TLS trusts, read once: reading it takes longer than most requests."""
    return ssl.create_default_context()


def _bounded(response: Response, source: str) -> bytes:
    parts, size, until = [], 0, time.monotonic() + MOST_SECONDS
    for piece in response.iter_bytes():
        size += len(piece)
        if size > MOST_BYTES or time.monotonic() > until:
            raise Unavailable(f"source {source!r} gave more than {MOST_BYTES} bytes, or none for too long")
        parts.append(piece)
    return b"".join(parts)


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a stream; one that is longer than a whole reply may be ends it."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        first, *rest = piece.split(b"\n")
        held.append(first)
        size += len(first)
        if size > MOST_BYTES:
            raise Unavailable(f"a line is longer than {MOST_BYTES} bytes")
        for following in rest:
            yield b"".join(held)
            held, size = [following], len(following)
    yield b"".join(held)


def _lower(response: Response) -> Mapping[str, str]:
    return {key.lower(): value for key, value in response.headers.items()}


def _is_throttled(reply: Reply) -> bool:
    """Some sources, GitHub among them, say 403 where they mean that we ask too much."""
    left = reply.headers.get("x-ratelimit-remaining")
    return left == "0" or "retry-after" in reply.headers or b"rate limit" in reply.raw[:4096].lower()


def _rest(reply: Reply) -> float | None:
    said = reply.headers.get("retry-after", "").strip()
    if said.isdecimal() and len(said) < 8:
        return float(said)
    reset, now = _number(reply.headers.get("x-ratelimit-reset")), _date(reply.headers.get("date"))
    # By the source's own clock, so that ours need not be right.
    if reply.headers.get("x-ratelimit-remaining") == "0" and reset is not None and now is not None:
        return max(reset - now, 1.0)
    return 60.0 if reply.status == 403 else None


def _number(said: str | None) -> float | None:
    text = (said or "").strip()
    return float(text) if text.isdecimal() and len(text) < 16 else None


def _date(said: str | None) -> float | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  # only where a source limits us

    try:
        return parsedate_to_datetime(said or "").timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def next_link(headers: Mapping[str, str]) -> str | None:
    """The next page's address, from a Link header."""
    for part in headers.get("link", "").split(","):
        address, *said = part.split(";")
        if any(one.strip().replace('"', "") == "rel=next" for one in said):
            return address.strip().removeprefix("<").removesuffix(">")
    return None


def _place(url: str) -> str:
    """An address without what stands behind its question mark, where a secret may be."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}{parts.path}"
