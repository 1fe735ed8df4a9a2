"""The HTTP application: routes, and around them who may call, how much, and how long a reply waits."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment import clock
from muniment.domain.regex import regex
from muniment.domain.tasks import Toolbox
from muniment.surfaces.http import accounts, desk, handing, health, investigating, reading, tasks
from muniment.surfaces.http.callers import Whose
from muniment.surfaces.http.limits import Bounded, Rate
from muniment.surfaces.http.logs import Line
from muniment.surfaces.http.metrics import REQUEST_ID, Counted, Counting
from muniment.surfaces.http.oidc import Issuer
from muniment.surfaces.http.pad import STEP, Padded
from muniment.surfaces.http.problems import Problem, add_problems

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["Serving", "api"]

_SAFE_ID = regex(r"[A-Za-z0-9._-]{1,64}")
_ERRORS: dict[int | str, dict[str, object]] = {
    code: {"model": Problem, "content": {"application/problem+json": {}}}
    for code in (400, 401, 404, 409, 413, 422, 429, 503)
}


@dataclass(frozen=True, slots=True)
class Serving:
    """How a record is served; `tools` are what tasks may call.

    Bytes are of one body; `a_minute` is requests of one caller; `step` seconds.
    """

    a_minute: int = 1200
    most: int = 4 * 1024 * 1024
    most_events: int = 64 * 1024 * 1024
    step: float = STEP
    issuer: Issuer | None = None
    line: Line | None = None
    tools: Toolbox | None = None
    ticks: Callable[[], float] = clock.ticks


def api(org: Org, serving: Serving | None = None) -> FastAPI:
    """The application over one organisation's record."""
    use = serving or Serving()
    app = FastAPI(
        title="Muniment",
        summary="What an organisation knows: permitted, current, cited.",
        version="1",
        docs_url=None,
        redoc_url=None,
        responses=_ERRORS,
    )
    app.state.org, app.state.counted, app.state.tools = org, Counted(), use.tools
    app.state.whose, app.state.rate = Whose(org, use.issuer), Rate(use.a_minute, use.ticks)
    for room in (reading, accounts, handing, investigating, tasks, desk, health):
        app.include_router(room.ROUTER)
    add_problems(app)
    app.add_middleware(Bounded, most=use.most, most_events=use.most_events)
    app.add_middleware(Padded, paths=("/v1", "/mcp", "/hooks"), step=use.step, ticks=use.ticks)
    app.add_middleware(Counting, counted=app.state.counted, ticks=use.ticks, line=use.line)
    app.add_middleware(_Marked)
    return app


@dataclass(frozen=True, slots=True)
class _Marked:
    """Every reply carries the request's id, the caller's own if it is harmless, and is nobody's to keep."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = Headers(scope=scope).get("x-request-id", "")
        name = said if _SAFE_ID.fullmatch(said) else secrets.token_hex(8)

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = name
                headers.setdefault("Cache-Control", "no-store")
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        await self.app({**scope, REQUEST_ID: name}, receive, marked)
