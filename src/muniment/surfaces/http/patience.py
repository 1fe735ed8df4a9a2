"""How long the server waits for whom: for a request, for its body, and for its reply to be taken.

A client that dawdles costs a connection and some memory and never a thread: bodies are read before a thread
begins on them. It may not do so for ever, or a few thousand of them would keep everybody else out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.surfaces.http.given_up import GivenUp, or_refused

__all__ = ["Patience", "Timely"]

_WHY = "the body came too slowly; send it again"


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds for a request's head, for a reply to move on, for an idle connection; and how many of these.

    A body has `grace` seconds, and one more for every `slowest` bytes of it that came. What is in progress
    when the server is asked to end has `farewell` seconds. Proxies keep a connection for a minute: ours must
    not end first, or a request that is just then sent is lost.
    """

    head: float = 10.0
    grace: float = 30.0
    slowest: int = 8 * 1024
    reply: float = 60.0
    idle: int = 75
    farewell: int = 30
    most: int = 2_000

    def left_for_body(self, read: int, took: float) -> float:
        """How much longer a body is waited for, of which so many bytes came in so many seconds."""
        return self.grace + read / self.slowest - took


@dataclass(frozen=True, slots=True)
class Timely:
    """An application whose requests bring their bodies in time, or are told that they did not."""

    app: ASGIApp
    patience: Patience
    ticks: Callable[[], float]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or not _has_body(scope):
            await self.app(scope, receive, send)
            return
        began, read, is_whole = self.ticks(), 0, False

        async def timely() -> Message:
            nonlocal read, is_whole
            if is_whole:
                return await receive()  # whoever waits for the client to go away may wait for long
            left = self.patience.left_for_body(read, self.ticks() - began)
            try:
                message = await asyncio.wait_for(receive(), max(left, 0.0))
            except TimeoutError:
                raise GivenUp(HTTPStatus.REQUEST_TIMEOUT, _WHY) from None
            read += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            return message

        await or_refused(self.app, scope, timely, send)


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )
