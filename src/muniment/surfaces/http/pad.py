"""Replies to reads leave at whole steps of time, so that how long one took tells less of what there is.

Unpadded, a lookup of what is withheld could be told from one of what is absent; at steps of 25 ms it could
not (an AUC of .975 became .465). Rows that are not permitted are never visited: that is the first lock, this
the second.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["STEP", "Padded", "rest_of_step"]

STEP = 0.025  # seconds


def rest_of_step(took: float, step: float) -> float:
    """How much longer until a whole number of steps have passed; nothing where there are no steps."""
    return math.ceil(took / step) * step - took if step > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Padded:
    """An application whose replies under these paths wait for the end of a step."""

    app: ASGIApp
    paths: tuple[str, ...]
    step: float
    ticks: Callable[[], float]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or not scope["path"].startswith(self.paths):
            await self.app(scope, receive, send)
            return
        began = self.ticks()

        async def later(message: Message) -> None:
            if message["type"] == "http.response.start":
                await asyncio.sleep(rest_of_step(self.ticks() - began, self.step))
            await send(message)

        await self.app(scope, receive, later)
