"""How much one caller may ask for: requests in a minute, and bytes in a request."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.surfaces.http.given_up import GivenUp, or_refused
from muniment.surfaces.http.problems import problem

__all__ = ["Bounded", "Rate"]

_KNOWN = 10_000  # callers whose rate is kept in mind; the one unheard of for longest is forgotten first


@dataclass(slots=True)
class Rate:
    """A bucket for each caller that fills at so many a minute and holds one minute's worth."""

    a_minute: int
    ticks: Callable[[], float]
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_for(self, caller: str) -> float:
        """Seconds until the caller may ask again; 0 where they may now, which is counted."""
        now, speed = self.ticks(), self.a_minute / 60
        with self._lock:
            left, at = self._buckets.pop(caller, (float(self.a_minute), now))
            left = min(float(self.a_minute), left + (now - at) * speed)
            allowed = left >= 1
            self._buckets[caller] = (left - 1 if allowed else left, now)
            if len(self._buckets) > _KNOWN:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / speed


@dataclass(frozen=True, slots=True)
class Bounded:
    """An application that reads no more of a body than `most` bytes, `most_events` where events come in."""

    app: ASGIApp
    most: int
    most_events: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        # Deliveries by webhook have a limit of their own, and its breach must tell nothing.
        if scope["type"] != "http" or scope["path"].startswith("/hooks/"):
            await self.app(scope, receive, send)
            return
        limit = self.most_events if scope["path"] == "/v1/events" else self.most
        if _told_length(scope) > limit:
            await _refusal(limit)(scope, receive, send)
            return
        read = 0

        async def bounded() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                raise GivenUp(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _said(limit))
            return message

        await or_refused(self.app, scope, bounded, send)


def _refusal(limit: int) -> ASGIApp:
    return problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _said(limit))


def _said(limit: int) -> str:
    return f"a body has at most {limit:,} bytes"


def _told_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
