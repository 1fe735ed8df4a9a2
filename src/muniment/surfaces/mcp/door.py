"""MCP over HTTP, beside the API: nobody past without a token, and who issues tokens is published."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.surfaces.http.callers import Whose, is_same_origin, presented
from muniment.surfaces.http.problems import problem
from muniment.surfaces.mcp.profile import BEARER

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Guarded", "add_mcp"]

_METADATA = "/.well-known/oauth-protected-resource"
# The guard looks at Origin itself, and answers only to tokens: a host name says nothing more.
_UNCHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


def add_mcp(app: FastAPI, servers: Mapping[str, MCPServer[Any]], issuer: str | None) -> None:
    """Offer each server at its path, such as /mcp; `issuer` is whose tokens count beside the record's own."""
    mounted = {path: _application(server, path) for path, server in servers.items()}

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for server in servers.values():
                await stack.enter_async_context(server.session_manager.run())
            yield

    app.router.lifespan_context = running
    for path, inner in sorted(mounted.items()):
        # Each at its very path: mounted at /mcp, the first would take what is below it from the others.
        guarded = Guarded(inner, path, app)
        app.router.routes += [Route(path, guarded), Route(f"{path}/", guarded)]

        @app.get(f"{_METADATA}{path}", include_in_schema=False)
        def metadata(request: Request, path: str = path) -> JSONResponse:
            return JSONResponse(_resource(request, path, issuer))


def _application(server: MCPServer[Any], path: str) -> Starlette:
    return server.streamable_http_app(
        streamable_http_path=path,
        json_response=True,
        stateless_http=True,
        transport_security=_UNCHECKED,
    )


def _resource(request: Request, path: str, issuer: str | None) -> dict[str, object]:
    base = f"{request.url.scheme}://{request.url.netloc}"
    return {
        "resource": f"{base}{path}",
        "authorization_servers": [] if issuer is None else [issuer],
        "bearer_methods_supported": ["header"],
    }


class Guarded:
    """An MCP application that only sees requests whose bearer is known, and who that is."""

    def __init__(self, inner: ASGIApp, path: str, app: FastAPI) -> None:
        self._inner, self._path, self._app = inner, path, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        whose: Whose = self._app.state.whose
        credential = presented(headers.get("authorization"))
        if not is_same_origin(headers):
            await problem(HTTPStatus.FORBIDDEN)(scope, receive, send)
            return
        found = None if credential is None else await run_in_threadpool(whose.find_bearer, credential)
        if found is None:
            await self._unknown(headers, scope)(scope, receive, send)
            return
        if wait := self._app.state.rate.wait_for(f"{found.principal} {found.agent}"):
            later = {"Retry-After": str(int(wait) + 1)}
            await problem(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", later)(scope, receive, send)
            return
        inside = {**scope, "path": self._path, "root_path": "", BEARER: found}
        await self._inner(inside, receive, send)

    def _unknown(self, headers: Headers, scope: Scope) -> JSONResponse:
        place = f"{scope.get('scheme', 'http')}://{headers.get('host', 'localhost')}{_METADATA}{self._path}"
        return problem(
            HTTPStatus.UNAUTHORIZED, None, {"WWW-Authenticate": f'Bearer resource_metadata="{place}"'}
        )
